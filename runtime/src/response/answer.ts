import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Coding } from './content-coding.js';

/** An HTTP answer. The body is text as the database wrote it, or nothing at all. */
export interface Answer {
  readonly status: number;
  /** The reason phrase. Default: that of the status. */
  readonly phrase?: string | undefined;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** The body in a coding, where it is kept compressed. */
  readonly compressed?: (coding: Coding) => Promise<Buffer>;
  /** The result of a read: it gets an entity tag, and a client that has it already gets 304. */
  readonly tagged?: boolean;
  /**
   * Nothing was written for it: it may be refused for its length, and asked for again. So may a
   * tagged one.
   */
  readonly refusable?: boolean;
}

/**
 * The path that the server is mounted below, which the address of the request does not have any
 * more; empty where it has the whole address. Express calls it so, and sets it for
 * `app.use('/data', server.handler)`.
 * Source: https://expressjs.com/en/5x/api.html#req.baseUrl
 */
export const basePathOf = ({ baseUrl = '' }: IncomingMessage & { readonly baseUrl?: string }): string => baseUrl;

/**
 * A description of an API for clients that see it below another path.
 * @param document JSON, in which the first text that equals `path` says where the API is
 */
export const describedBelow = (base: string, document: Buffer, path: string): Buffer =>
  base === ''
    ? document
    : Buffer.from(document.toString().replace(JSON.stringify(path), () => JSON.stringify(base + path)));

/** Headers that say where something is, from the root of what the server has. */
const ofPlaces: ReadonlySet<string> = new Set(['location', 'content-location']);

/**
 * Sends an answer with its length; for HEAD everything but the body. A closed response is ignored:
 * the client has left. A `Vary` that was set before, as for CORS, is added to. Headers are given to
 * Node as a list: merging objects costs more than sending them.
 * Source: RFC 9110, 8.6, 9.3.2, 12.5.5.
 * @param common headers that other answers have too; a header is in one of the three
 * @param form headers about the form that the body is sent in
 */
export function send(
  response: ServerResponse,
  { status, phrase, headers, body }: Answer,
  head: boolean,
  common?: OutgoingHttpHeaders,
  form?: OutgoingHttpHeaders,
): void {
  if (response.headersSent || response.destroyed) return;
  const vary = response.getHeader('vary');
  const base = basePathOf(response.req);
  const fields: OutgoingHttpHeader[] = ['x-content-type-options', 'nosniff'];
  for (const group of [headers, common, form]) {
    for (const name in group) {
      const value = group[name];
      if (value === undefined) continue;
      if (name === 'vary' && vary !== undefined) fields.push(name, `${String(value)}, ${String(vary)}`);
      else fields.push(name, base !== '' && ofPlaces.has(name) ? base + String(value) : value);
    }
  }
  if (body !== undefined) fields.push('content-length', Buffer.byteLength(body));
  if (phrase === undefined) response.writeHead(status, fields);
  else response.writeHead(status, phrase, fields);
  if (body === undefined || head) response.end();
  else response.end(body);
}
