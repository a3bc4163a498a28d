import type { FieldPacket, QueryResult, TypeCastField } from 'mysql2/promise';
import type { RawRow } from '../../../plan/statement.js';
import { rawText } from './raw-text.js';

/**
 * mysql2 makes objects of JSON and geometries. The bytes of a geometry have its reference system
 * first, in four bytes.
 */
export function readSetValue(field: TypeCastField, next: () => unknown): unknown {
  if (field.type === 'GEOMETRY') return field.buffer()?.subarray(4);
  return field.type === 'JSON' || field.extendedFormat === 'json' ? field.string('utf8') : next();
}

/**
 * The result sets of a CALL: for each a row with the number of its rows and the names of its
 * columns, and then its rows. The answer has all result sets, and the outcome last; the outcome
 * alone if there are none.
 */
export function resultSets([answer, fields]: readonly [QueryResult, unknown]): readonly RawRow[] {
  if (!Array.isArray(answer) || !Array.isArray(fields)) return [];
  const columns: readonly unknown[] = fields;
  return (answer as readonly unknown[]).flatMap((rows, at): readonly RawRow[] => {
    const named = columns[at];
    if (!Array.isArray(rows) || !Array.isArray(named)) return [];
    const names = (named as readonly FieldPacket[]).map(({ name }) => name);
    return [[String(rows.length), ...names], ...rows.map((row) => (Array.isArray(row) ? row.map(cellText) : []))];
  });
}

const cellText = (value: unknown): string | null =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : rawText(value);
