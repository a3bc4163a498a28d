import { ArrayLiteral } from '../../../array-literal.js';
import { ServerError, codes } from '../../../errors.js';
import { hasPlainNumbers, mayLoseDigits, parseExact, parseKept } from '../../../exact-number.js';
import { halfOfPair, hasWellFormedTexts } from '../../../well-formed.js';
import type { ColumnDescriptor, Kind } from '../../../descriptor/descriptor.js';
import { unknownColumn } from '../../../plan/refuse.js';
import { writtenOf, type Table } from '../../../descriptor/registry.js';
import { parseCsv } from './csv.js';
import { parseParameters } from '../grammar/parameters.js';
import type { RestGrammar } from '../grammar/rest-grammar.js';
import { columnNamed } from '../read/rest-column.js';
import { malformedBody, notJson } from './malformed.js';
import { ownWrites, type WriteForm } from './write-form.js';
import { isRecord } from '../../../is-record.js';

/** The rows of a body. */
export interface BodyRows {
  /** The body was one object, not a list. */
  readonly single: boolean;
  readonly count: number;
  /** The columns of all rows, or those that `columns` names; by the database's names. */
  readonly columns: readonly string[];
  /** The different sets of columns that rows have; by the database's names. */
  readonly keySets: readonly (readonly string[])[];
  /**
   * `text`: the client's JSON list, unchanged, for the database to read. `json`: the parsed list,
   * to be encoded by type.
   */
  readonly form: 'text' | 'json';
  readonly value: unknown;
  /**
   * The texts of the values of a single row, in the order of `columns`, if each value fits into a
   * text parameter.
   */
  readonly cells?: readonly (string | null)[];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads the rows of a body in JSON (an object, or a list of objects), CSV or a form. One pass
 * checks the names, and whether the database reads each value as the runtime's encoding does; in
 * that case the database gets the client's text, with all its digits. As `json` they are always
 * parsed.
 * Throws ServerError 400 for a malformed body and for unknown columns, 415 for another media type.
 * Source: decision 006.
 */
export function readRows(
  contentType: string | undefined,
  body: Buffer,
  read: Table,
  { columns, as = 'any', form = ownWrites }: RowsReading,
): BodyRows {
  const table = writtenOf(read);
  for (const name of columns ?? []) checkMember(table, name);
  if (form.urlencodedBodies === 'oneRow' && isUrlencoded(contentType))
    return textRows([urlencodedRow(decode(body), form.grammar)], table, columns);
  const media = mediaType(contentType);
  const text = decode(body);
  return media === 'csv' ? textRows(parseCsv(text), table, columns) : jsonRows(text, table, columns, { as, form });
}

/** How rows are read. */
interface RowsReading {
  /** The columns that the URL names. */
  readonly columns?: readonly string[] | undefined;
  readonly as?: 'any' | 'json';
  readonly form?: WriteForm | undefined;
}

const isUrlencoded = (contentType: string | undefined): boolean =>
  /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');

const urlencodedRow = (text: string, grammar: RestGrammar): Readonly<Record<string, string>> =>
  Object.fromEntries(parseParameters(text, grammar).map(({ name, value }) => [name, value]));

/**
 * Reads a JSON body that is one object, with every digit of its numbers. An empty body is an object
 * without members.
 */
export function readObject(contentType: string | undefined, body: Buffer): Row {
  if (body.length === 0) return {};
  if (mediaType(contentType) === 'csv') throw malformedBody('The body has to be a JSON object.');
  const text = decode(body);
  const parsed = parseJson(text, mayLoseDigits(text) ? parseExact : JSON.parse);
  if (isRow(parsed)) return parsed;
  throw malformedBody('The body has to be a JSON object.', 'Its members are arguments: {"term": "a"}.');
}

/**
 * Reads a JSON body, with every digit of its numbers; undefined for CSV. Throws ServerError 400 and
 * 415 as readRows does.
 */
export function readJson(contentType: string | undefined, body: Buffer): unknown {
  if (mediaType(contentType) === 'csv') return undefined;
  const text = decode(body);
  return parseJson(text, mayLoseDigits(text) ? parseExact : JSON.parse);
}

function checkMember(table: Table, name: string): void {
  if (!table.byRestName.has(name)) throw unknownColumn(name, table, { kind: 'unknownMember', table: table.name, name });
}

/** The text of a body. Throws ServerError 400 if it is not UTF-8. */
export const readText = (body: Buffer): string => decode(body);

function mediaType(header: string | undefined): 'json' | 'csv' {
  if (header === 'application/json') return 'json';
  const [type = '', ...parameters] = (header ?? 'application/json').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith('charset='))?.slice('charset='.length);
  const readable = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (readable && (type === 'application/json' || /^application\/vnd\.pgrst\.(object|array)(\+json)?$/.test(type)))
    return 'json';
  if (readable && type === 'text/csv') return 'csv';
  throw new ServerError(415, codes.malformedBody, 'The body has to be JSON or CSV, in UTF-8.', {
    hint: 'Send the header Content-Type: application/json, or text/csv.',
    reason: { kind: 'bodyType', type },
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw malformedBody('The body is not UTF-8.');
  }
}

function jsonRows(
  text: string,
  table: Table,
  columns: readonly string[] | undefined,
  { as, form }: { readonly as: 'any' | 'json'; readonly form: WriteForm },
): BodyRows {
  const { rows, single } = rowsOf(parseJson(text, JSON.parse), form);
  const survey = surveyRows(rows, table, columns);
  const common = { single, count: rows.length, columns: survey.columns, keySets: survey.keySets };
  // A text of PostgreSQL cannot contain NUL. The runtime's encoding reports it with a clearer error
  // than the database.
  const asText = as === 'any' && survey.plain && !text.includes('\\u0000');
  const given = asText && single && columns === undefined ? cellsOf(rows[0] ?? {}, text, table) : undefined;
  const cells = given === undefined ? {} : { cells: given };
  if (asText && !survey.renamed) return { form: 'text', value: single ? `[${text}]` : text, ...cells, ...common };
  const exact =
    mayLoseDigits(text) || table.columns.some(({ type }) => mayHoldJson(type))
      ? rowsOf(parseJson(text, parseKept), form).rows
      : rows;
  return { form: 'json', value: exact, ...cells, ...common };
}

/**
 * The values of a row as text parameters, which the database reads with less work than a JSON
 * document. Undefined if the result could differ: for JSON and lists, for numbers that would lose
 * digits, and for half of a surrogate pair.
 */
function cellsOf(row: Row, text: string, table: Table): readonly (string | null)[] | undefined {
  if (!hasPlainNumbers(text) || surrogate.test(text)) return undefined;
  const cells: (string | null)[] = [];
  for (const name of Object.keys(row)) {
    const value = row[name];
    if (value === null) cells.push(null);
    else if (typeof value === 'string' && !takesJson(table.byRestName.get(name))) cells.push(value);
    else if (typeof value === 'number' || typeof value === 'boolean') cells.push(String(value));
    else return undefined;
  }
  return cells;
}

/** A text is not the JSON of it. */
const takesJson = (column: ColumnDescriptor | undefined): boolean =>
  isJson(column?.type.kind) || column?.representation?.fromJson !== undefined;

const surrogate = /\\u[dD][89a-fA-F]/;

function parseJson(text: string, parse: (text: string) => unknown): unknown {
  const parsed = parsedBy(parse, text);
  if (!hasWellFormedTexts(text)) throw malformedBody(halfOfPair.message, halfOfPair.hint);
  return parsed;
}

function parsedBy(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw malformedBody('The body is nested too deeply.');
    throw malformedBody(
      'The body is not JSON.',
      'Send an object with a member for each column, or a list of those.',
      notJson,
    );
  }
}

