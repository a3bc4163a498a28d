import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServerError, codes } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import type { Connections } from './connections.js';
import { rawAnswer } from './raw-answer.js';

/** How often Node looks for clients that are too slow: its own default of 30 s would let them have that much more. */
const CHECKING_INTERVAL = 1_000;

/** The HTTP server: time for slow clients is bounded, what Node cannot parse is answered as every other error is. */
export function createListener(settings: Settings, connections: Connections, handler: RequestListener): Server {
  const requestTimeout = settings['app.limits.request-timeout-ms'];
  const server = createHttpServer(
    {
      maxHeaderSize: settings['app.limits.url-bytes'] + settings['app.limits.header-bytes'],
      headersTimeout: Math.min(settings['app.limits.headers-timeout-ms'], requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: CHECKING_INTERVAL,
      // Longer than a load balancer keeps a connection, so that it is never we who close one just as it is used.
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      connections.begin(request, response);
      handler(request, response);
    },
  );
  server.on('connection', connections.add);
  // Which origin asks is not known; that all of them may, is.
  const common: Readonly<Record<string, string>> = settings['app.cors.origins'].includes('*')
    ? { 'access-control-allow-origin': '*' }
    : {};
  server.on('clientError', (error, socket) => {
    answerClientError(error, socket, common);
  });
  limitStalled(server, connections, settings['app.limits.send-timeout-ms']);
  return server;
}

/** One look at all connections serves every request. */
function limitStalled(server: Server, connections: Connections, milliseconds: number): void {
  const looking = setInterval(
    () => {
      connections.limitStalled(milliseconds);
    },
    Math.min(CHECKING_INTERVAL, milliseconds / 2),
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

/** Listens, and answers where. Rejects with Node's error when the address cannot be had. */
export function listenOn(server: Server, port: number, host: string): Promise<string> {
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
