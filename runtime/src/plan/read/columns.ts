import type { ColumnDescriptor, ColumnType, RelationDescriptor } from '../../descriptor/descriptor.js';
import { restNameOf, type Table } from '../../descriptor/registry.js';
import { tableoid } from '../../descriptor/unique-keys.js';
import type { Expression, Join, ReadTable, TableName } from './plan.js';
import { tableName, type DerivedTypes, type PlanContext } from '../context.js';
import { planGiven } from './arguments.js';
import type { GivenArguments, JsonStep, RowValueName } from '../intent.js';
import { noType } from '../as-postgres-says.js';
import {
  hiddenColumn,
  malformedParameter,
  quoted,
  unknownColumn,
  unknownOperator,
  unknownRelation,
} from '../refuse.js';

/** What decides which columns a client may name. */
export type ColumnLimits = Pick<PlanContext, 'rowFilter' | 'isCustom'>;

/** A column that a client names. Throws ServerError 403 for one that is hidden from it. */
export function findColumn(table: Table, name: string, limits: ColumnLimits): ColumnDescriptor {
  const column = knownColumn(table, name);
  if (isHidden(table, name, limits)) throw hiddenColumn(restNameOf(table, name), table);
  return column;
}

/** A column that the server itself uses, such as those of keys. */
export function knownColumn(table: Table, name: string): ColumnDescriptor {
  const column = table.byName.get(name) ?? (table.inherited === true && name === tableoid.name ? tableoid : undefined);
  if (column === undefined) throw unknownColumn(name, table);
  return column;
}

/** Whether the database refuses a statement of the caller that reads the column. */
export const isUnread = (table: Table, name: string, { rowFilter }: ColumnLimits): boolean =>
  rowFilter?.unread?.(table)?.has(name) === true;

export const isHidden = (table: Table, name: string, { rowFilter }: ColumnLimits): boolean =>
  rowFilter?.hidden(table)?.has(name) === true;

/**
 * A relation that a client names. Throws ServerError 403 where it would show or change values of
 * hidden columns.
 */
export function findRelation(table: Table, name: string, context: PlanContext): RelationDescriptor {
  const relation = knownRelation(table, name);
  if (context.rowFilter === undefined) return relation;
  const { columns, references, through } = relation;
  const junction = through === undefined ? undefined : context.registry.table.get(through.table);
  const used: readonly (readonly [Table | undefined, readonly string[]])[] = [
    [table, columns],
    [context.registry.table.get(relation.table), references],
    [junction, [...(through?.columns ?? []), ...(through?.references ?? [])]],
  ];
  for (const [of, names] of used) {
    if (of !== undefined) for (const each of names) findColumn(of, each, context);
  }
  return relation;
}

export function knownRelation(table: Table, name: string): RelationDescriptor {
  const relation = table.relationsByName.get(name);
  if (relation === undefined) throw unknownRelation(name, table);
  return relation;
}

/** The other side of a relation. */
export function relatedTable(relation: RelationDescriptor, { registry }: Pick<PlanContext, 'registry'>): Table {
  const table = registry.table.get(relation.table);
  if (table === undefined)
    throw new Error(`relation ${relation.name} leads to ${relation.table}, which is not in the registry`);
  return table;
}

export function joinOf(relation: RelationDescriptor, context: PlanContext): Join {
  const { columns, references, equality, function: called, cardinality, direction } = relation;
  const { through, own } = withoutUnread(relation, context);
  const key = direction === 'forward' ? 'references' : 'columns';
  const table = readTable(relatedTable(relation, context), context);
  const join: Join = {
    table: own === undefined || direction === 'reverse' ? table : { ...table, isOnly: true },
    ...(own === undefined || direction !== 'reverse' ? {} : { own }),
    columns,
    references,
    ...(equality === undefined ? {} : { equality: { operators: equality, key } }),
    ...(called === undefined ? {} : { call: { ...called, returnsSet: cardinality === 'many' } }),
  };
  if (through === undefined) return join;
  const junction = context.registry.table.get(through.table);
  if (junction === undefined)
    throw new Error(`relation ${relation.name} goes through ${through.table}, which is not in the registry`);
  return { ...join, through: { ...through, table: readTable(junction, context) } };
}

