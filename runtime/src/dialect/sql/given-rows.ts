import type { GivenColumn } from '../../plan/write/write-plan.js';
import type { Encode } from './encode.js';
import { encodeCell } from './slot.js';

/**
 * Reads rows of a request: for each column that a row has, in the order of the columns, the text
 * that is sent. An error names the column.
 * @param absent what is sent for null
 */
export function rowReader<N extends string | null>(
  columns: readonly GivenColumn[],
  encoderOf: (column: GivenColumn) => Encode,
  absent: N,
): (row: unknown) => Map<string, string | N> {
  const encoders = columns.map((column) => ({ ...column, encode: encoderOf(column) }));
  return (row) => {
    const given = row as Readonly<Record<string, unknown>>;
    const cells = new Map<string, string | N>();
    for (const { name, key, encode } of encoders) {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      if (value !== undefined) cells.set(name, value === null ? absent : encodeCell(key, encode, value));
    }
    return cells;
  };
}
