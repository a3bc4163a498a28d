import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServerError, codes } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { createConnectionLimit, refuseConnection } from './connection-limit.js';
import type { Connections } from './connections.js';
import { rawAnswer } from './raw-answer.js';

/**
 * Interval in ms at which Node.js checks for slow clients. With the default of 30 s, a client could
 * exceed its limit by as much.
 */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Creates the HTTP server. It limits the time of slow clients, and answers a request that Node.js
 * cannot parse with an error in the usual form.
 */
export function createListener(settings: Settings, connections: Connections, handler: RequestListener): Server {
  const requestTimeout = settings['app.limits.request-timeout-ms'];
  const server = createHttpServer(
    {
      maxHeaderSize: settings['app.limits.url-bytes'] + settings['app.limits.header-bytes'],
      headersTimeout: Math.min(settings['app.limits.headers-timeout-ms'], requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // 65 s is longer than load balancers keep a connection, so that this server never closes a
      // connection that the balancer is about to use.
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      connections.begin(request, response);
      handler(request, response);
    },
  );
  limitNumber(server, settings);
  server.on('connection', connections.add);
  // Node.js has not parsed the request's origin. If every origin is allowed, the answer can say so.
  const common: Readonly<Record<string, string>> = settings['app.cors.origins'].includes('*')
    ? { 'access-control-allow-origin': '*' }
    : {};
  server.on('clientError', (error, socket) => {
    answerClientError(error, socket, common);
  });
  limitStalled(server, connections, settings['app.limits.send-timeout-ms']);
  return server;
}

/** Refuses connections beyond the ceiling of the process, and beyond that of their address. */
function limitNumber(server: Server, settings: Settings): void {
  const limit = createConnectionLimit(settings);
  if (limit === undefined) return;
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const problem = limit.enter(address);
    socket.once('close', () => {
      limit.leave(address);
    });
    if (problem !== undefined) refuseConnection(socket, problem);
  });
}

/** One timer checks all connections. */
function limitStalled(server: Server, connections: Connections, milliseconds: number): void {
  const looking = setInterval(
    () => {
      // After the bytes that sockets have sent so far are recorded.
      setImmediate(() => {
        connections.limitStalled(milliseconds);
      });
    },
    Math.min(CHECK_INTERVAL_MS, milliseconds / 2),
  ).unref();
  server.once('close', () => {
    clearInterval(looking);
  });
}

/** Source: Node.js documentation, http, event 'clientError'. */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  common: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswer(fromParser(error.code), common));
}

function fromParser(code: string | undefined): ServerError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServerError(431, codes.limitExceeded, 'The URL and the headers are too long.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServerError(408, codes.timeout, 'The request took too long to arrive.');
  return new ServerError(400, codes.malformedParameter, 'This is not an HTTP request.', {
    hint: 'In a URL, spaces (%20) and characters that are not ASCII are percent-encoded.',
  });
}

/**
 * The error of a request with several `Host` headers: a proxy may have read another one than this
 * server. Node.js keeps the first. Source: RFC 9112, 3.2.
 */
export function severalHosts({ rawHeaders }: IncomingMessage): ServerError | undefined {
  const isHost = (name: string, at: number): boolean =>
    at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host';
  const first = rawHeaders.findIndex(isHost);
  if (first === -1 || rawHeaders.findLastIndex(isHost) === first) return undefined;
  return new ServerError(400, codes.malformedParameter, 'The request has several Host headers.', {
    hint: 'Send one.',
    headers: { connection: 'close' },
  });
}

/**
 * Starts to listen; resolves with the URL. Rejects with the error of Node.js if the address is not
 * available.
 */
export function listenOn(server: NetServer, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address() as AddressInfo;
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      resolve(`http://${name}:${String(address.port)}`);
    });
  });
}
