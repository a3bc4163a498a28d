import type { ColumnType } from '../../../descriptor/descriptor.js';
import { parseKept } from '../../../exact-number.js';
import type { GivenColumn, InsertGroup, RowsInput, TypedColumn } from '../../../plan/write/write-plan.js';
import { rowReader } from '../../sql/given-rows.js';
import { writeJson } from '../../json-text.js';
import { encoderOf, textOfSent } from '../parameters/encode.js';
import type { Types } from '../read/scope.js';

/** A row to be written: for each column that it has, the text that is sent, or null. */
export type GivenRow = ReadonlyMap<string, string | null>;

/** Reads the rows of a request, each value checked by the type of its column. */
export type ReadRows = (inputs: unknown) => readonly GivenRow[];

/**
 * @param columns the written columns, for an input whose keys are the columns' names
 */
export function rowsReader(input: RowsInput, columns: readonly TypedColumn[], types: Types): ReadRows {
  const reader = (given: readonly GivenColumn[], form: 'text' | 'json'): ((row: unknown) => GivenRow) =>
    rowReader(given, ({ type }) => encoderOf(type, cellForm(type, form), types), null);
  switch (input.as) {
    case 'json': {
      const read = reader(
        columns.map(({ name, type }) => ({ name, key: name, type })),
        'text',
      );
      return (inputs) => {
        const given: unknown = parseKept(input.read(inputs));
        return (Array.isArray(given) ? given : [given]).map(read);
      };
    }
    case 'list': {
      const read = reader(input.columns, 'json');
      return (inputs) => input.read(inputs).map(read);
    }
    case 'object': {
      const read = reader(input.columns, 'json');
      return (inputs) => [read(input.read(inputs))];
    }
  }
}

/** JSON in a JSON body is a value, and not a text that contains JSON. */
const cellForm = ({ kind }: ColumnType, form: 'text' | 'json'): 'text' | 'json' =>
  kind === 'json' || kind === 'jsonb' ? 'json' : form;

/**
 * Writes a row as JSON members, which `rowsReader` reads again: in between, nested rows get the
 * keys of the rows around them.
 */
export function memberEncoder(columns: readonly GivenColumn[], types: Types): (row: object) => Map<string, string> {
  return rowReader(columns, ({ type }) => memberOf(type, types), 'null');
}

/** The text form of a value as in a URL, where enum members are labels. */
function memberOf(type: ColumnType, types: Types): (value: unknown) => string {
  const encode = encoderOf(type, 'json', types);
  switch (type.kind) {
    case 'json':
    case 'jsonb':
      return writeJson;
    case 'enum':
    case 'array':
      return (value) => JSON.stringify(encode(value));
    case 'bytes':
    case 'other':
      return (value) => JSON.stringify(textOfSent(type, encode(value)));
    default:
      return (value) => {
        encode(value);
        return writeJson(value);
      };
  }
}

/** Whether a row belongs to a group: it has the group's columns and lacks the others. */
export const belongsTo = ({ has, lacks }: InsertGroup, row: GivenRow): boolean =>
  has.every((name) => row.has(name)) && lacks.every((name) => !row.has(name));
