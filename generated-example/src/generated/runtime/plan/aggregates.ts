import type { ColumnType, Kind } from '../descriptor.js';
import { float8, interval, numeric } from '../types.js';
import type { AggregateFunction } from './intent.js';

/** The aggregate functions that take a column, in the order their GraphQL fields have. `count` takes none. */
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

/**
 * The type of an aggregate over a column, or undefined where PostgreSQL has no such aggregate. Sums and averages of
 * whole numbers are `numeric`: a JSON number with all its digits, whatever their size. `countDistinct` is an integer:
 * `int`.
 */
export function aggregateType(name: AggregateFunction, column: ColumnType): ColumnType | undefined {
  switch (name) {
    case 'countDistinct':
      return uncountable.includes(column.kind) ? undefined : { kind: 'int', sql: { name: 'int8' } };
    case 'min':
    case 'max':
      return ordered.includes(column.kind) ? column : undefined;
    case 'sum':
    case 'avg':
      return column.kind === 'interval' ? interval : numberType(column);
    case 'stddev':
    case 'variance':
      return numberType(column);
  }
}

function numberType(column: ColumnType): ColumnType | undefined {
  if (column.kind === 'float') return float8;
  return exact.includes(column.kind) ? numeric : undefined;
}
