import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AnswerSocket } from './answer-socket.js';

/** What a host knows of a request that the request does not say. */
export interface FetchOptions {
  /**
   * The address of the client, for limits by address (`app.limits.rates`). Without it, and without
   * `X-Forwarded-For` from a trusted proxy, all clients count as one.
   */
  readonly remoteAddress?: string | undefined;
}

/** The listener of a server of Node.js. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers a request of the Fetch standard by a listener of Node.js. Both bodies are streams that
 * wait for their reader. Where the request is aborted, or the body of the answer is cancelled, the
 * listener sees a client that goes away. Rejects with the reason of the abort.
 * Source: https://fetch.spec.whatwg.org/
 */
export async function answerFetch(
  listener: Listener,
  given: Request,
  { remoteAddress }: FetchOptions = {},
): Promise<Response> {
  const { signal } = given;
  signal.throwIfAborted();
  const socket = new AnswerSocket(given.method, remoteAddress, given.url.startsWith('https:'));
  const request = new FetchedRequest(given, socket as unknown as Socket);
  const response = new ServerResponse(request);
  // The body ends with the connection: a `Response` has its own framing.
  response.useChunkedEncodingByDefault = false;
  response.assignSocket(socket as unknown as Socket);
  response.once('finish', () => socket.end());
  socket.on('drain', () => response.emit('drain'));
  const abort = (): void => {
    socket.destroy(signal.reason as Error);
  };
  signal.addEventListener('abort', abort, { once: true });
  socket.once('close', () => {
    signal.removeEventListener('abort', abort);
    request.destroy();
  });
  listener(request, response);
  return socket.answer;
}

/** A request of the Fetch standard in the form of Node.js. */
class FetchedRequest extends IncomingMessage {
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor({ url, method, headers, body }: Request, socket: Socket) {
    super(socket);
    const { pathname, search, host } = new URL(url);
    this.method = method;
    this.url = pathname + search;
    this.httpVersion = '1.1';
    this.httpVersionMajor = this.httpVersionMinor = 1;
    this.headers = { host, ...Object.fromEntries(headers) };
    this.rawHeaders = Object.entries(this.headers).flatMap(([name, value]) => [name, String(value)]);
    this.#body = body?.getReader();
  }

  override _read(size: number): void {
    super._read(size);
    const read = this.#body?.read() ?? Promise.resolve({ done: true, value: undefined });
    read.then(
      ({ done, value }) => {
        this.complete = done;
        this.push(done ? null : value);
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#body?.cancel().catch(() => undefined);
    super._destroy(error, callback);
  }
}
