import type { RelationDescriptor, TableDescriptor } from '../descriptor.js';
import { classOf, declareTypes, type Class } from './declare.js';
import { readShape, type OwnFilters } from './read-shape.js';

/** The TypeGraphQL types of reading a table's rows. */
export interface ReadTypes {
  readonly Connection: Class;
  readonly WhereInput: Class;
  /** Throws TypeError for a table without a column to order by. */
  readonly OrderByInput: Class;
}

/** By field, which is what relations call them: conditions and order go through relations. */
const tables = new Map<string, TableDescriptor>();

/**
 * Declares the types of a table's pages, conditions and order: they follow from its columns and relations, so that no generated file has
 * to spell them out. Names are those of read-shape.ts. `filters`: the columns that have a filter input of their own.
 */
export function readTypes(table: TableDescriptor, filters: OwnFilters = {}): ReadTypes {
  tables.set(table.field, table);
  declareTypes(readShape(table, filters, tableOf));
  return {
    Connection: classOf(`${table.type}Connection`),
    WhereInput: classOf(`${table.type}WhereInput`),
    get OrderByInput() {
      return classOf(`${table.type}OrderByInput`);
    },
  };
}

function tableOf({ name, table }: RelationDescriptor): TableDescriptor {
  const found = tables.get(table);
  if (found === undefined) throw new TypeError(`No table is called ${table}, which the relation ${name} leads to.`);
  return found;
}
