import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Unanswered } from '../observe/observation.js';

/** A client's connection, and the request that came last on it. With pipelining, earlier ones are answered before it. */
class Connection {
  /** The answer to the last request, until it is complete. */
  response: ServerResponse | undefined;
  /** `socket.bytesRead` when the connection was last found without a request. */
  bytesRead = 0;
  hasTimeout = false;
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

  /** The answer says `Connection: close`, unless its headers are gone already: then the connection is closed after it anyway. */
  announceEnd(): void {
    this.bytesRead = this.socket.bytesRead;
    if (this.response?.headersSent === false) this.response.shouldKeepAlive = false;
  }

  /** Whether a request has begun to arrive since `announceEnd`. */
  get isArriving(): boolean {
    return this.socket.bytesRead > this.bytesRead;
  }
}

/**
 * The connections of a server, and what is still to be answered on each. Node.js tells neither: `closeIdleConnections` passes over
 * connections that never sent a byte, and cuts off an answer that its client has not read to the end.
 */
export class Connections {
  readonly #all = new Map<Socket, Connection>();
  #isClosing = false;

  /** @param onStalled receives the unread bytes of an aborted client */
  constructor(private readonly onStalled: (bytes: number) => void) {}

  readonly add = (socket: Socket): void => {
    this.#all.set(socket, new Connection(socket, () => this.#isClosing));
    socket.once('close', () => this.#all.delete(socket));
    socket.on('timeout', () => {
      if (socket.writableLength > 0) this.onStalled(socket.writableLength);
    });
  };

  /** The connection is no longer one of HTTP. */
  release(socket: Socket): void {
    this.#all.delete(socket);
    socket.setTimeout(0);
  }

  /** Counts a request until its answer is complete. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#all.get(request.socket)?.begin(response);
  }

  /** From now on a connection is closed as soon as everything on it is answered. */
  drain(): void {
    this.#isClosing = true;
    for (const connection of this.#all.values()) connection.announceEnd();
  }

  /** Closes the connections on which nothing is to be answered and no request has begun to arrive since `drain`. */
  closeIdle(): void {
    for (const connection of this.#all.values()) {
      if (connection.response === undefined && !connection.isArriving) connection.socket.destroy();
    }
  }

  /** Answers those whose request is still arriving, so that their clients send it elsewhere. */
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
   * Gives the clients that do not take what was written to them `milliseconds` to take more of it. Called again and again: so
   * no request needs a timer of its own. Node.js counts as activity that the system has taken some of a long write.
   */
  limitStalled(milliseconds: number): void {
    for (const connection of this.#all.values()) {
      const { socket, hasTimeout } = connection;
      const isWaiting = socket.writableLength > 0;
      if (isWaiting === hasTimeout) continue;
      connection.hasTimeout = isWaiting;
      // When an answer is complete, Node.js sets the time of keeping alive itself.
      if (isWaiting) socket.setTimeout(milliseconds);
      else if (connection.response !== undefined) socket.setTimeout(0);
    }
  }
}

function describe({ req, writableEnded }: ServerResponse): Unanswered {
  const [path = ''] = (req.url ?? '').split('?');
  const answering = writableEnded ? 'sending' : 'answering';
  return { method: req.method ?? '', path: path.slice(0, 200), state: req.complete ? answering : 'receiving' };
}
