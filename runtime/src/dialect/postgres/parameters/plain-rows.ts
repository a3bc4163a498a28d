import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { GivenColumn } from '../../../plan/write/write-plan.js';
import type { Types } from './encode.js';

/** The JSON text of rows; undefined if a value has to be encoded by the type of its column. */
export type WritePlainRows = (rows: readonly object[]) => string | undefined;

/**
 * Most rows contain only numbers, strings and booleans, which `json_to_recordset` reads directly.
 * One pass over the values checks this; JSON.stringify then writes a list many times faster than
 * the runtime could write it value by value.
 */
export function plainRowsWriter(columns: readonly GivenColumn[], types: Types): WritePlainRows {
  const isPlain = ({ kind, enum: key = '' }: ColumnType): boolean =>
    kind === 'enum'
      ? types.enums.get(key)?.values.every(({ name, label }) => name === undefined || name === label) !== false
      : !encodedKinds.has(kind);
  const plain = columns.filter(({ name, key, type }) => name === key && isPlain(type));
  const names = new Set(plain.map(({ key }) => key));
  return (rows) => {
    for (const row of rows) {
      const given = row as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(given)) if (!names.has(name) || !isScalar(given[name])) return undefined;
    }
    const text = JSON.stringify(rows);
    // A text of PostgreSQL has no zero byte. The encoder reports it better than the database would.
    return text.includes('\\u0000') ? undefined : text;
  };
}

/** Lists and objects have text forms of their own, and numbers inside JSON keep their digits. */
const encodedKinds: ReadonlySet<ColumnType['kind']> = new Set([
  'array',
  'vector',
  'range',
  'composite',
  'json',
  'jsonb',
]);

/** Whether JSON.stringify writes the value as PostgreSQL reads it: not NaN, for example. */
function isScalar(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      // JSON.stringify writes -0 as 0.
      return Number.isFinite(value) && !Object.is(value, -0);
    default:
      return value === null;
  }
}
