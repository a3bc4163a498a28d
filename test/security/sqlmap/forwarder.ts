import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Forwarder {
  readonly base: string;
  /** The number of requests so far. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

/**
 * Counts requests and forwards them unchanged, and answers 400 in place of 416: sqlmap ends its
 * whole run at the first 416, even when it should ignore that status (lib/request/rangehandler.py),
 * so otherwise it would never try the Range header.
 */
export async function startForwarder(base: string): Promise<Forwarder> {
  const { hostname, port } = new URL(base);
  let requests = 0;
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    requests += 1;
    const { method, url: path, rawHeaders: headers } = incoming;
    const passed = sendRequest({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode === 416 ? 400 : (answer.statusCode ?? 502), answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  };
  const server = createServer({ maxHeaderSize: 1 << 20 }, forward);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
