import type { OutgoingHttpHeaders } from 'node:http';
import type { RawRow } from '../../../plan/statement.js';
import { ServerError } from '../../../errors.js';
import { isRecord } from '../../../is-record.js';
import type { Answer } from '../../../response/answer.js';
import { headersOfPairs, isStatus } from './given-headers.js';

/** What code of the database says of the answer. */
export interface SaidOfAnswer {
  readonly status: number | undefined;
  /** By name in lower case; a name may occur several times. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/**
 * Reads `response.headers` and `response.status`. Undefined if neither is set. Throws ServerError
 * 500 for a malformed one. Source: PostgREST, "Response Headers", "Response Status Code".
 */
export function saidOfAnswer([headers = null, status = null]: RawRow): SaidOfAnswer | undefined {
  if (headers === null && status === null) return undefined;
  return {
    headers: headers === null ? {} : headersIn(headers),
    status: status === null ? undefined : statusIn(status),
  };
}

function headersIn(text: string): SaidOfAnswer['headers'] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return headersOfPairs(list.map(onlyPair));
  } catch (error) {
    throw malformedHeaders(error);
  }
  throw malformedHeaders();
}

function onlyPair(each: unknown): readonly [name: string, value: unknown] {
  const [pair, ...more] = isRecord(each) ? Object.entries(each) : [];
  if (pair === undefined || more.length > 0) throw new TypeError('not an object with one key');
  return pair;
}

/** The digits at the beginning count. */
function statusIn(text: string): number {
  const status = Number(/^\d+/.exec(text)?.[0] ?? NaN);
  if (isStatus(status)) return status;
  throw new ServerError(500, 'PGRST112', 'response.status guc must be a valid status code');
}

const malformedHeaders = (cause?: unknown): ServerError =>
  new ServerError(
    500,
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    { cause },
  );

/** Replaces what the answer has of these headers, in any case, and its status. */
export function asSaid(answer: Answer, { status, headers }: SaidOfAnswer): Answer {
  const { body, tagged = false, ...rest } = answer;
  const said = {
    ...rest,
    status: status ?? answer.status,
    headers: { ...without(answer.headers, headers), ...headers },
  };
  // The client has not the answer that its tag names where a function decides on the status.
  const read = tagged ? (status === undefined ? { tagged } : { refusable: true }) : {};
  return body === undefined || bodiless.has(said.status) ? { ...said, ...read } : { ...said, ...read, body };
}

const bodiless: ReadonlySet<number> = new Set([204, 304]);

export function without(given: OutgoingHttpHeaders, names: SaidOfAnswer['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !(name.toLowerCase() in names)));
}
