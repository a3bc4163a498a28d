import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { backendMessage as message, errorResponse } from './postgres-messages.js';

/**
 * A server that implements just enough of PostgreSQL's protocol to give one answer. Source:
 * PostgreSQL manual, chapter 55.
 */
export interface FakePostgres {
  readonly url: string;
  /** Resolves when a client has connected. */
  readonly connected: Promise<void>;
  close(): Promise<void>;
}

/**
 * `wrong password` refuses every client; `version 12` answers every query with its version number;
 * `silent` accepts the connection and never answers; the others refuse clients for a while.
 */
export async function fakePostgres(
  behaviour: 'wrong password' | 'version 12' | 'silent' | 'starting up' | 'too many connections',
): Promise<FakePostgres> {
  const sockets = new Set<Socket>();
  let announce: () => void = () => undefined;
  const connected = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      announce();
      if (behaviour === 'wrong password') {
        socket.end(error('28P01', 'password authentication failed for user "me"'));
      } else if (behaviour === 'starting up') {
        socket.end(error('57P03', 'the database system is starting up'));
      } else if (behaviour === 'too many connections') {
        socket.end(error('53300', 'sorry, too many clients already'));
      } else if (behaviour === 'version 12') {
        socket.write(Buffer.concat([message('R', int32(0)), message('Z', 'I')]));
        socket.on('data', (chunk) => {
          if (chunk[0] === 'Q'.charCodeAt(0)) socket.write(oneRow('number', '120017'));
        });
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `postgres://me:sesame@127.0.0.1:${String(port)}/shop`,
    connected,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const int16 = (value: number): Buffer => {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
};

const int32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};

const text = (value: string): Buffer => Buffer.from(`${value}\0`);

const error = (code: string, reason: string): Buffer => errorResponse('FATAL', code, reason);

function oneRow(column: string, value: string): Buffer {
  const field = Buffer.concat([text(column), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]);
  return Buffer.concat([
    message('T', Buffer.concat([int16(1), field])),
    message('D', Buffer.concat([int16(1), int32(value.length), Buffer.from(value)])),
    message('C', text('SELECT 1')),
    message('Z', 'I'),
  ]);
}
