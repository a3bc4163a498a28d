import type { GivenColumn, RowsInput } from '../../../plan/write/write-plan.js';
import { objectText } from '../../object-text.js';
import type { Slot } from '../../statement.js';
import { jsonEncoder, type Types } from './encode.js';
import { writeJson } from '../../json-text.js';
import { plainRowsWriter } from './plain-rows.js';
import { encodeCell } from './slot.js';

/**
 * A row as members of a JSON object that `json_to_recordset` reads: column by column, null where
 * there is nothing.
 */
export type EncodeRow = (row: object) => Map<string, string>;

/**
 * Encodes rows of these columns: json as JSON, everything else as a JSON string of the database's
 * text form, which is what the column would take from a parameter too. The encoding throws
 * ServerError 400 for a value that its type can't be, naming the column.
 */
export function rowEncoder(columns: readonly GivenColumn[], types: Types): EncodeRow {
  const encoders = columns.map(({ name, key, type }) => {
    const encode = jsonEncoder(type, types);
    const isJson = type.kind === 'json' || type.kind === 'jsonb';
    return { name, key, encode: (value: unknown) => (isJson ? writeJson(value) : JSON.stringify(encode(value))) };
  });
  return (row) => {
    const given = row as Readonly<Record<string, unknown>>;
    const members = new Map<string, string>();
    for (const { name, key, encode } of encoders) {
      if (!Object.hasOwn(given, key) || given[key] === undefined) continue;
      members.set(name, given[key] === null ? 'null' : encodeCell(key, encode, given[key]));
    }
    return members;
  };
}

/** All of an input as one JSON parameter. */
export function inputSlot(input: RowsInput, types: Types): Slot {
  const { as } = input;
  if (as === 'json') return { bind: input.read };
  const { columns } = input;
  const encode = rowEncoder(columns, types);
  if (as === 'object') return { bind: (inputs) => objectText(encode(input.read(inputs))) };
  const writePlain = plainRowsWriter(columns, types);
  return {
    bind: (inputs) => {
      const list = input.read(inputs);
      return writePlain(list) ?? `[${list.map((row) => objectText(encode(row))).join(',')}]`;
    },
  };
}