function rowsOf(
  parsed: unknown,
  { scalarBodies }: WriteForm,
): { readonly rows: readonly Row[]; readonly single: boolean } {
  if (scalarBodies === 'noRows' && !(typeof parsed === 'object' && parsed !== null)) return { rows: [], single: false };
  const single = !Array.isArray(parsed);
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (list.every(isRow)) return { rows: list, single };
  throw malformedBody(
    'The body has to be a JSON object, or a list of objects.',
    'Its members are columns: {"name": "Ada"}.',
    { kind: 'body', problem: 'keys' },
  );
}

const isRow = (value: unknown): value is Row => isRecord(value);

/** Rows whose values are texts. */
function textRows(
  rows: readonly Readonly<Record<string, string | null>>[],
  table: Table,
  columns: readonly string[] | undefined,
): BodyRows {
  const survey = surveyRows(rows, table, columns);
  const readers = new Map<string, (cell: string) => unknown>();
  for (const [name, { type }] of table.byRestName) {
    if (isJson(type.kind)) readers.set(name, (cell) => jsonCell(cell, name));
    if (type.kind === 'array' && isJson(type.element?.kind)) readers.set(name, (cell) => new ArrayLiteral(cell));
  }
  const valueOf = (name: string, cell: string | null): unknown => {
    const read = readers.get(name);
    return cell === null || read === undefined ? cell : read(cell);
  };
  const value = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, valueOf(name, cell)])),
  );
  return { single: false, count: rows.length, columns: survey.columns, keySets: survey.keySets, form: 'json', value };
}

