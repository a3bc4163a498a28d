import type { GivenColumn, RowsInput } from '../../../plan/write/write-plan.js';
import { objectText } from '../../object-text.js';
import type { Slot } from '../../../plan/statement.js';
import type { Encode } from '../../sql/encode.js';
import { rowReader } from '../../sql/given-rows.js';
import { jsonEncoder, type Types } from './encode.js';
import { writeJson } from '../../json-text.js';
import { plainRowsWriter } from './plain-rows.js';

/**
 * Writes a row as members of a JSON object that `json_to_recordset` reads, by column; null where
 * the value is null.
 */
export type EncodeRow = (row: object) => Map<string, string>;

/**
 * Encodes rows of these columns: json as JSON, everything else as a JSON string with the database's
 * text form. The encoder throws ServerError 400 for a value that its type does not accept, and
 * names the column.
 */
export function rowEncoder(columns: readonly GivenColumn[], types: Types): EncodeRow {
  const encoder = ({ type }: GivenColumn): Encode => {
    if (type.kind === 'json' || type.kind === 'jsonb') return writeJson;
    const encode = jsonEncoder(type, types);
    return (value) => JSON.stringify(encode(value));
  };
  return rowReader(columns, encoder, 'null');
}

/** All rows of an input as one JSON parameter. */
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
