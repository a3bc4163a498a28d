import { rowKeyOf } from '../descriptor/unique-keys.js';
import type { TableModel } from '../model/model.js';
import type { Json, JsonObject } from './json.js';
import { reference, type Schema } from './column-schema.js';
import { anyOf } from './parts.js';

/** What a request to a table is answered with when all is well. */
type AnswerKind = 'List' | 'Row' | 'Rows' | 'Written';

const descriptions: Readonly<Record<AnswerKind, string>> = {
  List: 'The rows, and where they lie.',
  Row: 'The row.',
  Rows: 'The rows.',
  Written: 'The row, or the rows where a list was sent.',
};

/** A response by reference; of tables that share a path, spelled out. */
export function answer(tables: readonly TableModel[], kind: AnswerKind): JsonObject {
  const [first] = tables;
  if (tables.length === 1 && first !== undefined) return { $ref: `#/components/responses/${keyOf(first, kind)}` };
  return responseOf(
    kind,
    tables.map((table) => schemaOf(table, kind)),
  );
}

/** Nothing but the status: `return=minimal`. */
export const done: JsonObject = { $ref: '#/components/responses/Rest.Done' };

/** Every error, whatever its status. */
export const failure: JsonObject = { default: { $ref: '#/components/responses/Rest.Error' } };

/** `components.responses`. Names of types have no dots: nothing else is called so. Source: contract 2.2, 2.3 and 7.1. */
export function componentResponses(tables: readonly TableModel[]): JsonObject {
  const entries = tables.flatMap((table) =>
    kindsOf(table).map((kind): readonly [string, Json] => [
      keyOf(table, kind),
      responseOf(kind, [schemaOf(table, kind)]),
    ]),
  );
  return {
    ...Object.fromEntries(entries),
    'Rest.Done': { description: 'Done; `Prefer: return=minimal`.' },
    'Rest.Error': {
      description:
        'An error: 400 malformed request, 401 invalid token, 403 refused by a policy, 404 no such row, table or schema, 409 conflict, ' +
        '416 range after the last row, 500 error of the database, 503 no connection, 504 timeout.',
      content: { 'application/json': { schema: reference('Rest.Error') } },
    },
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

function schemaOf({ descriptor }: TableModel, kind: AnswerKind): Schema {
  const row = reference(descriptor.type);
  const rows: Schema = { type: 'array', items: row };
  switch (kind) {
    case 'List':
      return {
        type: 'object',
        required: ['data', 'pagination'],
        properties: { data: rows, pagination: reference('Rest.Pagination') },
      };
    case 'Row':
      return row;
    case 'Rows':
      return rows;
    case 'Written':
      return { anyOf: [row, rows] };
  }
}

function responseOf(kind: AnswerKind, schemas: readonly Schema[]): JsonObject {
  return { description: descriptions[kind], content: { 'application/json': { schema: anyOf(schemas) } } };
}

const keyOf = ({ descriptor }: TableModel, kind: AnswerKind): string => `${descriptor.type}.${kind}`;
