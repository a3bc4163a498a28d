import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Identity } from '../../../dialect/driver.js';
import { codes, ServerError } from '../../../errors.js';
import { reasonOf } from '../../../http/report.js';
import { formatError } from '../../../response/graphql-error.js';
import { toServerError } from '../../../response/server-error.js';
import type { Use } from '../../../execute/admission.js';
import { isRecord } from '../../../is-record.js';
import { graphqlParamsOf } from '../body.js';
import { onExpiry, requestOf } from './connection-identity.js';
import { KeyWatch } from './key-watch.js';
import { observeFailures } from './observe-failures.js';
import { startOperation, type StreamEndpoint } from './operation.js';
import type { Operation, OperationSink } from './sink.js';

export const subprotocol = 'graphql-transport-ws';

/** Milliseconds that a client has to read earlier messages and the close itself. */
const CLOSING_MS = 5_000;

type Message = Readonly<Record<string, unknown>>;

/**
 * A WebSocket of the protocol graphql-transport-ws: queries, mutations and subscriptions.
 * Source: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export class GraphqlSocket {
  readonly #operations = new Map<string, Operation>();
  #initTimer: NodeJS.Timeout | undefined;
  /**
   * The upgrade, as long as it may have to be authenticated: an open socket needs nothing of it.
   */
  #request: IncomingMessage | undefined;
  #phase: 'new' | 'authenticating' | 'open' | 'closed' = 'new';
  #identity: Identity = {};
  #endExpiry: () => void = () => undefined;
  #keys: KeyWatch | undefined;
  readonly #address: string | undefined;
  /** Bytes of answers that are on their way: a client may take its time for those. */
  #answering = 0;

  /** @param endpoint answers what serves now: it may change while the socket is open */
  constructor(
    private readonly socket: WebSocket,
    request: IncomingMessage,
    private endpoint: () => StreamEndpoint,
  ) {
    const { settings, admission } = endpoint().services;
    this.#address = admission?.addressOf(request);
    this.#request = request;
    this.#initTimer = setTimeout(() => {
      if (this.#phase !== 'open') this.close(4408, 'Connection initialisation timeout');
    }, settings['app.websocket.init-timeout-ms']).unref();
    socket.on('message', (data: Buffer, isBinary) => {
      if (this.#phase !== 'closed')
        this.#guarded(() => {
          this.#receive(isBinary ? '' : data.toString('utf8'));
        });
    });
    socket.once('close', () => {
      this.#guarded(() => {
        this.#end();
      });
    });
    if (socket.protocol !== subprotocol) this.close(4406, 'Subprotocol not acceptable');
  }

  /** Ends every operation at once, then the connection. */
  close(code: number, reason: string): void {
    if (this.#phase === 'closed') return;
    this.#end();
    this.endpoint().services.observe({ kind: 'socket-closed', code, reason });
    this.socket.close(code, reason);
    setTimeout(() => {
      this.socket.terminate();
    }, CLOSING_MS).unref();
  }

  /**
   * Nothing that is thrown in a callback of a socket may leave the connection: Node.js would end
   * the process.
   */
  #guarded(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      const { observe, dialect } = this.endpoint().services;
      observe({ kind: 'failure', path: '/graphql', error: toServerError(thrown, dialect) });
      this.close(1011, 'Internal error');
    }
  }

  #end(): void {
    this.#phase = 'closed';
    this.#endInit();
    this.#endExpiry();
    this.#keys?.stop();
    for (const { cancel } of this.#operations.values()) cancel();
    this.#operations.clear();
  }

  #endInit(): void {
    clearTimeout(this.#initTimer);
    this.#initTimer = undefined;
    this.#request = undefined;
  }

  #receive(text: string): void {
    const message = parseMessage(text);
    if (message === undefined) {
      this.close(4400, 'Invalid message received');
      return;
    }
    switch (message['type']) {
      case 'connection_init':
        this.#init(message);
        break;
      case 'ping':
        this.#write({ type: 'pong', ...('payload' in message ? { payload: message['payload'] } : {}) });
        break;
      case 'pong':
        break;
      case 'subscribe':
        this.#subscribe(message, text);
        break;
      case 'complete':
        this.#complete(message['id']);
        break;
      default:
        this.close(4400, 'Invalid message received');
    }
  }

  #init({ payload }: Message): void {
    const request = this.#request;
    if (this.#phase !== 'new' || request === undefined) {
      this.close(4429, 'Too many initialisation requests');
      return;
    }
    this.#phase = 'authenticating';
    const { services } = this.endpoint();
    const identified = requestOf(request, payload);
    this.#keys = new KeyWatch(services, identified);
    this.#keys.onRevoked(() => {
      this.close(4403, 'Token no longer valid');
    });
    const claimed = async (): Promise<Identity> => {
      await services.admission?.enter(request);
      const identity = await services.authenticate(identified);
      this.endpoint = (await this.endpoint().of?.(identity)) ?? this.endpoint;
      return identity;
    };
    claimed().then(
      (identity) => {
        if (this.#phase === 'authenticating')
          this.#guarded(() => {
            this.#open(identity);
          });
      },
      (thrown: unknown) => {
        const error = toServerError(thrown, services.dialect);
        // 1013: try again later.
        const [status, reason] =
          error.status < 500 && error.code !== codes.tooManyRequests
            ? ([4403, 'Forbidden'] as const)
            : ([1013, 'Try again later'] as const);
        services.observe(
          error.clientsMistake
            ? { kind: 'refusal', method: 'GET', path: '/graphql', status, code: error.code, ...reasonOf(error) }
            : { kind: 'failure', path: '/graphql', status, error },
        );
        this.close(status, reason);
      },
    );
  }

  #open(identity: Identity): void {
    this.#phase = 'open';
    this.#endInit();
    this.#identity = identity;
    this.#endExpiry = onExpiry(identity, () => {
      this.close(4403, 'Token expired');
    });
    this.#write({ type: 'connection_ack' });
  }

  #subscribe(message: Message, text: string): void {
    if (this.#phase !== 'open') {
      this.close(4401, 'Unauthorized');
      return;
    }
    const { id, payload } = message;
    if (typeof id !== 'string' || id === '' || !isRecord(payload)) {
      this.close(4400, 'Invalid message received');
      return;
    }
    if (this.#operations.has(id)) {
      this.close(4409, `Subscriber for ${shortened(id)} already exists`);
      return;
    }
    const most = this.endpoint().services.settings['app.websocket.max-operations'];
    if (this.#operations.size >= most) this.#fail(id, [tooMany(most)]);
    else this.#start(id, payload, text);
  }

  #start(id: string, payload: Message, text: string): void {
    const before = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    const state = { isOver: false };
    try {
      const request = graphqlParamsOf(payload, text, (exact) => {
        const { payload: again } = exact;
        return isRecord(again) ? again['variables'] : undefined;
      });
      const sink: OperationSink = {
        next: (data, isEvent, taken) => {
          const sent = `${before}${data}}`;
          if (isEvent) this.#sendEvent(sent, taken);
          else this.#sendAnswer(sent);
        },
        failed: (errors) => {
          state.isOver = true;
          this.#fail(id, errors);
        },
        complete: () => {
          state.isOver = true;
          this.#operations.delete(id);
          this.#write({ id, type: 'complete' });
        },
      };
      const operation = startOperation(this.endpoint, request, this.#identity, sink, this.#admit());
      if (!state.isOver) this.#operations.set(id, operation);
    } catch (error) {
      // No GraphQL request, as the protocol sees it; an invalid document is reported by `error`.
      if (error instanceof ServerError) this.close(4400, 'Invalid message received');
      else this.#fail(id, [toServerError(error, this.endpoint().services.dialect)]);
    }
  }

  /** Undefined without rates. */
  #admit(): ((use: Use) => Promise<void>) | undefined {
    const { admission } = this.endpoint().services;
    const address = this.#address;
    if (admission === undefined || address === undefined) return undefined;
    return (use) => admission.chargeMessage(address, this.#identity, use);
  }

  #complete(id: unknown): void {
    if (typeof id !== 'string') {
      this.close(4400, 'Invalid message received');
      return;
    }
    this.#operations.get(id)?.cancel();
    this.#operations.delete(id);
  }

  #fail(id: string, errors: readonly unknown[]): void {
    this.#operations.delete(id);
    observeFailures(errors, this.endpoint().services.observe);
    this.#write({ id, type: 'error', payload: errors.map(formatError) });
  }

  #write(message: Message): void {
    if (this.#phase !== 'closed') this.#sendEvent(JSON.stringify(message));
  }

  /**
   * Closes the connection of a client that does not read its events: its data would become ever
   * older, and the buffer ever longer.
   */
  #sendEvent(text: string, taken?: () => void): void {
    if (this.socket.bufferedAmount - this.#answering > this.#mostPending) {
      this.close(4408, 'Too slow');
      taken?.();
    } else this.socket.send(text, taken);
  }

  #sendAnswer(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#answering > this.endpoint().services.settings['app.limits.response-bytes']) {
      this.close(4408, 'Too slow');
      return;
    }
    this.#answering += bytes.length;
    this.socket.send(bytes, { binary: false }, () => {
      this.#answering -= bytes.length;
    });
  }

  get #mostPending(): number {
    return this.endpoint().services.settings['app.websocket.pending-bytes'];
  }
}

function parseMessage(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isRecord(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The reason of a close has 123 bytes at most. */
const shortened = (id: string): string =>
  Buffer.from(id)
    .subarray(0, 60)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');

const tooMany = (most: number): ServerError =>
  new ServerError(400, codes.limitExceeded, `This WebSocket has ${String(most)} operations already.`, {
    hint: 'Complete some first, or raise app.websocket.max-operations.',
  });
