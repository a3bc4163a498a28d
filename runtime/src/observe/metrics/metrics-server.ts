import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { misconfigured } from '../../errors.js';
import type { Metrics } from './metrics.js';

/** The address that metrics are read from. */
export interface MetricsServer {
  /** E.g. `http://127.0.0.1:9464/metrics`. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/**
 * Answers metrics on an address of their own, so that what clients reach does not show them.
 * @throws ServerError `misconfigured` when it cannot listen there
 */
export async function openMetricsServer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  port: number,
  host: string,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(path === '/metrics' ? 405 : 404, { allow: 'GET, HEAD' }).end();
      return;
    }
    metrics.text().then(
      (text) => {
        response.writeHead(200, { 'content-type': metrics.contentType, 'content-length': Buffer.byteLength(text) });
        response.end(request.method === 'HEAD' ? undefined : text);
      },
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        misconfigured(
          `Metrics cannot be served at port ${String(port)} of ${host}.`,
          'Set app.metrics.port and app.metrics.host to an address of this machine that is free.',
          cause,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
  const { address, port: own, family } = server.address() as AddressInfo;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  return {
    address: `http://${shown}:${String(own)}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
