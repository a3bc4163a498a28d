import { parse as parseLossless } from 'lossless-json';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { exactNumber } from '../../../exact-number.js';
import type { GivenColumn, InsertGroup, RowsInput, TypedColumn } from '../../../plan/write/write-plan.js';
import { writeJson } from '../../json-text.js';
import { encoderOf } from '../parameters/encode.js';
import { encodeCell } from '../parameters/parameter.js';
import type { Types } from '../read/scope.js';

/** A row to be written: for each column that it has, the text that is sent, or null. */
export type GivenRow = ReadonlyMap<string, string | null>;

/** Reads the rows of a request, each value checked by the type of its column. */
export type ReadRows = (inputs: unknown) => readonly GivenRow[];

/**
 * @param columns the written columns, for an input whose keys are the columns' names
 */
export function rowsReader(input: RowsInput, columns: readonly TypedColumn[], types: Types): ReadRows {
  switch (input.as) {
    case 'json': {
      const read = rowReader(
        columns.map(({ name, type }) => ({ name, key: name, type })),
        'text',
        types,
      );
      return (inputs) => {
        const given: unknown = parseLossless(input.read(inputs), undefined, exactNumber);
        return (Array.isArray(given) ? given : [given]).map(read);
      };
    }
    case 'list': {
      const read = rowReader(input.columns, 'json', types);
      return (inputs) => input.read(inputs).map(read);
    }
    case 'object': {
      const read = rowReader(input.columns, 'json', types);
      return (inputs) => [read(input.read(inputs))];
    }
  }
}

function rowReader(columns: readonly GivenColumn[], form: 'text' | 'json', types: Types): (row: unknown) => GivenRow {
  const encoders = columns.map(({ name, key, type }) => ({
    name,
    key,
    encode: encoderOf(type, cellForm(type, form), types),
  }));
  return (row) => {
    const given = row as Readonly<Record<string, unknown>>;
    const cells = new Map<string, string | null>();
    for (const { name, key, encode } of encoders) {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      if (value !== undefined) cells.set(name, value === null ? null : encodeCell(key, encode, value));
    }
    return cells;
  };
}

/** JSON in a JSON body is a value, and not a text that has one. */
const cellForm = ({ kind }: ColumnType, form: 'text' | 'json'): 'text' | 'json' =>
  kind === 'json' || kind === 'jsonb' ? 'json' : form;

/**
 * Members of JSON objects that `rowsReader` reads again: rows of a tree take the keys of those
 * around them in between.
 */
export function memberEncoder(columns: readonly GivenColumn[], types: Types): (row: object) => Map<string, string> {
  const encoders = columns.map(({ name, key, type }) => ({ name, key, encode: memberOf(type, types) }));
  return (row) => {
    const given = row as Readonly<Record<string, unknown>>;
    const members = new Map<string, string>();
    for (const { name, key, encode } of encoders) {
      const value = Object.hasOwn(given, key) ? given[key] : undefined;
      if (value !== undefined) members.set(name, value === null ? 'null' : encodeCell(key, encode, value));
    }
    return members;
  };
}

/** The text form of a value: that of a URL, in which enum members are labels. */
function memberOf(type: ColumnType, types: Types): (value: unknown) => string {
  const encode = encoderOf(type, 'json', types);
  switch (type.kind) {
    case 'json':
    case 'jsonb':
      return writeJson;
    case 'enum':
    case 'array':
      return (value) => JSON.stringify(encode(value));
    default:
      return (value) => {
        encode(value);
        return writeJson(value);
      };
  }
}

/** Whether a row belongs to a group: by its columns, and by its missing columns. */
export const belongsTo = ({ has, lacks }: InsertGroup, row: GivenRow): boolean =>
  has.every((name) => row.has(name)) && lacks.every((name) => !row.has(name));
