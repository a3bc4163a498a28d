import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { makeCertificate } from './own-certificate.js';
import { errorResponse, FrontendMessages, type FrontendMessage } from './postgres-messages.js';
import { insecure, refusalInSession, refusalOfStart, type Refusal } from './neon-refusals.js';
import { proxyAddress } from './proxy-address.js';

/**
 * A proxy in front of PgBouncer that refuses what the pooled address of Neon refuses, with its
 * texts, and statements that it would accept and lose: those that only a session keeps.
 * Sources: https://neon.com/docs/connect/connection-errors, https://www.pgbouncer.org/features.html
 */
export interface NeonProxy {
  /** With TLS and a host name, as Neon's addresses have them. */
  readonly url: string;
  /** The same address without TLS. */
  readonly plainUrl: string;
  /** Texts of refusals since the last call. */
  readonly refusals: () => readonly string[];
  /** The number of connections that wait for a database that sleeps. */
  readonly waiting: () => number;
  /** Scales to zero: tells all clients, waits until they have gone, and lets new ones wait. */
  sleep(): Promise<void>;
  wake(): void;
  close(): Promise<void>;
}

/** Requests that a client sends before its session. */
const [tlsRequest, cancelRequest] = [80_877_103, 80_877_102];

/** @param address the database behind PgBouncer */
export async function startNeonProxy(address: string): Promise<NeonProxy> {
  const certificate = await makeCertificate();
  const proxy = new Proxy(address, createSecureContext(certificate));
  const server = createServer({ noDelay: true }, (socket) => {
    proxy.accept(socket);
  });
  const url = new URL(await proxyAddress(server, address));
  url.hostname = 'localhost';
  const plainUrl = url.href;
  url.search = String(new URLSearchParams({ sslmode: 'verify-full', sslrootcert: certificate.file }));
  return {
    url: url.href,
    plainUrl,
    refusals: () => proxy.refusals.splice(0),
    waiting: () => proxy.waiting.length,
    sleep: () => proxy.sleep(),
    wake: () => {
      proxy.wake();
    },
    close: async () => {
      proxy.wake();
      await proxy.end();
      server.close();
      await once(server, 'close');
      await certificate.remove();
    },
  };
}

class Proxy {
  readonly refusals: string[] = [];
  readonly waiting: (readonly [client: TLSSocket, first: FrontendMessage])[] = [];
  #sleeps = false;
  readonly #sockets = new Map<Socket, Promise<unknown>>();
  readonly #clients = new Set<Socket>();

  constructor(
    private readonly address: string,
    private readonly context: SecureContext,
  ) {}

  accept(socket: Socket): void {
    this.#sockets.set(socket, new Promise((resolve) => socket.once('close', resolve)));
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    const messages = new FrontendMessages();
    const first = (chunk: Buffer): void => {
      const [message] = messages.next(chunk, false);
      if (message === undefined) return;
      socket.off('data', first);
      const code = message.body.readInt32BE();
      if (code === cancelRequest) this.#connect(socket, message);
      else if (code === tlsRequest) this.#secure(socket);
      else this.#refuse(socket, insecure);
    };
    socket.on('data', first);
  }

  #secure(socket: Socket): void {
    socket.write('S');
    const client = new TLSSocket(socket, { isServer: true, secureContext: this.context });
    const messages = new FrontendMessages();
    this.#clients.add(client);
    client.on('error', () => undefined).on('close', () => this.#clients.delete(client));
    client.once('data', (chunk: Buffer) => {
      const [message] = messages.next(chunk, false);
      if (message === undefined) return;
      if (message.body.readInt32BE() === cancelRequest) this.#connect(client, message);
      else this.#start(client, message);
    });
  }

  #start(client: TLSSocket, message: FrontendMessage): void {
    // The type is that of a client. For a server it is false where the client names no host.
    const isNamed = typeof Reflect.get(client, 'servername') === 'string';
    const refusal = refusalOfStart(message, isNamed);
    if (refusal !== undefined) this.#refuse(client, refusal);
    else if (this.#sleeps) this.waiting.push([client, message]);
    else this.#connect(client, message);
  }

  /** @param first the message that the database receives first */
  #connect(client: Socket, first: FrontendMessage): void {
    const { hostname, port } = new URL(this.address);
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    upstream.on('error', () => undefined).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.write(first.bytes);
    upstream.pipe(client);
    const messages = new FrontendMessages();
    client.on('data', (chunk: Buffer) => {
      for (const message of messages.next(chunk, true)) {
        const refusal = refusalInSession(message);
        if (refusal === undefined) upstream.write(message.bytes);
        else this.#refuse(client, refusal);
      }
    });
  }

  #refuse(client: Socket, { code, reason }: Refusal): void {
    this.refusals.push(reason);
    client.end(errorResponse('FATAL', code, reason));
  }

  async sleep(): Promise<void> {
    this.#sleeps = true;
    const closed = [...this.#sockets.values()];
    const farewell = errorResponse('FATAL', '57P01', 'terminating connection due to administrator command');
    for (const client of this.#clients) client.end(farewell);
    await Promise.all(closed);
  }

  wake(): void {
    this.#sleeps = false;
    for (const [client, first] of this.waiting.splice(0)) this.#connect(client, first);
  }

  async end(): Promise<void> {
    const all = [...this.#sockets];
    for (const [socket] of all) socket.destroy();
    await Promise.all(all.map(([, closed]) => closed));
  }
}
