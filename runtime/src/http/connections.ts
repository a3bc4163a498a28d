import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Unanswered } from '../observe/observation.js';

/** The private part of a socket: how much of a write the operating system has not taken. */
type SendingSocket = Socket & { readonly _handle?: { readonly writeQueueSize: number } | null };

/**
 * A client's connection, and its latest request. With pipelining, the server answers the earlier
 * requests first.
 */
class Connection {
  /** The answer to the last request, until it is complete. */
  response: ServerResponse | undefined;
  /** `socket.bytesRead` when the connection was last found without a request. */
  bytesRead = 0;
  /** What was unsent when the client was last found to read nothing, and since when. */
  #unsent: string | undefined;
  #since = 0;
  #unanswered = 0;

  constructor(
    readonly socket: Socket,
    private readonly isClosing: () => boolean,
  ) {}

  begin(response: ServerResponse): void {
    this.#unanswered += 1;
    this.response = response;
    response.on('close', this.#answered);
    if (this.isClosing()) response.shouldKeepAlive = false;
  }

  readonly #answered = (): void => {
    this.#unanswered -= 1;
    if (this.#unanswered > 0) return;
    this.response = undefined;
    if (this.isClosing()) this.socket.destroySoon();
  };

  /**
   * Adds `Connection: close` to the answer, unless its headers are already sent: the server closes
   * the connection after the answer anyway.
   */
  announceEnd(): void {
    this.bytesRead = this.socket.bytesRead;
    if (this.response?.headersSent === false) this.response.shouldKeepAlive = false;
  }

  /**
   * Milliseconds since the client was first seen to take nothing of what is to be sent; 0 if it
   * takes something, or nothing is to be sent.
   */
  stalledFor(now: number): number {
    const { socket } = this;
    if (socket.writableLength === 0) {
      this.#unsent = undefined;
      return 0;
    }
    const { _handle: handle } = socket as SendingSocket;
    // A long write goes to the operating system in parts: only the handle knows how much is left.
    const unsent = `${String(socket.bytesWritten)} ${String(handle?.writeQueueSize ?? 0)}`;
    if (unsent !== this.#unsent) [this.#unsent, this.#since] = [unsent, now];
    return now - this.#since;
  }

  /** Whether a request has begun to arrive since `announceEnd`. */
  get isArriving(): boolean {
    return this.socket.bytesRead > this.bytesRead;
  }
}

/**
 * The connections of a server, and the unanswered requests of each. Node.js offers neither:
 * `closeIdleConnections` skips connections that never sent a byte, and cuts off an answer that its
 * client has not read to the end.
 */
export class Connections {
  readonly #all = new Map<Socket, Connection>();
  readonly #emptied = new Set<() => void>();
  #isClosing = false;

  /** @param onStalled receives the unread bytes of an aborted client */
  constructor(private readonly onStalled: (bytes: number) => void) {}

  readonly add = (socket: Socket): void => {
    this.#all.set(socket, new Connection(socket, () => this.#isClosing));
    socket.once('close', () => {
      this.#forget(socket);
    });
  };

  /** Removes a connection that has changed from HTTP to another protocol (WebSocket). */
  release(socket: Socket): void {
    this.#forget(socket);
    socket.setTimeout(0);
  }

  /** Resolves when there is no connection. */
  async empty(): Promise<void> {
    if (this.#all.size > 0) await new Promise<void>((resolve) => this.#emptied.add(resolve));
  }

  #forget(socket: Socket): void {
    this.#all.delete(socket);
    if (this.#all.size > 0) return;
    for (const resolve of this.#emptied) resolve();
    this.#emptied.clear();
  }

  /** Counts a request until its answer is complete. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#all.get(request.socket)?.begin(response);
  }

  /** From now on, the server closes each connection as soon as all its requests are answered. */
  drain(): void {
    this.#isClosing = true;
    for (const connection of this.#all.values()) connection.announceEnd();
  }

  /**
   * Closes the connections that have no unanswered request and on which no request has begun to
   * arrive since `drain`.
   */
  closeIdle(): void {
    for (const connection of this.#all.values()) {
      if (connection.response === undefined && !connection.isArriving) connection.socket.destroy();
    }
  }

  /**
   * Answers every request that is still arriving, so that its client sends it to another server.
   */
  refuseArriving(answer: string): void {
    for (const { response, socket } of this.#all.values()) {
      if (response !== undefined) continue;
      socket.write(answer);
      socket.destroySoon();
    }
  }

  /** Requests without an answer yet. */
  unanswered(): readonly Unanswered[] {
    return [...this.#all.values()].flatMap(({ response }) => (response === undefined ? [] : [describe(response)]));
  }

  /**
   * Closes the connection of a client that reads nothing of its answer for `milliseconds`. The
   * listener calls this repeatedly for all connections, so that no request needs its own timer.
   */
  limitStalled(milliseconds: number): void {
    const now = performance.now();
    for (const connection of this.#all.values()) {
      if (connection.stalledFor(now) < milliseconds) continue;
      const { socket } = connection;
      this.onStalled(socket.writableLength);
      socket.destroy();
    }
  }
}

function describe({ req, writableEnded }: ServerResponse): Unanswered {
  const [path = ''] = (req.url ?? '').split('?');
  const answering = writableEnded ? 'sending' : 'answering';
  return { method: req.method ?? '', path: path.slice(0, 200), state: req.complete ? answering : 'receiving' };
}
