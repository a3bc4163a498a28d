import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** An HTTP answer. The body is text as the database wrote it, or nothing at all. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/**
 * Sends an answer with its length; for HEAD everything but the body. What is gone already is left alone: the client has left.
 * Source: RFC 9110, 8.6, 9.3.2.
 */
export function send(response: ServerResponse, answer: Answer, head: boolean): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, body } = answer;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  if (head) response.end();
  else response.end(body);
}
