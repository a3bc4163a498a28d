import type { MediaHandler } from '../../../catalog/catalog.js';
import { ServerError, codes } from '../../../errors.js';
import type { Filter, ReadIntent, RowsForm, Value } from '../../../plan/intent.js';
import type { OnConflict, Returning, RowsValue, WriteIntent, WrittenColumn } from '../../../plan/write/write-intent.js';
import { restNameOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { formOf, shapeOfForm, type Format } from '../grammar/accept.js';
import { ShapeBuilder } from '../grammar/shape-builder.js';
import { readIntent } from '../read/intent.js';
import type { HandledRequest } from '../read/read-form.js';
import { malformedParameter } from '../grammar/malformed.js';
import { parseParameters, type Parameter } from '../grammar/parameters.js';
import type { Preferences } from '../../../response/preferences.js';
import { noColumn } from '../../../plan/as-postgres-says.js';
import { columnNamed } from '../read/rest-column.js';
import { Scanner } from '../grammar/scanner.js';
import { parseSelect, type SelectItem } from '../grammar/select.js';
import { tokenize } from '../grammar/tokenize.js';
import type { Scope, Tokens } from '../grammar/tokens.js';
import { jsonInput } from '../read/where.js';
import { readRows, type BodyRows } from './body.js';
import { malformedBody } from './malformed.js';
import { ownWrites, type WriteForm } from './write-form.js';
import { keyTarget } from '../../../plan/write/table-writes.js';
import { mergeKeys, rowKeyOf, uniqueKeys } from '../../../descriptor/unique-keys.js';

/** The parts of a request that writes. */
export interface WriteRequest extends HandledRequest {
  readonly body: Buffer;
  /** `app.rest.allow-unfiltered-writes` */
  readonly allowUnfiltered: boolean;
  /** Default: this server's own form of REST. */
  readonly form?: WriteForm;
}

/** A parsed write. Requests of equal `shape` have equal intents and differ in `inputs` only. */
export interface RestWrite {
  readonly shape: string;
  readonly inputs: readonly unknown[];
  /**
   * Makes the intent. Only needed if no program of this shape exists yet. Throws ServerError 400.
   */
  readonly intent: (registry: Registry, conflict?: OnConflict) => WriteIntent;
  readonly format: Format;
  /** The aggregate that writes the rows, instead of `format`. */
  readonly handler: MediaHandler | undefined;
  readonly stripsNulls: boolean;
  readonly preferences: Preferences;
  /** POST: the number of rows, and whether the body was one object. */
  readonly rows?: Pick<BodyRows, 'count' | 'single'>;
  /** PATCH with an empty object. */
  readonly nothing?: true;
  /** POST: the key by which an upsert merges, if the request or the columns determine it. */
  readonly conflict?: OnConflict;
  /** Whether the client chose that key itself, or the form of REST allows no other. */
  readonly chosen?: boolean;
}

/**
 * Parses a POST, which inserts rows. Throws ServerError 400, 406, 415. Source: decision 006.
 */
export function parseInsert(request: WriteRequest): RestWrite {
  const { table, headers } = request;
  const parts = begin(request, 'POST');
  const { builder, preferences, tokens, special, form } = parts;
  if (tokens.root.conditions.length > 0 && form.meaningless === 'refused') {
    throw malformedParameter('filter', 'rows that are inserted are not filtered.', 'Leave the filters out of the URL.');
  }
  const columns = special.columns === undefined ? undefined : parseNames(special.columns, 'columns');
  const rows = readRows(headers['content-type'], request.body, table, { columns, form });
  const merges = conflictOf(parts, rows.columns);
  // As in PostgREST: who asks for defaults gets them in rows that exist, too.
  const conflict = merges && preferences.missing === 'default' ? { ...merges, setsDefaults: true as const } : merges;
  const keySets = keySetsOf(rows, preferences, columns !== undefined);
  builder.names('columns', rows.columns);
  for (const set of keySets ?? []) builder.names('row', set);
  const list = inputValue(builder, rows.value, rows);
  const returning = returningOf(parts, rows.single && form.insertedOne === 'object');
  const atMost = atMostOf(parts);
  builder.structure(
    `${rows.form} ${special.onConflict ?? ''} ${preferences.resolution ?? ''} ${preferences.missing ?? ''}`,
  );
  return {
    rows,
    chosen: special.onConflict !== undefined || form.mergesBy === 'primaryKey',
    intent: (registry, other) => {
      const onConflict = other ?? conflict;
      return {
        kind: 'insert',
        table,
        // What is inserted for want of other rows is compared with them, so it has to be a table.
        rows: other === undefined ? list : { read: list.read, form: list.form },
        columns: writtenColumns(table, rows.columns),
        ...(keySets === undefined ? {} : { keySets }),
        ...(onConflict === undefined ? {} : { onConflict }),
        returning: returning(registry),
        ...atMost,
        form,
      };
    },
    ...(conflict === undefined ? {} : { conflict }),
    ...common(parts),
  };
}

/** The body of an update. A list of no object changes nothing. */
function newValues(
  { table, headers, body }: WriteRequest,
  columns: readonly string[] | undefined,
  form: WriteForm,
): BodyRows {
  const type = headers['content-type'];
  const rows = readRows(type, body, table, { columns, form });
  const isList = form.updateLists === 'oneOrNone' && !rows.single && rows.form === 'text';
  return isList ? readRows(type, body, table, { columns, form, as: 'json' }) : rows;
}

/** Parses a PATCH, which updates the rows that match. */
export function parseUpdate(request: WriteRequest): RestWrite {
  const { table } = request;
  const parts = begin(request, 'PATCH');
  const { builder, special } = parts;
  checkFiltered(parts.tokens, request);
  const columns = special.columns === undefined ? undefined : parseNames(special.columns, 'columns');
  const { form } = parts;
  const rows = newValues(request, columns, form);
  const isCsv = rows.form === 'json' && !rows.single;
  if (!rows.single && !(isCsv && rows.count === 1) && !(rows.count === 0 && form.updateLists === 'oneOrNone'))
    throw malformedBody('PATCH takes one object: the columns to change.');
  const given = rows.columns.filter((name) => rows.keySets[0]?.includes(name) === true);
  const { written, defaults } = setOf(rows.columns, given, parts);
  builder.structure(rows.form);
  builder.names('set', written);
  builder.names('default', defaults);
  const value = rows.form === 'text' ? String(rows.value).slice(1, -1) : (rows.value as readonly unknown[])[0];
  const set = inputValue(builder, value, rows);
  const returning = returningOf(parts, false);
  const atMost = atMostOf(parts);
  return {
    intent: (registry) => ({
      kind: 'update',
      table,
      ...whereOf(parts, registry),
      columns: writtenColumns(table, written),
      set,
      ...(defaults.length === 0 ? {} : { defaults }),
      returning: returning(registry),
      ...atMost,
      form: parts.form,
    }),
    ...(written.length + defaults.length === 0 ? { nothing: true as const } : {}),
    ...common(parts),
  };
}

/**
 * The columns that an update sets: the form of REST says what becomes of those that the client
 * names and the body lacks. The preference `missing` overrides it.
 */
function setOf(
  named: readonly string[],
  given: readonly string[],
  { preferences: { missing }, form }: WriteParts,
): { readonly written: readonly string[]; readonly defaults: readonly string[] } {
  if (missing === 'default') return { written: given, defaults: named.filter((name) => !given.includes(name)) };
  return { written: missing === 'null' || form.missingValues === 'null' ? named : given, defaults: [] };
}

/** Parses a DELETE, which deletes the rows that match. */
export function parseDelete(request: WriteRequest): RestWrite {
  const parts = begin(request, 'DELETE');
  checkFiltered(parts.tokens, request);
  const returning = returningOf(parts, false);
  const atMost = atMostOf(parts);
  return {
    intent: (registry) => ({
      kind: 'delete',
      table: request.table,
      ...whereOf(parts, registry),
      returning: returning(registry),
      ...atMost,
      form: parts.form,
    }),
    ...common(parts),
  };
}

/** The parsed parts that all writes have in common. */
export interface WriteParts {
  readonly table: Table;
  readonly builder: ShapeBuilder;
  readonly tokens: Tokens;
  readonly format: Format;
  readonly written: RowsForm;
  readonly handler: MediaHandler | undefined;
  readonly preferences: Preferences;
  readonly form: WriteForm;
  /** The answer omits members that are null. */
  readonly stripsNulls: boolean;
  readonly special: { readonly columns?: string; readonly onConflict?: string };
}

/**
 * Parses the URL and the headers. Throws ServerError 400 for parameters without a meaning for
 * writes.
 */
export function begin(request: WriteRequest, method: string): WriteParts {
  const { table, query, headers, form = ownWrites } = request;
  const { grammar } = form;
  const given = grammar.preferences(headers);
  const preferences = given.return === undefined && form.returns === 'nothing' ? { ...given, ...minimal } : given;
  const handler = form.handlerFor(request);
  const format = handler === undefined ? grammar.format(headers.accept) : 'json';
  const builder = new ShapeBuilder(`${method} ${table.field}`);
  const parameters = parseParameters(query, grammar);
  const tokens = tokenize(parameters, table, builder, grammar);
  const { root } = tokens;
  for (const name of ['order', 'limit', 'offset'] as const) {
    const reason = method === 'PUT' && name !== 'order' ? ({ kind: 'pageOfReplace' } as const) : undefined;
    if (root[name] === undefined || (form.meaningless === 'ignored' && reason === undefined)) continue;
    throw malformedParameter(name, 'it has no meaning for a write.', pageHint, reason);
  }
  if (form.meaningless === 'ignored') withoutPages(root);
  if (root.vector !== undefined)
    throw malformedParameter(root.vector.column, 'a vector search has no meaning for a write.');
  if (tokens.select !== undefined && parseSelect(tokens.select, grammar).some(isInner)) {
    throw malformedParameter(
      'select',
      '`!inner` has no meaning for a write: it would not choose the rows that are written.',
    );
  }
  const stripsNulls = format !== 'csv' && grammar.stripsNulls(headers.accept);
  const written = handler ?? formOf(format);
  builder.structure(`${preferences.return ?? ''} ${format} ${shapeOfForm(written)} ${stripsNulls ? 'strip' : ''}`);
  return {
    stripsNulls,
    table,
    builder,
    tokens,
    format,
    written,
    handler,
    preferences,
    special: specialOf(parameters),
    form,
  };
}

/** The answer has all rows that were written. */
function withoutPages(scope: Scope): void {
  delete scope.limit;
  delete scope.offset;
  for (const inner of scope.embedded.values()) withoutPages(inner);
}

/** The answer has no rows. */
const minimal = { return: 'minimal', isReturnImplied: true } as const;

const pageHint = 'Filter by a key instead; `Prefer: max-affected=n` keeps a write from touching more than n rows.';

const isInner = (item: SelectItem): boolean => item.kind === 'embed' && (item.inner || item.items.some(isInner));

function specialOf(parameters: readonly Parameter[]): WriteParts['special'] {
  const valueOf = (name: string): string | undefined => {
    const [first, second] = parameters.filter((each) => each.name === name);
    if (second !== undefined) throw malformedParameter(name, 'it is there twice.', 'Give it once.');
    return first?.value;
  };
  const [columns, onConflict] = [valueOf('columns'), valueOf('on_conflict')];
  return { ...(columns === undefined ? {} : { columns }), ...(onConflict === undefined ? {} : { onConflict }) };
}

/**
 * A list of columns. Throws ServerError 400.
 *
 * @accepts `a` `a,b` `"a,b",c`
 * @rejects `` `a,` `,a` `"a` `a"b",`
 */
export function parseNames(text: string, parameter: string): readonly string[] {
  const scanner = new Scanner(text, parameter);
  const names: string[] = [];
  do names.push(scanner.name(',', 'the name of a column'));
  while (scanner.take(','));
  if (!scanner.done) throw scanner.error('expected `,` or the end');
  return [...new Set(names)];
}

/**
 * Throws ServerError 400 for a PATCH or DELETE without a filter. Source: decision 006.
 */
export function checkFiltered({ root }: Tokens, { allowUnfiltered }: WriteRequest): void {
  if (root.conditions.length > 0 || allowUnfiltered) return;
  throw new ServerError(400, codes.refused, 'The request has no filter, so it would write every row of the table.', {
    hint: 'Add a filter, as in ?id=eq.1. app.rest.allow-unfiltered-writes allows requests like this one.',
    reason: { kind: 'unfiltered' },
  });
}

/**
 * The key by which an upsert merges: the client's choice, otherwise the first key whose columns the
 * body gives, or the primary key.
 */
function conflictOf(
  { preferences: { resolution }, special: { onConflict }, table, form }: WriteParts,
  columns: readonly string[],
): OnConflict | undefined {
  const named =
    onConflict === undefined
      ? undefined
      : parseNames(onConflict, 'on_conflict').map((name) => columnNamed(table, name, noColumn(name)));
  const chosen = named === undefined ? {} : { target: { kind: 'columns' as const, columns: named } };
  if (resolution === undefined) return undefined;
  if (form.mergesBy === 'primaryKey' && named === undefined) return byPrimaryKey(table, resolution);
  if (resolution === 'ignore-duplicates') return { ...chosen, action: 'ignore' };
  if (named !== undefined) return { ...chosen, action: 'update' };
  const keys = mergeKeys(table);
  // The database refuses a key that no rows are merged by, and says why.
  const key =
    keys.find((each) => each.columns.every((name) => columns.includes(name))) ?? keys[0] ?? uniqueKeys(table)[0];
  if (key !== undefined) return { target: { kind: 'constraint', name: key.name }, action: 'update' };
  throw malformedParameter(
    'on_conflict',
    `"${table.name}" has no key that rows could be merged by.`,
    'Name the columns of a unique index: ?on_conflict=a,b.',
  );
}

/** Without a primary key nothing merges: the conflict is left to the database. */
function byPrimaryKey(table: Table, resolution: Preferences['resolution']): OnConflict | undefined {
  if (rowKeyOf(table) === undefined) return undefined;
  return { target: keyTarget(table), action: resolution === 'ignore-duplicates' ? 'ignore' : 'update' };
}

/**
 * The value of a missing column: as in PostgREST, NULL if the client names the columns, otherwise
 * DEFAULT. The preference `missing` overrides both.
 */
function keySetsOf(rows: BodyRows, { missing }: Preferences, named: boolean): BodyRows['keySets'] | undefined {
  const byDefault = missing === undefined ? !named : missing === 'default';
  if (!byDefault) return undefined;
  return rows.keySets.length > 1 || rows.keySets[0]?.length !== rows.columns.length ? rows.keySets : undefined;
}

/** `one` if the body is a single object, or if the client asks for a single object. */
export function returningOf(
  { builder, tokens, preferences, table, format, written, form, stripsNulls }: WriteParts,
  single: boolean,
) {
  const as = single || format === 'object' ? ('one' as const) : ('list' as const);
  builder.structure(as);
  const answer = { as, format: written };
  return (registry: Registry): Returning => {
    const { select, orderBy } = readIntent(tokens, table, registry, form);
    if (preferences.return === 'minimal') return answer;
    if (preferences.return === 'headers-only') return { ...answer, keys: true };
    return {
      ...answer,
      select,
      ...(orderBy === undefined ? {} : { orderBy }),
      ...(stripsNulls ? { stripsNulls } : {}),
    };
  };
}

export function whereOf({ tokens, table, form }: WriteParts, registry: Registry): { readonly where?: Filter } {
  const { where }: ReadIntent = readIntent(tokens, table, registry, form);
  return where === undefined ? {} : { where };
}

export function atMostOf({ builder, preferences }: WriteParts): { readonly atMost?: Value } {
  if (preferences.maxAffected === undefined) return {};
  builder.structure('atMost');
  return { atMost: jsonInput(builder.input(preferences.maxAffected)) };
}

export const common = ({
  builder,
  format,
  handler,
  preferences,
  stripsNulls,
}: WriteParts): Pick<RestWrite, 'shape' | 'inputs' | 'format' | 'handler' | 'preferences' | 'stripsNulls'> => ({
  shape: builder.shape,
  inputs: builder.inputs,
  format,
  handler,
  stripsNulls,
  preferences,
});

/** The input with all rows, and an input for each value if the body has one row of scalars. */
function inputValue(
  builder: ShapeBuilder,
  value: unknown,
  { form, cells }: Pick<BodyRows, 'form' | 'cells'>,
): RowsValue {
  const { read } = jsonInput(builder.input(value));
  if (cells === undefined) return { read, form };
  builder.structure('cells');
  const index = builder.input(cells);
  return { read, form, cells: cells.map((_, at) => cellInput(index, at)) };
}

const cellInput = (index: number, at: number): Value => ({
  read: (inputs) => ((inputs as readonly unknown[])[index] as readonly unknown[])[at],
  form: 'text',
});

/** Columns by the database's names, with their keys in the body. */
export const writtenColumns = (table: Table, columns: readonly string[]): readonly WrittenColumn[] =>
  columns.map((column) => ({ column, key: restNameOf(table, column) }));
