import type { Random } from './random.js';
import { randomValue, type DatabaseName, type OracleColumn, type OracleTable } from './schema.js';

/** A filter and an order in a form from which both protocols and the reference SQL are made. */

export interface Comparison {
  readonly column: OracleColumn;
  readonly operator: 'eq' | 'neq' | 'gt' | 'lte' | 'in' | 'null';
  readonly values: readonly unknown[];
  readonly negated: boolean;
}

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface Asked {
  readonly comparisons: readonly Comparison[];
  readonly order: readonly Sorting[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

const key: OracleColumn = { name: 'id', kind: 'int', required: true, hasDefault: true, unique: true };

/** Columns that can be compared, the key among them. */
const comparable = ({ columns }: OracleTable): readonly OracleColumn[] => [
  key,
  ...columns.filter(({ kind }) => kind !== 'json' && kind !== 'boolean'),
];

export function randomComparisons(random: Random, table: OracleTable, least = 0): readonly Comparison[] {
  return random.times(least + random.below(3), () => {
    const column = random.pick(comparable(table));
    const operator = random.pick(['eq', 'neq', 'gt', 'lte', 'in', 'null'] as const);
    const present = { ...column, required: true };
    const value = (): unknown => (column === key ? 1 + random.below(table.keys ?? 20) : randomValue(random, present));
    const count = operator === 'null' ? 0 : operator === 'in' ? random.below(4) : 1;
    return { column, operator, values: random.times(count, value), negated: random.chance(15) };
  });
}

export function randomAsked(random: Random, table: OracleTable): Asked {
  const columns = random.shuffled(comparable(table)).slice(0, random.below(3));
  return {
    comparisons: randomComparisons(random, table),
    order: columns.map(({ name }) => ({ column: name, descending: random.chance(50), nullsFirst: random.chance(50) })),
    // Without an order, a part of the rows may be any part of them.
    limit: columns.length > 0 && random.chance(40) ? random.below(8) : undefined,
    offset: columns.length > 0 && random.chance(20) ? random.below(4) : undefined,
  };
}

/** The parameters of a REST request. */
export function restFilter({ comparisons, order, limit, offset }: Asked): readonly string[] {
  return [
    ...restComparisons(comparisons),
    ...(order.length === 0 ? [] : [`order=${order.map(restOrder).join(',')}`]),
    ...(limit === undefined ? [] : [`limit=${String(limit)}`]),
    ...(offset === undefined ? [] : [`offset=${String(offset)}`]),
  ];
}

export const restComparisons = (comparisons: readonly Comparison[]): readonly string[] =>
  comparisons.map(({ column, operator, values, negated }) => {
    const operand =
      operator === 'in' ? `(${values.map((value) => quoted(String(value))).join(',')})` : String(values[0]);
    const filter = operator === 'null' ? 'is.null' : `${operator}.${operand}`;
    return `${column.name}=${encodeURIComponent(negated ? `not.${filter}` : filter)}`;
  });

const restOrder = ({ column, descending, nullsFirst }: Sorting): string =>
  `${column}.${descending ? 'desc' : 'asc'}.${nullsFirst ? 'nullsfirst' : 'nullslast'}`;

/** An element of a list in the URL. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The value of `where`. */
export function graphqlWhere(comparisons: readonly Comparison[]): Readonly<Record<string, unknown>> {
  const filters = comparisons.map(({ column, operator, values, negated }) => {
    const operand = operator === 'in' ? values : operator === 'null' ? true : values[0];
    const filter = { [column.name]: { [operator === 'null' ? 'isNull' : operator]: operand } };
    return negated ? { not: filter } : filter;
  });
  return filters.length === 1 ? (filters[0] ?? {}) : filters.length === 0 ? {} : { and: filters };
}

/** The keys of the rows, by SQL that owes nothing to the server's. */
export interface ReferenceQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export function referenceQuery(table: OracleTable, asked: Asked, database: DatabaseName): ReferenceQuery {
  const values: unknown[] = [];
  const bind = (value: unknown, column: OracleColumn): string => {
    values.push(String(value));
    if (database === 'mariadb')
      return column.kind === 'text' ? '?' : `cast(? as ${mariadbCasts[column.kind] ?? 'char'})`;
    return `$${String(values.length)}::text::${column.kind}`;
  };
  const conditions = asked.comparisons.map(({ column, operator, values: given, negated }) => {
    const left = column.name;
    const single = (sign: string): string => `${left} ${sign} ${bind(given[0], column)}`;
    const made = {
      eq: () => single('='),
      neq: () => single('<>'),
      gt: () => single('>'),
      lte: () => single('<='),
      // The empty list matches nothing, also where the column is null.
      in: () => (given.length === 0 ? 'false' : `${left} in (${given.map((each) => bind(each, column)).join(', ')})`),
      null: () => `${left} is null`,
    }[operator]();
    return negated ? `not (${made})` : `(${made})`;
  });
  const order = asked.order.map(
    ({ column, descending, nullsFirst }) =>
      `case when ${column} is null then ${nullsFirst ? '0' : '2'} else 1 end, ${column} ${descending ? 'desc' : 'asc'}`,
  );
  const limit = ` limit ${String(asked.limit ?? 1000)} offset ${String(asked.offset ?? 0)}`;
  const where = conditions.length === 0 ? 'true' : conditions.join(' and ');
  const schema = database === 'postgres' ? 'shop.' : '';
  return {
    sql: `select id from ${schema}${table.name} where ${where} order by ${[...order, 'id'].join(', ')}${limit}`,
    values,
  };
}

const mariadbCasts: Readonly<Partial<Record<OracleColumn['kind'], string>>> = {
  int: 'signed',
  bigint: 'signed',
  numeric: 'decimal(30, 10)',
  date: 'date',
};
