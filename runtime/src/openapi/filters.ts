import type { ColumnDescriptor } from '../descriptor/descriptor.js';
import { sameColumns } from '../descriptor/unique-keys.js';
import type { Model, TableModel } from '../model/model.js';
import { filterKind, type FilterKind } from '../plan/operator.js';
import { operators } from '../plan/operators.js';
import { reference, type Schema } from './column-schema.js';
import type { Json } from './json.js';

/** A parameter of the query string, and its name, which an argument of a function may have, too. */
export interface NamedParameter {
  readonly name: string;
  readonly parameter: Json;
}

/**
 * Parameters that never name a column: a column that is called so is written in quotes.
 * Source: decision 006.
 */
const reserved: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'or',
  'and',
  'not',
  'columns',
  'on_conflict',
]);

/**
 * The filters of a path, one for each column and computed field of its tables. What all columns of
 * a kind have in common is in a schema.
 */
export const filters = (tables: readonly TableModel[]): readonly Json[] =>
  filtersOf(tables).map(({ parameter }) => parameter);

/** The same of columns that no table has. */
export const columnFilters = (columns: readonly ColumnDescriptor[]): readonly NamedParameter[] =>
  columns.map(({ name, type }) => filter(name, filterKind(type)));

/** The same, with their names. */
export function filtersOf(tables: readonly TableModel[]): readonly NamedParameter[] {
  const kinds = new Map<string, FilterKind>();
  for (const { columns, descriptor } of tables) {
    const named = [...columns.map((column) => column.descriptor), ...(descriptor.computed ?? [])];
    for (const { name, type } of named) if (!kinds.has(name)) kinds.set(name, filterKind(type));
  }
  return [...[...kinds].map(([column, kind]) => filter(column, kind)), ...givenToComputed(tables)];
}

/** A parameter for each argument of a computed field: `price_in(currency)`. */
function givenToComputed(tables: readonly TableModel[]): readonly NamedParameter[] {
  const names = new Set(
    tables.flatMap(({ computed }) =>
      computed.flatMap(({ field, arguments: all }) =>
        all.map((argument) => `${field}(${argument.field ?? argument.name})`),
      ),
    ),
  );
  const description = 'An argument of a computed field, in the text form of the database.';
  return [...names].map((name) => ({
    name,
    parameter: { name, in: 'query', schema: { type: 'string' }, description },
  }));
}

/**
 * The filters that PUT takes: `eq` on each column of the key. Tables that share a path may have
 * different keys: none is required of them then.
 */
export function keyFilters(tables: readonly TableModel[]): readonly Json[] {
  const [first, ...others] = tables;
  const columns = first?.descriptor.primaryKey?.columns ?? [];
  const isShared = others.every(({ descriptor }) => sameColumns(descriptor.primaryKey?.columns ?? [], columns));
  if (isShared) return columns.map((column) => filter(column, 'key').parameter);
  const keys = new Set(tables.flatMap(({ descriptor }) => descriptor.primaryKey?.columns ?? []).map(parameterName));
  return filtersOf(tables).flatMap(({ name, parameter }) => (keys.has(name) ? [parameter] : []));
}

const parameterName = (column: string): string => (reserved.has(column) ? `"${column}"` : column);

function filter(column: string, kind: FilterKind | 'key'): NamedParameter {
  const name = parameterName(column);
  const required = kind === 'key' ? { required: true } : {};
  return {
    name,
    parameter: { name, in: 'query', ...required, schema: reference(`Filter.${kind}`) },
  };
}

/** The values of filters, by the kind of column: what operators it takes. Source: decision 006. */
export function filterSchemas(model: Model): readonly (readonly [string, Schema])[] {
  const known = model.filters[0]?.operators;
  const kinds = new Set([
    ...model.tables.flatMap(({ descriptor: { columns, computed = [] } }) =>
      [...columns, ...computed].map(({ type }) => filterKind(type)),
    ),
    // Of functions that answer values.
    ...model.functions.flatMap(({ descriptor: { returns } }) => (returns === undefined ? [] : [returns.kind])),
    ...model.composites.flatMap(({ descriptor }) => descriptor.attributes.map(({ type }) => type.kind)),
  ]);
  return [
    ...[...kinds].map((kind): readonly [string, Schema] => [
      `Filter.${kind}`,
      {
        description:
          '`operator.value`, negated as `not.operator.value`. Of several, all have to hold. ' +
          `Operators: ${spellingsOf(kind, known)
            .map((spelling) => `\`${spelling}\``)
            .join(' ')}.`,
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
    ]),
    ['Filter.key', { type: 'string', pattern: '^eq\\.', description: '`eq.value`: the value of a column of the key.' }],
  ];
}

/** The spellings of the operators that the database has for a kind of column. */
function spellingsOf(kind: FilterKind, known: ReadonlySet<string> | undefined): readonly string[] {
  const spelled = operators
    .filter(({ id }) => known?.has(id) !== false)
    .filter(({ kinds, restKinds = kinds }) => restKinds === 'any' || restKinds.includes(kind))
    .flatMap(({ rest = [] }) => rest);
  return [...new Set(kind === 'vector' ? [...spelled, 'vector'] : spelled)];
}
