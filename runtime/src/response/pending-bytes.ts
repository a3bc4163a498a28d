import type { ServerResponse } from 'node:http';
import { ServerError, codes } from '../errors.js';

/**
 * A connection takes about as many bytes without its client: shorter answers are never refused, so
 * that slow clients do not concern others.
 */
const ALWAYS_SENT = 16_384;

/**
 * The answers that clients have not read yet, and their total size, which has a limit for the whole
 * process.
 */
export class PendingBytes {
  readonly #waiting = new Set<ServerResponse>();

  constructor(private readonly most: number) {}

  /**
   * Throws ServerError 503 if an answer of this size would exceed the limit. Only long answers are
   * counted against those that wait.
   */
  check(bytes: number): void {
    if (bytes <= ALWAYS_SENT) return;
    let sum = bytes;
    for (const response of this.#waiting) {
      // A pipelined answer whose connection is lost is never told so: it is found here.
      if (response.writableFinished || response.req.socket.destroyed) this.#waiting.delete(response);
      else sum += response.writableLength;
    }
    if (sum > this.most) throw tooMuchWaits();
  }

  /**
   * Counts an answer that was sent, for as long as its client has not taken it. Most have been
   * taken by the system at once.
   */
  add(response: ServerResponse): void {
    if (response.writableLength === 0 || response.req.socket.destroyed) return;
    this.#waiting.add(response);
    response.once('close', () => this.#waiting.delete(response));
  }
}

const tooMuchWaits = (): ServerError =>
  new ServerError(503, codes.unavailable, 'The server is busy: other clients have yet to take their answers.', {
    hint: 'Try again in a moment, or ask for fewer rows. The ceiling is app.limits.pending-response-bytes.',
    headers: { 'retry-after': '1' },
  });
