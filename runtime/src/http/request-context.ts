import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CancelSignal } from '../cancel-signal.js';
import { ClientDisconnect } from './client-disconnect.js';

/** Facts about a request that its handler gets beside the request itself. */
export interface RequestContext {
  /**
   * The client's X-Request-Id if it consists of plain characters, otherwise a new identifier. The
   * answer and the log contain it.
   */
  readonly id: string;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: CancelSignal;
  /** The time at which the server began to handle the request, from `performance.now()`. */
  readonly start: number;
  /** The request has failed once, because the database had changed, and runs a second time. */
  readonly isRepeated?: true;
}

/** A handler of the data plane. It answers every request and never rejects. */
export type DataHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => Promise<void>;

const plainId = /^[\w.:-]{1,128}$/;

/** Begins a request: chooses its identifier, and watches its connection. */
export function beginRequest(request: IncomingMessage, response: ServerResponse): RequestContext {
  const id = requestId(request);
  const disconnect = new ClientDisconnect();
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort();
  });
  return { id, signal: disconnect, start: performance.now() };
}

/** The client's X-Request-Id if it consists of plain characters, otherwise a new identifier. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && plainId.test(given) ? given : randomUUID();
}
