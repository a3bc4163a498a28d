import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { codes, ServerError } from '../../../errors.js';
import { rawAnswer } from '../../../http/raw-answer.js';
import { createCheckHost, createIsForeign, type CheckSender } from '../../../http/senders.js';
import { toServerError } from '../../../response/server-error.js';
import type { Settings } from '../../../settings/settings.js';
import type { StreamEndpoint } from './operation.js';
import { GraphqlSocket, subprotocol } from './socket.js';

/**
 * Milliseconds between two pings. A client that has not answered one when the next is due has gone.
 */
const PING_MS = 15_000;

/** Milliseconds that clients have to answer a close when the server shuts down. */
const FAREWELL_TIMEOUT_MS = 1_000;

/** What takes connections that stay: WebSockets and event streams. Both count. */
export interface Streams {
  /** Takes an upgrade to a WebSocket on /graphql; refuses every other. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * Counts an event stream. Throws ServerError 503 when there are too many connections. `end` is
   * called when the server shuts down.
   */
  readonly enter: (end: () => void) => () => void;
  /**
   * Closes all of them, in a way that clients come back on. Resolves when they are closed, or soon.
   */
  readonly close: () => Promise<void>;
}

/** @param endpoint answers what serves now: it may change while connections are open */
export function createStreams(settings: Settings, endpoint: () => StreamEndpoint): Streams {
  let server: Promise<WebSocketServer> | undefined;
  const isForeign = createIsForeign(settings);
  const checkHost = createCheckHost(settings);
  const sockets = new Map<WebSocket, GraphqlSocket>();
  const streams = new Set<() => void>();
  const answered = new WeakSet<WebSocket>();
  let isClosing = false;

  const pinging = setInterval(() => {
    for (const socket of sockets.keys()) {
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, PING_MS).unref();

  const checkRoom = (): void => {
    if (isClosing) throw unavailable('The server is shutting down.');
    if (sockets.size + streams.size >= settings['app.websocket.max-sockets'])
      throw unavailable('There are too many connections.');
  };

  const add = (socket: WebSocket, request: IncomingMessage): void => {
    answered.add(socket);
    socket.on('pong', () => answered.add(socket));
    // A client that is cut off, or sends a frame that is none: the close that follows is what
    // counts.
    socket.on('error', () => undefined);
    sockets.set(socket, new GraphqlSocket(socket, request, endpoint));
    socket.once('close', () => sockets.delete(socket));
  };

  return {
    upgrade: (request, socket, head) => {
      // An error without a listener would end the process.
      socket.on('error', () => undefined);
      const accept = async (): Promise<void> => {
        checkUpgrade(request, checkHost, isForeign);
        server ??= openServer(settings);
        const opened = await server;
        checkRoom();
        opened.handleUpgrade(request, socket, head, (webSocket) => {
          add(webSocket, request);
        });
      };
      accept().catch((error: unknown) => {
        socket.end(rawAnswer(toServerError(error)));
      });
    },
    enter: (end) => {
      checkRoom();
      streams.add(end);
      return () => {
        streams.delete(end);
      };
    },
    close: async () => {
      isClosing = true;
      clearInterval(pinging);
      for (const end of streams) end();
      // 1012: the service restarts.
      for (const socket of sockets.values()) socket.close(1012, 'Service Restart');
      const until = Date.now() + FAREWELL_TIMEOUT_MS;
      while (sockets.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const socket of sockets.keys()) socket.terminate();
    },
  };
}

/**
 * A browser lets any page open a WebSocket, and says whose page it is. Pages of this server's own
 * address and of the origins that may ask by HTTP may; what sends no origin is no browser. Throws
 * ServerError.
 */
function checkUpgrade(
  request: IncomingMessage,
  checkHost: CheckSender,
  isForeign: (request: IncomingMessage) => boolean,
): void {
  const [path = ''] = (request.url ?? '').split('?');
  if (!/^\/graphql\/?$/.test(path))
    throw new ServerError(404, codes.notFound, 'There is no WebSocket at this path.', { hint: 'It is at /graphql.' });
  checkHost(request);
  if (!isForeign(request)) return;
  throw new ServerError(403, codes.refused, 'Pages of this origin may not open a WebSocket here.', {
    hint: 'Name the origin in app.cors.origins.',
  });
}

const unavailable = (message: string): ServerError =>
  new ServerError(503, codes.unavailable, message, {
    hint: 'Try again in a moment.',
    headers: { 'retry-after': '1' },
  });

/** Loads the package `ws`, which takes 10 MB, when the first client asks for a WebSocket. */
async function openServer(settings: Settings): Promise<WebSocketServer> {
  const ws = await import('ws');
  return new ws.WebSocketServer({
    noServer: true,
    maxPayload: settings['app.websocket.message-bytes'],
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has(subprotocol) ? subprotocol : false),
  });
}
