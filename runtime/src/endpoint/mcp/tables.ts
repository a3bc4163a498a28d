import type { ColumnDescriptor, ColumnType, RelationDescriptor } from '../../descriptor/descriptor.js';
import { fieldOf, type Registry, type Table } from '../../descriptor/registry.js';
import { rowKeyOf } from '../../descriptor/unique-keys.js';
import { codes, ServerError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import type { RowFilter } from '../../plan/context.js';
import { filterKind } from '../../plan/operator.js';
import { operators } from '../../plan/operators.js';
import type { Call } from './tool.js';

/** `kanban.issues`: the name that tools have for a table. */
export const tableName = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`;

/**
 * A table by `schema.name`, or by its name where one schema has it. Throws ServerError 404 with the
 * name that was probably meant.
 */
export function findTable(name: string, { tables }: Registry): Table {
  const [first, ...others] = tables.filter((table) => tableName(table) === name || table.name === name);
  const exact = [first, ...others].find((table) => table !== undefined && tableName(table) === name);
  if (exact !== undefined) return exact;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw new ServerError(400, codes.unknownTable, `Several schemas have a table "${name}".`, {
      hint: `Name one of ${[first, ...others].map(tableName).join(', ')}.`,
    });
  const names = name.includes('.') ? tables.map(tableName) : tables.map((table) => table.name);
  const near = nearest(name, names);
  throw new ServerError(404, codes.unknownTable, `There is no table "${name.slice(0, 80)}" here.`, {
    hint: near === undefined ? 'list_tables names the tables that there are.' : `Did you mean "${near}"?`,
  });
}

/** The columns of a table that are there for the caller. */
export function visibleColumns(table: Table, rowFilter: RowFilter | undefined): readonly ColumnDescriptor[] {
  const hidden = rowFilter?.hidden(table);
  return hidden === undefined ? table.columns : table.columns.filter(({ name }) => !hidden.has(name));
}

/** A table with its columns and relations, as tools name them. */
export function describeTable(table: Table, { source, rowFilter }: Call) {
  const { registry } = source.services;
  const writes = (['insertable', 'updatable', 'deletable'] as const).filter((each) => table[each] === true);
  const restName = table.byRestName === table.byField ? fieldOf : ({ name }: ColumnDescriptor): string => name;
  const computed = (table.computed ?? []).map(({ name, type, description }) => ({
    name,
    type: typeName(type),
    ...(description === undefined ? {} : { description }),
  }));
  return {
    table: tableName(table),
    ...(table.kind === 'table' ? {} : { kind: table.kind }),
    ...(table.description === undefined ? {} : { description: table.description }),
    graphql: table.field,
    key: rowKeyOf(table) ?? [],
    ...(source.writes ? { writes } : {}),
    columns: visibleColumns(table, rowFilter).map((column) => ({
      name: restName(column),
      type: typeName(column.type),
      ...valuesOf(column.type, registry),
      ...(column.nullable === true ? { nullable: true } : {}),
      ...(source.writes && column.hasDefault === true ? { hasDefault: true } : {}),
      ...(source.writes && column.readOnly === true ? { readOnly: true } : {}),
      ...(column.description === undefined ? {} : { description: column.description }),
    })),
    ...(computed.length === 0 ? {} : { computed }),
    relations: relationsOf(table, registry),
  };
}

const typeName = ({ sql, kind, element }: ColumnType): string =>
  kind === 'array' && element !== undefined ? `${element.sql.name}[]` : sql.name;

function valuesOf({ enum: type, element }: ColumnType, { enums }: Registry) {
  const found = enums.get(type ?? element?.enum ?? '');
  return found === undefined ? {} : { values: found.values.map(({ label }) => label) };
}

/** The relations by the shortest name that `embed` takes for each. */
function relationsOf(table: Table, registry: Registry) {
  const all = [...(table.relations ?? []), ...(table.embedded ?? [])].flatMap((relation) => {
    const other = registry.table.get(relation.table);
    return other === undefined ? [] : [{ relation, other }];
  });
  const named = ({ relation, other }: { relation: RelationDescriptor; other: Table }): string => {
    if (relation.function !== undefined) return relation.name;
    const isOnly = all.filter((each) => each.other.name === other.name).length === 1;
    return isOnly ? other.name : `${other.name}!${relation.name}`;
  };
  return all.map((each) => ({
    embed: named(each),
    table: tableName(each.other),
    rows: each.relation.cardinality,
    ...(each.relation.columns.length === 0 ? {} : { by: each.relation.columns }),
  }));
}

/** The operators of filters, by the types of columns that these tables have. */
export function operatorsOf(tables: readonly Table[], served: ReadonlySet<string>): Readonly<Record<string, string>> {
  const columns = tables.flatMap((table) => table.columns);
  const types = new Map(columns.map(({ type }) => [typeName(type), filterKind(type)]));
  const byKind = new Map<string, readonly string[]>();
  for (const [type, kind] of types) {
    const names = operators
      .filter(({ id, kinds, restKinds = kinds }) => served.has(id) && (restKinds === 'any' || restKinds.includes(kind)))
      .flatMap(({ rest = [] }) => rest.slice(0, 1));
    const text = [...new Set(names)].join(' ');
    byKind.set(text, [...(byKind.get(text) ?? []), type]);
  }
  return Object.fromEntries([...byKind].map(([names, all]) => [all.join(' '), names]));
}