function jsonCell(cell: string, name: string): unknown {
  try {
    if (hasWellFormedTexts(cell)) return parseKept(cell);
  } catch {
    throw malformedBody(`Column "${name}": the value is not JSON.`);
  }
  throw malformedBody(`Column "${name}": ${halfOfPair.message}`, halfOfPair.hint);
}

interface Survey {
  readonly columns: readonly string[];
  readonly keySets: readonly (readonly string[])[];
  readonly plain: boolean;
  /** At least one column has a name in REST that differs from its name in the database. */
  readonly renamed: boolean;
}

/**
 * Checks names and values of every row. A row with the same columns as the row before costs only
 * the check of its values.
 */
function surveyRows(rows: readonly Row[], table: Table, columns: readonly string[] | undefined): Survey {
  const wanted = columns === undefined ? undefined : new Set(columns);
  const sets = new Map<string, readonly string[]>();
  let layout = emptyLayout;
  let plain = true;
  let renamed = false;
  for (const row of rows) {
    if (!hasLayout(row, layout)) {
      layout = layoutOf(row, table, wanted);
      const known = layout.columns.map(({ column }) => column);
      sets.set(known.join('\0'), known);
      renamed ||= layout.columns.some(({ key, column }) => key !== column);
    }
    for (const { key, type } of layout.columns) plain &&= readsAlike(type, row[key]);
  }
  const keySets = [...sets.values()];
  const named = columns?.map((name) => columnNamed(table, name));
  return { columns: named ?? [...new Set(keySets.flat())], keySets, plain, renamed };
}

/** The members of a row, and the columns of the members to write. */
interface Layout {
  readonly names: readonly string[];
  readonly columns: readonly {
    readonly key: string;
    readonly column: string;
    readonly type: Table['columns'][number]['type'];
  }[];
}

const emptyLayout: Layout = { names: [''], columns: [] };

function hasLayout(row: Row, { names }: Layout): boolean {
  let at = 0;
  // Parsed rows have no inherited members, so `for in` is safe. It creates no list of names, and
  // takes a tenth of the time.
  for (const name in row) if (name !== names[at++]) return false;
  return at === names.length;
}

function layoutOf(row: Row, table: Table, wanted: ReadonlySet<string> | undefined): Layout {
  const names = Object.keys(row);
  const columns = names
    .filter((name) => wanted?.has(name) !== false)
    .map((key) => {
      const column = table.byRestName.get(key);
      if (column === undefined)
        throw unknownColumn(key, table, { kind: 'unknownMember', table: table.name, name: key });
      return { key, column: column.name, type: column.type };
    });
  return { names, columns };
}

/** Whether `json_to_recordset` reads a value as the runtime's encoding does. */
function readsAlike({ kind, dimension, element }: Table['columns'][number]['type'], value: unknown): boolean {
  if (value === null || isJson(kind)) return true;
  switch (kind) {
    case 'range':
    case 'composite':
      return false;
    case 'vector':
      return (
        isList(value) &&
        (dimension === undefined || value.length === dimension) &&
        value.length > 0 &&
        value.every(Number.isFinite)
      );
    case 'array':
      return (
        isList(value) && isSimple(element?.kind) && value.every((each) => typeof each !== 'object' || each === null)
      );
    default:
      return typeof value !== 'object';
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isJson = (kind: Kind | undefined): boolean => kind === 'json' || kind === 'jsonb';
const mayHoldJson = ({ kind, element }: ColumnDescriptor['type']): boolean =>
  kind === 'json' || kind === 'composite' || (element !== undefined && mayHoldJson(element));
const isSimple = (kind: Kind | undefined): boolean =>
  kind !== undefined &&
  !isJson(kind) &&
  kind !== 'range' &&
  kind !== 'composite' &&
  kind !== 'vector' &&
  kind !== 'array';
