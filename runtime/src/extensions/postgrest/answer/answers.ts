import type { OutgoingHttpHeaders } from 'node:http';
import { restNameOf } from '../../../descriptor/registry.js';
import { shownKeyOf } from '../../../descriptor/unique-keys.js';
import type { MediaHandler } from '../../../catalog/catalog.js';
import type { AnswerRow } from '../../../plan/statement.js';
import { noFeatures } from '../../../plan/read/format.js';
import type { Settings } from '../../../settings/settings.js';
import type { Answer } from '../../../response/answer.js';
import type { RestAnswers, WrittenAnswer } from '../../../response/rest-answers.js';
import { contentRange, contentTypeOf, onlyObject, pastTheEnd, type ListAnswer } from '../../../response/rest-rows.js';
import { addressed } from '../../../response/rest-written.js';
import { appliedHeader, appliedTo } from './applied.js';
import { postgrestError } from './error.js';

/**
 * PostgREST's answers: bare arrays, counts in Content-Range, PostgREST's statuses.
 * Source: PostgREST, "Tables and Views", "Pagination and Count", "Prefer Header".
 * @param path the path of its mount, for `Location`
 * @param verbosity whether errors have details and hints
 */
export const postgrestAnswers = (
  path: string,
  verbosity: Settings['app.rest.client-error-verbosity'],
): RestAnswers => ({
  list,
  written: (answer) => written(answer, path),
  error: (error, request) => postgrestError(error, request, verbosity === 'minimal'),
  stages: { identify: 'jwt', database: 'transaction', answer: 'response' },
  appliedToRead: (preferences) => appliedTo('read', preferences),
});

function list(rows: readonly AnswerRow[], options: ListAnswer): Answer {
  const [text, length, count] = rows[0] ?? [];
  const { offset, applied } = options;
  const shown = Number(length ?? 0);
  const total = count === null || count === undefined ? undefined : Number(count);
  const headers = {
    'content-type': typeOf(options),
    'content-range': contentRange(offset, shown, total),
    ...appliedHeader(applied),
  };
  if (total !== undefined && offset > total) {
    // The statement has succeeded: only the status and the body are those of an error.
    const { body = '' } = postgrestError(pastTheEnd(offset, total), { method: 'GET', isAnonymous: true });
    return { status: 416, headers, body };
  }
  return {
    status: total !== undefined && shown < total ? 206 : 200,
    headers,
    body: bodyOf(text ?? '', shown, options),
    tagged: true,
  };
}

function bodyOf(text: string | Buffer, shown: number, { format, handler }: ListAnswer): string | Buffer {
  if (handler !== undefined) return handledBody(handler, text);
  return format === 'object' ? onlyObject(text, shown) : text;
}

const handledBody = ({ isBinary }: MediaHandler, text: string | Buffer): string | Buffer =>
  isBinary === true ? Buffer.from(text.toString(), 'hex') : text;

const typeOf = ({
  handler,
  format,
  stripsNulls = false,
}: Pick<ListAnswer, 'handler' | 'format' | 'stripsNulls'>): string =>
  handler === undefined ? contentTypeOf(format, stripsNulls) : handledType(handler);

const handledType = ({ media }: MediaHandler): string =>
  media === '*/*' ? 'application/octet-stream' : rawContentType(media);

/**
 * `Content-Type` of what the database has written: the types that PostgREST itself knows, except
 * that of bytes, have a charset.
 */
export const rawContentType = (media: string): string => (charsets.has(media) ? `${media}; charset=utf-8` : media);

const charsets: ReadonlySet<string> = new Set([
  ...['application/json', 'application/geo+json', 'application/openapi+json'],
  ...['text/csv', 'text/plain', 'text/xml'],
]);

function written(answer: WrittenAnswer, path: string): Answer {
  const { kind, preferences, format, handler, written: done } = answer;
  // Only an upsert tells that it found every row.
  const isOnlyMerged = preferences.resolution === 'merge-duplicates' && done.created === 0;
  const status = kind === 'insert' && !isOnlyMerged ? 201 : answer.status;
  const headers: OutgoingHttpHeaders = appliedHeader(appliedTo(kind, preferences, answer.merges));
  if (kind !== 'replace') headers['content-range'] = rangeOf(answer);
  if (preferences.return === 'headers-only' && kind === 'insert') Object.assign(headers, locationOf(answer, path));
  if (preferences.return !== 'representation') {
    return kind === 'insert' ? { status, headers, body: '' } : { status: 204, headers };
  }
  const body = handler === undefined ? (done.text ?? nothingIn[format]) : handledBody(handler, done.text ?? '');
  return { status, headers: { 'content-type': typeOf(answer), ...headers }, body };
}

/** Only an update tells which of its rows it answers. */
function rangeOf({ kind, preferences, written: { affected } }: WrittenAnswer): string {
  // Nothing is planned for a write.
  const total = preferences.count === 'exact' || preferences.count === 'estimated' ? affected : undefined;
  return kind === 'update' ? contentRange(0, affected, total) : `*/${String(total ?? '*')}`;
}

/** Of one row: `/rest/v1/issues?id=eq.7`. */
function locationOf({ table, written: { keys = [] } }: WrittenAnswer, path: string): OutgoingHttpHeaders {
  const columns = shownKeyOf(table) ?? [];
  const [key] = keys;
  if (key === undefined || keys.length !== 1 || columns.length === 0) return {};
  const filters = columns.map(
    (column, at) => `${encodeURIComponent(restNameOf(table, column))}=${filterOf(key[at] ?? null)}`,
  );
  return addressed('location', `${path}/${encodeURIComponent(table.name)}?${filters.join('&')}`);
}

const filterOf = (value: string | null): string => (value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`);

/** What an answer without rows is. */
const nothingIn: Readonly<Record<WrittenAnswer['format'], string>> = {
  json: '[]',
  object: 'null',
  csv: '',
  geojson: noFeatures,
};
