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
 * The first result set of a CALL: the names of its columns, and its rows. The answer has all result
 * sets, and the outcome last; the outcome alone if there are none.
 */
export function firstResultSet([answer, fields]: readonly [QueryResult, unknown]): readonly RawRow[] {
  const rows: unknown = Array.isArray(answer) ? answer[0] : undefined;
  const columns: unknown = Array.isArray(fields) ? fields[0] : undefined;
  if (!Array.isArray(rows) || !Array.isArray(columns)) return [];
  const names = (columns as readonly FieldPacket[]).map(({ name }) => name);
  return [names, ...rows.map((row) => (Array.isArray(row) ? row.map(cellText) : []))];
}

const cellText = (value: unknown): string | null =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : rawText(value);
