import type { ColumnDescriptor, ColumnType, RelationDescriptor } from '../../descriptor/descriptor.js';
import { restNameOf, type Registry, type Table } from '../../descriptor/registry.js';
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

/** Most columns that are described: a table with more would fill the answer. */
const MAX_COLUMNS = 400;

/** A table with its columns and relations, as tools name them. Absent members are undefined. */
export function describeTable(table: Table, { source, rowFilter }: Call) {
  const { registry } = source.services;
  const { kind, description, field, computed } = table;
  const columns = visibleColumns(table, rowFilter);
  return {
    table: tableName(table),
    kind: kind === 'table' ? undefined : kind,
    description,
    graphql: field,
    key: keyIn(table, columns),
    writes: source.writes
      ? (['insertable', 'updatable', 'deletable'] as const).filter((each) => table[each] === true)
      : undefined,
    columns: columns.slice(0, MAX_COLUMNS).map((column) => ({
      name: restNameOf(table, column.name),
      type: typeName(column.type),
      values: valuesOf(column.type, registry),
      nullable: column.nullable,
      hasDefault: source.writes ? (column.hasDefault ?? column.filled) : undefined,
      readOnly: source.writes ? column.readOnly : undefined,
      insertOnly: source.writes ? column.insertOnly : undefined,
      description: column.description,
    })),
    columnsLeftOut: columns.length > MAX_COLUMNS ? columns.length - MAX_COLUMNS : undefined,
    computed: computed?.map((each) => ({
      name: each.name,
      type: typeName(each.type),
      description: each.description,
    })),
    relations: relationsOf(table, registry, rowFilter),
  };
}

/** The key, where the caller sees all of its columns. */
function keyIn(table: Table, columns: readonly ColumnDescriptor[]): readonly string[] {
  const key = rowKeyOf(table) ?? [];
  return key.every((name) => columns.some((column) => column.name === name)) ? key : [];
}

/** Booleans and JSON of MariaDB are numbers and texts of which the configuration gives the type. */
export const typeName = ({ sql, kind, element }: ColumnType): string => {
  if (kind === 'boolean' || kind === 'json') return kind;
  return kind === 'array' && element !== undefined ? `${typeName(element)}[]` : sql.name;
};

const valuesOf = ({ enum: type, element }: ColumnType, { enums }: Registry): readonly string[] | undefined =>
  enums.get(type ?? element?.enum ?? '')?.values.map(({ label }) => label);

/** The relations by the shortest name that `embed` takes for each. */
function relationsOf(table: Table, registry: Registry, rowFilter: RowFilter | undefined) {
  const hidden = rowFilter?.hidden(table);
  const all = [...(table.relations ?? []), ...(table.embedded ?? [])].flatMap((relation) => {
    const other = registry.table.get(relation.table);
    return other === undefined || relation.onlyInPostgrest === true ? [] : [{ relation, other }];
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
    by: each.relation.columns.filter((name) => hidden?.has(name) !== true),
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
