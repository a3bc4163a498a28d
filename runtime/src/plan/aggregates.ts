import type { Kind, ValueType } from '../descriptor/descriptor.js';
import type { AggregateFunction } from './intent.js';

/**
 * The aggregate functions that take a column, in the order their GraphQL fields have. `count` takes
 * none.
 */
export const aggregateFunctions: readonly AggregateFunction[] = [
  'countDistinct',
  'sum',
  'avg',
  'min',
  'max',
  'stddev',
  'variance',
];

const exact: readonly Kind[] = ['int', 'bigint', 'numeric', 'money'];
const ordered: readonly Kind[] = [...exact, 'float', 'text', 'date', 'time', 'timestamp', 'interval', 'enum'];
const uncountable: readonly Kind[] = ['json', 'composite', 'other', 'vector', 'tsvector'];

/** Results that are of another type than the column. The dialect has a type for each. */
const count = { kind: 'int' } as const;
const numeric = { kind: 'numeric' } as const;
const float = { kind: 'float' } as const;

/**
 * The type of an aggregate over a column: the column's own, or another kind; undefined if the
 * aggregate does not exist for it. Sums and averages of whole numbers are `numeric`: a JSON number
 * with all its digits, of any size. `countDistinct` is an integer: `int`.
 */
export function aggregateType<Type extends ValueType>(
  name: AggregateFunction,
  column: Type,
): Type | typeof count | typeof numeric | typeof float | undefined {
  switch (name) {
    case 'countDistinct':
      return uncountable.includes(column.kind) ? undefined : count;
    case 'min':
    case 'max':
      return ordered.includes(column.kind) ? unindexed(column) : undefined;
    case 'sum':
    case 'avg':
      return column.kind === 'interval' ? column : numberType(column);
    case 'stddev':
    case 'variance':
      return numberType(column);
  }
}

/** The index of a column has no entry of what an aggregate answers. */
function unindexed<Type extends ValueType>(column: Type): Type {
  if (column.searchable === undefined) return column;
  return Object.fromEntries(Object.entries(column).filter(([name]) => name !== 'searchable')) as unknown as Type;
}

function numberType(column: ValueType): typeof numeric | typeof float | undefined {
  if (column.kind === 'float') return float;
  return exact.includes(column.kind) ? numeric : undefined;
}