/**
 * A role that may not read in which table a row is gets the related rows of its key, also where the
 * row is in a table that inherits from the one with the key.
 */
function withoutUnread(
  { direction, own, through }: RelationDescriptor,
  context: PlanContext,
): Pick<RelationDescriptor, 'own' | 'through'> {
  const isKept = ({ schema, name }: TableName): boolean => {
    const table = context.registry.schemas.get(schema)?.get(name);
    return table === undefined || !isUnread(table, tableoid.name, context);
  };
  const kept = own !== undefined && (direction !== 'reverse' || isKept(own)) ? { own } : {};
  if (through?.near === undefined || isKept(through.near)) return { ...kept, ...(through && { through }) };
  const { table, columns, references, equality } = through;
  return { ...kept, through: { table, columns, references, ...(equality && { equality }) } };
}

/** A table that a statement reads, with the condition of the rows that the caller may read. */
export function readTable(table: Table, { rowFilter }: PlanContext): ReadTable {
  const condition = rowFilter?.condition(table);
  return condition === undefined ? tableName(table) : { ...tableName(table), rowFilter: condition };
}

export function columnExpression(table: Table, name: string): Expression {
  const { name: column, type, nullable, representation } = knownColumn(table, name);
  const own = { kind: 'column', column, type, nullable: nullable === true } as const;
  return representation === undefined ? own : { ...own, representation };
}

/** A column, or the value at a JSON path in it: text after `->>`, JSON after `->`. */
export function pathExpression(
  table: Table,
  name: string,
  path: readonly JsonStep[] | undefined,
  { dialect: { types }, ...limits }: PlanContext,
): Expression {
  const { name: column, type } = findColumn(table, name, limits);
  if (path === undefined || path.length === 0) return columnExpression(table, name);
  const source = isDocument(type) ? type : asJson(type, types);
  if (source === undefined) {
    throw unknownOperator(
      `${quoted(restNameOf(table, name))} is not a JSON column.`,
      '-> and ->> look into json and jsonb columns, arrays and composites.',
    );
  }
  const last = path[path.length - 1];
  const isConverted = source !== type ? { isConverted: true as const } : {};
  return {
    kind: 'path',
    column,
    source,
    ...isConverted,
    steps: path,
    type: last?.arrow === '->>' ? types.text : source,
  };
}

const isDocument = ({ kind }: ColumnType): boolean => kind === 'json' || kind === 'jsonb';

/** The type of an array or a composite as JSON, if the database converts it. */
const asJson = ({ kind }: ColumnType, { casts }: DerivedTypes): ColumnType | undefined =>
  kind === 'array' || kind === 'composite' ? casts.get('jsonb') : undefined;

/** Throws ServerError 400 for a field that is not there, and for an argument that is missing. */
export function computedExpression(table: Table, name: string, given: GivenArguments = []): Expression {
  const computed = table.computed?.find((each) => each.name === name);
  if (computed === undefined) throw unknownColumn(name, table);
  const { function: called, columns, type, arguments: all } = computed;
  const own = { kind: 'computed', function: called, ...(columns === undefined ? {} : { columns }), type } as const;
  return all === undefined ? own : { ...own, given: planGiven({ field: name, arguments: all }, given) };
}

/** A column, or a computed field, that a client names. */
export const namedExpression = (table: Table, named: RowValueName, context: PlanContext): Expression =>
  typeof named === 'string'
    ? pathExpression(table, named, undefined, context)
    : computedExpression(table, named.computed, named.arguments);

export function castExpression(of: Expression, name: string, { dialect }: PlanContext): Expression {
  const { casts } = dialect.types;
  const type = casts.get(name.toLowerCase());
  if (type === undefined) {
    const hint = `Casts: ${[...casts.keys()].join(', ')}.`;
    throw malformedParameter(`There is no cast to ${quoted(name)}.`, hint, noType(name));
  }
  return { kind: 'cast', of, type };
}
