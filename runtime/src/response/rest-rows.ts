import type { OutgoingHttpHeaders } from 'node:http';
import { ServerError, codes } from '../errors.js';
import type { MediaHandler } from '../catalog/catalog.js';
import type { AnswerRow } from '../plan/statement.js';
import type { Answer } from './answer.js';
import { joined } from '../joined.js';

/** What an answer to a list depends on, beside the rows. */
export interface ListAnswer {
  readonly format: 'json' | 'object' | 'csv' | 'geojson';
  /** The aggregate that has written the rows, instead of `format`. */
  readonly handler?: MediaHandler | undefined;
  readonly limit: number;
  readonly offset: number;
  /** The request had a Range. */
  readonly ranged: boolean;
  readonly count: 'none' | 'exact' | 'planned' | 'estimated';
  /** Members that are null are left out. */
  readonly stripsNulls?: boolean;
  /** Honoured preferences, for Preference-Applied. */
  readonly applied: readonly string[];
}

/** Of an answer whose members that are null are left out. */
export const contentTypeOf = (format: ListAnswer['format'], stripsNulls: boolean): string => {
  if (!stripsNulls || (format !== 'json' && format !== 'object')) return contentTypes[format];
  const type = format === 'json' ? 'application/vnd.pgrst.array+json' : 'application/vnd.pgrst.object+json';
  return `${type};nulls=stripped; charset=utf-8`;
};

export const contentTypes = {
  json: 'application/json; charset=utf-8',
  object: 'application/vnd.pgrst.object+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
} as const;

/**
 * The answer to a list, around the text that the database wrote: rows are never parsed. `rows` is
 * what a RowsIntent answers: one row of the array's text, how many are in it, the total or null.
 * Throws ServerError 416 for a range past the end, 406 for a single object that is not single.
 * Source: decision 006.
 */
export function listAnswer(rows: readonly AnswerRow[], options: ListAnswer): Answer {
  const [text, length, count] = rows[0] ?? [];
  const shown = Number(length ?? 0);
  const total = count === null || count === undefined ? undefined : Number(count);
  if (options.ranged && total !== undefined && options.offset > 0 && options.offset >= total)
    throw pastTheEnd(options.offset, total);
  return {
    status: options.ranged ? 206 : 200,
    headers: listHeaders(options, shown, total),
    body: listBody(text ?? '', shown, total, options),
    tagged: true,
  };
}

function listHeaders(options: ListAnswer, shown: number, total: number | undefined): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'content-type': contentTypes[options.format] };
  if (options.ranged || options.count !== 'none') headers['content-range'] = contentRange(options.offset, shown, total);
  if (options.applied.length > 0) headers['preference-applied'] = options.applied.join(', ');
  return headers;
}

/** `0-9/100`; an empty page is `*` and an unknown total too. Source: decision 006. */
export function contentRange(offset: number, shown: number, total: number | undefined): string {
  const range = shown === 0 ? '*' : `${String(offset)}-${String(offset + shown - 1)}`;
  return `${range}/${String(total ?? '*')}`;
}

function listBody(
  text: string | Buffer,
  shown: number,
  total: number | undefined,
  options: ListAnswer,
): string | Buffer {
  if (options.format === 'csv') return text;
  if (options.format === 'object') return onlyObject(text, shown);
  const { limit, offset } = options;
  const page = `{"limit":${String(limit)},"offset":${String(offset)},"total":${String(total ?? 'null')}}`;
  return joined('{"data":', text, `,"pagination":${page}}`);
}

/**
 * The only object in the text of an array: the text between the brackets. MariaDB's lists end with
 * blanks.
 */
export function onlyObject(array: string | Buffer, shown: number): string {
  if (shown === 1) return array.toString().trimEnd().slice(1, -1).trim();
  throw notOneRow(shown);
}

export const notOneRow = (rows: number): ServerError =>
  new ServerError(406, codes.notAcceptable, 'A single object was asked for, and the answer is not one row.', {
    details: `The answer has ${String(rows)} rows.`,
    reason: { kind: 'notOneRow', rows },
    hint: 'Filter by a key, or accept application/json.',
  });

export const pastTheEnd = (offset: number, total: number): ServerError =>
  new ServerError(416, codes.rangeNotSatisfiable, 'The range begins after the last row.', {
    details: `There are ${String(total)} rows.`,
    headers: { 'content-range': `*/${String(total)}` },
    reason: { kind: 'pastTheEnd', offset, total },
  });
