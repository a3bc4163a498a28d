import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Headers that code of the database gives an answer, by their names in lower case. */
export type GivenHeaders = Readonly<Record<string, string | string[]>>;

/** Node writes these itself: another value would break the connection. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive']);

/** A name may occur several times. Throws TypeError for a header that cannot be sent. */
export function headersOfPairs(pairs: Iterable<readonly [name: string, value: unknown]>): GivenHeaders {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    if (typeof value !== 'string') throw new TypeError('the value of a header is a text');
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const key = name.toLowerCase();
    const former = headers[key];
    if (!framing.has(key)) headers[key] = former === undefined ? value : [former, value].flat();
  }
  return headers;
}

/** Whether an answer can have it: an informational one would not end the request. */
export const isStatus = (status: unknown): status is number =>
  typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 999;

/** A reason phrase that can be sent; undefined for another text. Source: RFC 9112, 4. */
export const phraseOf = (text: string): string | undefined =>
  text !== '' && /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : undefined;
