import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CancelSignal } from '../dialect/driver.js';
import { ClientDisconnect } from './client-disconnect.js';

/** What a handler of the data plane knows of a request beside the request itself. */
export interface RequestContext {
  /** The client's X-Request-Id where it is a plain one, otherwise a new one. It goes into the answer and the log. */
  readonly id: string;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: CancelSignal;
  /** When the request was taken up, as `performance.now()`. */
  readonly start: number;
  /** The request failed over another state of the database. */
  readonly isRepeated?: true;
}

/** A handler of the data plane. It answers every request and never rejects. */
export type DataHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => Promise<void>;

const plainId = /^[\w.:-]{1,128}$/;

/** Begins a request: takes or makes its id, and watches the connection. */
export function beginRequest(request: IncomingMessage, response: ServerResponse): RequestContext {
  const id = requestId(request);
  const disconnect = new ClientDisconnect();
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort();
  });
  return { id, signal: disconnect, start: performance.now() };
}

/** The client's X-Request-Id where it is a plain one, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && plainId.test(given) ? given : randomUUID();
}
