import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { backendMessage, errorResponse } from './postgres-messages.js';
import { proxyAddress } from './proxy-address.js';

/** A database behind a proxy that refuses statements, as an engine that lacks a feature does. */
export interface LackingEngine {
  readonly url: string;
  /** The number of refused statements. */
  readonly refused: () => number;
  close(): Promise<void>;
}

/** @param lacks the statements of the simple protocol to refuse with 0A000 */
export async function lackingEngine(address: string, lacks: RegExp): Promise<LackingEngine> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let refused = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port === '' ? 5432 : target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(client);
    client.on('data', (data: Buffer) => {
      if (data[0] !== query || !lacks.test(data.toString('latin1', 5))) {
        upstream.write(data);
        return;
      }
      refused += 1;
      client.write(refusal);
    });
  });
  const url = await proxyAddress(server, address);
  return {
    url,
    refused: () => refused,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const query = 'Q'.charCodeAt(0);

const refusal = Buffer.concat([
  errorResponse('ERROR', '0A000', 'unimplemented: this statement is not supported'),
  backendMessage('Z', 'I'),
]);
