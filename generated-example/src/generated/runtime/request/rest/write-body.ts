import { parse as parseLossless } from 'lossless-json';
import { ServerError, codes } from '../../errors.js';
import { exactNumber, hasPlainNumbers, mayLoseDigits } from '../../exact-number.js';
import type { Kind } from '../../descriptor.js';
import { unknownColumn } from '../../plan/refuse.js';
import type { Table } from '../../registry.js';
import { parseCsv } from './write-csv.js';
import { malformedBody } from './write-malformed.js';
import { scanRows } from './write-scan.js';

/** Rows of a body. */
export interface BodyRows {
  /** The body was one object, not a list. */
  readonly single: boolean;
  readonly count: number;
  /** The union of the columns of all rows, or those that `columns` names. */
  readonly columns: readonly string[];
  /** The different sets of columns that rows have. */
  readonly keySets: readonly (readonly string[])[];
  /** `text`: the client's own JSON, a list, which the database reads as it is. `json`: parsed, to be encoded by type. */
  readonly form: 'text' | 'json';
  readonly value: unknown;
  /** The texts of the one row's values, in the order of `columns`, where that is all that there is to it. */
  readonly cells?: readonly (string | null)[];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The rows of a body of JSON (an object, or a list of objects) or CSV. Everything is looked at once: names, and whether the database reads each
 * value as we would; then the text goes to it as it came, digits and all. With the form `json` it is parsed in any case.
 * Throws ServerError 400 for what is malformed and for unknown columns, 415 for another media type. Source: contract 4.1, 7.1; decisions 6.
 */
export function readRows(
  contentType: string | undefined,
  body: Buffer,
  table: Table,
  columns: readonly string[] | undefined,
  form: 'any' | 'json' = 'any',
): BodyRows {
  for (const name of columns ?? []) if (!table.byName.has(name)) throw unknownColumn(name, table);
  const media = mediaType(contentType);
  const text = decode(body);
  return media === 'csv' ? csvRows(text, table, columns) : jsonRows(text, table, columns, form);
}

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

function jsonRows(text: string, table: Table, columns: readonly string[] | undefined, form: 'any' | 'json'): BodyRows {
  const isLong = text.length >= fewestScanned;
  const isScannable = form === 'any' && columns === undefined;
  const scanned = isScannable && isLong ? scanRows(text, table) : undefined;
  if (scanned !== undefined) {
    return { single: false, ...scanned, keySets: [scanned.columns], form: 'text', value: text };
  }
  const { rows, single } = rowsOf(parseJson(text, JSON.parse));
  const survey = surveyRows(rows, table, columns);
  const common = { single, count: rows.length, columns: survey.columns, keySets: survey.keySets };
  // PostgreSQL's text has no NUL; the encoding says so better than the database would.
  if (form === 'any' && survey.plain && !text.includes('\\u0000')) {
    if (!single) return { form: 'text', value: text, ...common };
    const cells = columns === undefined ? cellsOf(rows[0] ?? {}, text, table) : undefined;
    return { form: 'text', value: `[${text}]`, ...(cells === undefined ? {} : { cells }), ...common };
  }
  const exact = mayLoseDigits(text)
    ? rowsOf(parseJson(text, (json) => parseLossless(json, undefined, exactNumber))).rows
    : rows;
  return { form: 'json', value: exact, ...common };
}

/**
 * The values of a row as the database takes each of them as a parameter, which is less work for it than to read them out of JSON. Undefined
 * where that would not be the same: for JSON and lists, and where the text of a number, or half a character, would be lost.
 */
function cellsOf(row: Row, text: string, table: Table): readonly (string | null)[] | undefined {
  if (!hasPlainNumbers(text) || surrogate.test(text)) return undefined;
  const cells: (string | null)[] = [];
  for (const name of Object.keys(row)) {
    const value = row[name];
    if (value === null) cells.push(null);
    else if (typeof value === 'string' && !isJson(table.byName.get(name)?.type.kind)) cells.push(value);
    else if (typeof value === 'number' || typeof value === 'boolean') cells.push(String(value));
    else return undefined;
  }
  return cells;
}

const surrogate = /\\u[dD][89a-fA-F]/;

/** For a short text the parser is as good as the expressions that a scan has to have compiled first. */
const fewestScanned = 10_000;

function parseJson(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw malformedBody('The body is nested too deeply.');
    throw malformedBody('The body is not JSON.', 'Send an object with a member for each column, or a list of those.');
  }
}

function rowsOf(parsed: unknown): { readonly rows: readonly Row[]; readonly single: boolean } {
  const single = !Array.isArray(parsed);
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (list.every(isRow)) return { rows: list, single };
  throw malformedBody(
    'The body has to be a JSON object, or a list of objects.',
    'Its members are columns: {"name": "Ada"}.',
  );
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

function csvRows(text: string, table: Table, columns: readonly string[] | undefined): BodyRows {
  const rows = parseCsv(text);
  const survey = surveyRows(rows, table, columns);
  const json = new Set(table.columns.filter(({ type }) => isJson(type.kind)).map(({ name }) => name));
  const value = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, json.has(name) && cell !== null ? jsonCell(cell, name) : cell]),
    ),
  );
  return { single: false, count: rows.length, columns: survey.columns, keySets: survey.keySets, form: 'json', value };
}

function jsonCell(cell: string, name: string): unknown {
  try {
    return parseLossless(cell, undefined, exactNumber);
  } catch {
    throw malformedBody(`Column "${name}": the value is not JSON.`);
  }
}

interface Survey {
  readonly columns: readonly string[];
  readonly keySets: readonly (readonly string[])[];
  readonly plain: boolean;
}

/** Names and values of every row. Rows that look like the one before cost no more than their values. */
function surveyRows(rows: readonly Row[], table: Table, columns: readonly string[] | undefined): Survey {
  const wanted = columns === undefined ? undefined : new Set(columns);
  const union = new Set<string>();
  const sets = new Map<string, readonly string[]>();
  let plain = true;
  for (const row of rows) {
    const names: string[] = [];
    for (const name of Object.keys(row)) {
      if (wanted?.has(name) === false) continue;
      const column = table.byName.get(name);
      if (column === undefined) throw unknownColumn(name, table);
      names.push(name);
      plain &&= readsAlike(column.type, row[name]);
    }
    const id = names.join('\0');
    if (sets.has(id)) continue;
    sets.set(id, names);
    for (const name of names) union.add(name);
  }
  return { columns: columns ?? [...union], keySets: [...sets.values()], plain };
}

/** Whether `json_to_recordset` makes the same of a value as our encoding does. */
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
const isSimple = (kind: Kind | undefined): boolean =>
  kind !== undefined &&
  !isJson(kind) &&
  kind !== 'range' &&
  kind !== 'composite' &&
  kind !== 'vector' &&
  kind !== 'array';
