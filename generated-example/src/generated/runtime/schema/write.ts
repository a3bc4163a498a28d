import { registerEnumType } from 'type-graphql';
import type { TableDescriptor } from '../descriptor.js';
import { declareTypes, declared, type Class } from './declare.js';
import { createShape, updateShape, type NestedRelations, type WriteShape } from './write-shape.js';

/**
 * The TypeGraphQL types of what `create<T>` and `createMany<T>` take. They follow from the table's columns, keys and relations, so that no
 * generated file has to spell them out. Names are those of write-shape.ts.
 */
export interface CreateTypes {
  readonly CreateInput: Class;
  /** Throws TypeError for a table without a unique key. */
  readonly OnConflictInput: Class;
}

/** The TypeGraphQL types of what `update<T>` takes. */
export interface UpdateTypes {
  readonly UpdateInput: Class;
  /** Throws TypeError for a table without a number to add to. */
  readonly IncInput: Class;
}

/** Declares what a new row is; `nested`: the relations that rows may be given through inside it. */
export function createTypes(table: TableDescriptor, nested: NestedRelations = {}): CreateTypes {
  const classes = declare(createShape(table, nested));
  return {
    CreateInput: declared(classes, `${table.type}CreateInput`),
    get OnConflictInput() {
      return declared(classes, `${table.type}OnConflictInput`);
    },
  };
}

/** Declares what changes in a row. */
export function updateTypes(table: TableDescriptor): UpdateTypes {
  const classes = declare(updateShape(table));
  return {
    UpdateInput: declared(classes, `${table.type}UpdateInput`),
    get IncInput() {
      return declared(classes, `${table.type}IncInput`);
    },
  };
}

function declare({ types, enums }: WriteShape): ReadonlyMap<string, Class> {
  for (const { name, description, values } of enums) {
    registerEnumType(Object.fromEntries(values.map((value) => [value, value])), { name, description });
  }
  return declareTypes(types);
}
