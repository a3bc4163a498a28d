import type { MediaHandler } from '../../../catalog/catalog.js';
import type { Filter, Intent, ReadIntent, RowsForm } from '../../../plan/intent.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import { rowKeyOf } from '../../../descriptor/unique-keys.js';
import { formOf, shapeOfForm, type Format } from '../grammar/accept.js';
import { ShapeBuilder, type CountToken } from '../grammar/shape-builder.js';
import { readIntent } from './intent.js';
import { ownReads, type HandledRequest, type ReadForm } from './read-form.js';
import { malformedParameter } from '../grammar/malformed.js';
import { parseParameters } from '../grammar/parameters.js';
import type { Preferences } from '../../../response/preferences.js';
import type { RestGrammar } from '../grammar/rest-grammar.js';
import { emptyWindow, parseRange, type RowRange } from '../grammar/range.js';
import { tokenize } from '../grammar/tokenize.js';
import type { Scope, Tokens } from '../grammar/tokens.js';
import { textInput } from './where.js';

/** The parts of a request that reads. */
export interface ReadRequest extends HandledRequest {
  /** The decoded key of a single row; absent for a list. */
  readonly id?: string | undefined;
  /** Default: this server's own form of REST. */
  readonly form?: ReadForm;
}

/** A parsed read. Requests of equal `shape` have equal intents and differ in `inputs` only. */
export interface Read {
  readonly shape: string;
  readonly inputs: readonly unknown[];
  /**
   * Makes the intent. Only needed if no statement of this shape exists yet. Throws ServerError 400.
   */
  readonly intent: (registry: Registry) => Intent;
  readonly format: Format;
  /** The aggregate that writes the rows, instead of `format`. */
  readonly handler: MediaHandler | undefined;
  /** The answer omits members that are null. */
  readonly stripsNulls: boolean;
  readonly preferences: Preferences;
  readonly range: RowRange | undefined;
  /** The limit and the offset that `pagination` shows. */
  readonly limit: number;
  readonly offset: number;
}

/**
 * Parses a GET or HEAD of a table or of one row: query string, `Prefer`, `Range`, `Accept`. Takes
 * one pass over the URL. The only look-up is whether a name with dots is a column. Throws
 * ServerError 400 (query string), 406 (`Accept`), 416 (`Range`). Source: decision 006.
 */
export function parseRead(request: ReadRequest, maxRows: number): Read {
  const { table, headers, id, form = ownReads } = request;
  const { grammar, ranges } = form;
  const preferences = grammar.preferences(headers);
  const handler = form.handlerFor(request);
  const format = handler === undefined ? grammar.format(headers.accept) : 'json';
  const written = handler ?? formOf(format);
  const range = id === undefined && headers.range !== undefined ? rangeOf(headers.range, grammar) : undefined;
  const stripsNulls = grammar.stripsNulls(headers.accept);
  const builder = new ShapeBuilder(table.field);
  const tokens = tokenize(parseParameters(request.query, grammar), table, builder, grammar);
  const count = countOf(preferences, ranges.count === 'exact' ? range : undefined, id);
  const { limit, offset } =
    id === undefined ? pageOf(tokens.root, builder, range, maxRows, ranges) : onlyRow(tokens.root);
  const key = id === undefined ? undefined : builder.input(id);
  builder.structure(
    `${key === undefined ? '' : 'row'} ${count} ${shapeOfForm(written)} ${range === undefined ? '' : 'range'} ${stripsNulls ? 'strip' : ''}`,
  );
  return {
    shape: builder.shape,
    inputs: builder.inputs,
    intent: (registry) => intentOf({ tokens, table, registry, count, written, key, form, stripsNulls }),
    format,
    handler,
    stripsNulls,
    preferences,
    range,
    limit,
    offset,
  };
}

const rangeOf = (text: string, { unreadable }: RestGrammar): RowRange | undefined =>
  unreadable === 'refused' || /^\d+-\d*$/.test(text) ? parseRange(text) : undefined;

/** A request with a range gets the total: decision 006. */
function countOf(preferences: Preferences, range: RowRange | undefined, id: string | undefined): Preferences['count'] {
  if (id !== undefined) return 'none';
  return range !== undefined && preferences.count === 'none' ? 'exact' : preferences.count;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * The page that the client gets. A `Range` selects a part of the rows that `limit` and `offset`
 * leave.
 */
function pageOf(
  scope: Scope,
  builder: ShapeBuilder,
  range: RowRange | undefined,
  maxRows: number,
  { empty }: ReadForm['ranges'],
): Page {
  const asked = numberAt(builder, scope.vector?.limit ?? scope.limit);
  const skipped = numberAt(builder, scope.offset) ?? 0;
  if (range === undefined) return { limit: Math.min(asked ?? maxRows, maxRows), offset: skipped };
  const offset = Math.max(range.start, skipped);
  const end = Math.min((range.end ?? Number.MAX_SAFE_INTEGER) + 1, asked === undefined ? Infinity : skipped + asked);
  if (empty === 'refused' && end <= offset && asked !== 0) throw emptyWindow();
  const limit = Math.max(0, Math.min(end - offset, maxRows));
  scope.limit = builder.count(limit);
  scope.offset = builder.count(offset);
  if (scope.vector !== undefined) scope.vector = { ...scope.vector, limit: scope.limit };
  return { limit, offset };
}

function numberAt(builder: ShapeBuilder, token: CountToken | undefined): number | undefined {
  return token === undefined ? undefined : (builder.inputs[token.input] as number);
}

/** The key identifies one row, so a page or an order is an error. */
function onlyRow(scope: Scope): Page {
  for (const name of ['order', 'limit', 'offset'] as const) {
    if (scope[name] !== undefined) throw malformedParameter(name, 'it has no meaning for a single row.');
  }
  if (scope.vector !== undefined) {
    throw malformedParameter(scope.vector.column, 'a vector search has no meaning for a single row.');
  }
  return { limit: 1, offset: 0 };
}

/** A key is that of several rows where tables inherit. */
function onlyFirst({ inherited, primaryKey }: Table): Pick<ReadIntent, 'limit' | 'orderBy'> {
  const [column] = primaryKey?.columns ?? [];
  if (inherited !== true || column === undefined) return {};
  return {
    limit: { read: () => 1, form: 'json' },
    orderBy: [{ by: { kind: 'column', column }, direction: 'asc' }],
  };
}

interface IntentParts {
  readonly tokens: Tokens;
  readonly table: Table;
  readonly registry: Registry;
  readonly count: Preferences['count'];
  readonly written: RowsForm;
  /** The number of the input that holds the key of a single row. */
  readonly key: number | undefined;
  readonly form: ReadForm;
  readonly stripsNulls: boolean;
}

function intentOf({ tokens, table, registry, count, written, key, form, stripsNulls }: IntentParts): Intent {
  const read = readIntent(tokens, table, registry, form);
  if (key === undefined) {
    const strip = stripsNulls && written !== 'csv' ? { stripsNulls } : {};
    return { kind: 'rows', read, count, format: written, ...strip };
  }
  const byKey: Filter = {
    kind: 'compare',
    column: rowKeyOf(table)?.[0] ?? '',
    operator: 'eq',
    values: [textInput(key)],
  };
  const where: Filter = read.where === undefined ? byKey : { kind: 'and', filters: [byKey, read.where] };
  if (written === 'csv') return { kind: 'rows', read: { ...read, where, ...onlyFirst(table) }, count, format: written };
  return { kind: 'row', read: { ...read, where } };
}
