import { Writable } from 'node:stream';
import { readHead, type Head } from './head.js';

type Done = (error?: Error | null) => void;

/** Statuses of answers without a body. Source: https://fetch.spec.whatwg.org/#null-body-status */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

const nothing = Buffer.alloc(0);

/**
 * What an answer of Node.js writes to, in place of the connection of a client: it makes a
 * `Response` of the bytes. A write is done when the reader of the `Response` asks for more.
 */
export class AnswerSocket extends Writable {
  /** Rejects if the connection is closed before the answer begins. */
  readonly answer: Promise<Response>;
  /** Nobody sends anything else over this connection. */
  readonly readable = false;
  #resolve: (answer: Response) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  /** The first bytes of the head; undefined once the head is complete. */
  #head: Buffer | undefined = nothing;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #taken: Done | undefined;

  /** @param encrypted whether the client speaks TLS with the host */
  constructor(
    private readonly method: string,
    readonly remoteAddress: string | undefined,
    readonly encrypted: boolean,
  ) {
    super();
    this.answer = new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
    });
  }

  /** A connection has limits in time; here they are those of the host. */
  setTimeout(): this {
    return this;
  }

  /** Node.js writes a head and a short body at once. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Done): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
  }

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    if (this.#head === undefined) {
      this.#send(chunk, done);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    const head = readHead(this.#head);
    if (head === undefined) done();
    else this.#begin(head, this.#head.subarray(head.size), done);
  }

  #begin(head: Head, first: Buffer, done: Done): void {
    this.#head = undefined;
    if (this.method === 'HEAD' || withoutBody.has(head.status)) this.#answer(null, head, done);
    else if (head.length === first.length) this.#answer(new Uint8Array(first), head, done);
    else {
      this.#answer(this.#stream(), head, (error) => {
        if (error !== undefined || first.length === 0) done(error);
        else this.#send(first, done);
      });
    }
  }

  #answer(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null, head: Head, done: Done): void {
    try {
      this.#resolve(new Response(body, head));
    } catch (error) {
      // A `Response` has no status above 599.
      this.#reject(error);
      this.destroy();
      return;
    }
    done();
  }

  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => {
          const done = this.#taken;
          this.#taken = undefined;
          done?.();
        },
        cancel: () => {
          this.#body = undefined;
          this.destroy();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Done once the reader has taken the bytes, and asks for the next ones. */
  #send(chunk: Buffer, done: Done): void {
    this.#taken = done;
    this.#body?.enqueue(chunk);
  }

  override _final(done: Done): void {
    this.#body?.close();
    this.#body = undefined;
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    const reason = error ?? new Error('The server has closed the connection before its answer was complete.');
    this.#reject(reason);
    this.#body?.error(reason);
    this.#body = undefined;
    done();
  }
}
