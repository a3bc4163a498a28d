import { rowKeyOf } from '../descriptor/unique-keys.js';
import type { TableModel } from '../model/model.js';
import { nullable, reference, type Schema } from './column-schema.js';
import { failureResponses, headersOf } from './failures.js';
import type { Json, JsonObject } from './json.js';
import { anyOf } from './parts.js';

/** What a request to a table is answered with when all is well. */
type AnswerKind = 'List' | 'Row' | 'Rows' | 'Written';

interface AnswerForm {
  readonly description: string;
  readonly headers: readonly string[];
  /** Its JSON schema. */
  readonly json: (row: Schema) => Schema;
}

const rowsOf = (row: Schema): Schema => ({ type: 'array', items: row });
const writeHeaders = ['Content-Range', 'Preference-Applied'];

const forms: Readonly<Record<AnswerKind, AnswerForm>> = {
  List: {
    description: 'The rows, and where they lie.',
    headers: ['Content-Range', 'ETag', 'Preference-Applied'],
    json: (row) => ({
      type: 'object',
      required: ['data', 'pagination'],
      properties: { data: rowsOf(row), pagination: reference('Rest.Pagination') },
    }),
  },
  Row: { description: 'The row.', headers: ['ETag', 'Preference-Applied'], json: (row) => row },
  Rows: { description: 'The rows that were written.', headers: writeHeaders, json: rowsOf },
  Written: {
    description:
      'The row, or the rows where a list was sent; null for a row that was ignored; nothing but `Location` with `return=headers-only`.',
    headers: ['Location', ...writeHeaders],
    json: (row) => ({ anyOf: [row, rowsOf(row), { type: 'null' }] }),
  },
};

/** A response by reference; of tables that share a path, spelled out. */
export function answer(tables: readonly TableModel[], kind: AnswerKind): JsonObject {
  const [first] = tables;
  if (tables.length === 1 && first !== undefined) return { $ref: `#/components/responses/${keyOf(first, kind)}` };
  return responseOf(tables, kind);
}

/** Nothing but the status: `return=minimal`. */
export const done: JsonObject = { $ref: '#/components/responses/Rest.Done' };

/** The client has it already. */
export const unchanged: JsonObject = { 304: { $ref: '#/components/responses/NotModified' } };

/** A value of a function; `null` for a row that is not there. */
export function valueAnswer(schema: Schema, isTagged: boolean): JsonObject {
  return {
    description: 'The result of the function.',
    ...headersOf(isTagged ? ['ETag'] : []),
    content: { 'application/json': { schema } },
  };
}

export const maybeRow = ({ descriptor }: TableModel): Schema => nullable(reference(descriptor.type));

/**
 * `components.responses`. Names of types have dots here: no error is called so. Source: decision
 * 006.
 */
export function componentResponses(tables: readonly TableModel[]): JsonObject {
  const entries = tables.flatMap((table) =>
    kindsOf(table).map((kind): readonly [string, Json] => [keyOf(table, kind), responseOf([table], kind)]),
  );
  return {
    ...Object.fromEntries(entries),
    'Rest.Done': {
      description: 'Done, without a body: `return=minimal`, and of changes `return=headers-only`.',
      ...headersOf(writeHeaders),
    },
    NotModified: {
      description: 'The answer has not changed since the `ETag` in `If-None-Match`.',
      ...headersOf(['ETag']),
    },
    ...failureResponses(),
  };
}

function kindsOf({ descriptor }: TableModel): readonly AnswerKind[] {
  const { insertable, updatable, deletable } = descriptor;
  return [
    'List',
    ...(rowKeyOf(descriptor)?.length === 1 ? (['Row'] as const) : []),
    ...(updatable === true || deletable === true ? (['Rows'] as const) : []),
    ...(insertable === true ? (['Written'] as const) : []),
  ];
}

/** In every form that `Accept` can ask for. */
function responseOf(tables: readonly TableModel[], kind: AnswerKind): JsonObject {
  const { description, headers, json } = forms[kind];
  const rows = tables.map((table) => reference(table.descriptor.type));
  return {
    description,
    ...headersOf(headers),
    content: {
      'application/json': { schema: anyOf(rows.map(json)) },
      'application/vnd.pgrst.object+json': { schema: anyOf(rows) },
      'text/csv': { schema: { type: 'string' } },
    },
  };
}

const keyOf = ({ descriptor }: TableModel, kind: AnswerKind): string => `${descriptor.type}.${kind}`;
