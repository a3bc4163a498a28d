import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { errorOf } from '../rest/support/client.js';
import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/** A proxy to the database that cuts the connection after forwarding a message with `word`. */
interface Wire {
  readonly url: string;
  word: string | undefined;
  /** The number of forwarded messages with the word. */
  seen: number;
  close(): Promise<void>;
}

async function wireTo(address: string): Promise<Wire> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  const state: { word: string | undefined; seen: number } = { word: undefined, seen: 0 };
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port === '' ? 5432 : target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    upstream.on('data', (data) => client.write(data));
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (data) => {
      const cut = state.word !== undefined && data.includes(state.word);
      if (cut) {
        state.seen += 1;
        client.destroy();
      }
      upstream.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(address);
  url.port = String((server.address() as AddressInfo).port);
  return Object.assign(state, {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

let db: WriteDatabase;
let wire: Wire;
let server: WriteServer;
beforeEach(async () => {
  db = await createWriteDatabase();
  wire = await wireTo(db.roleUrl);
  server = await startWriteServer({ descriptors: db.descriptors, roleUrl: wire.url });
});
afterEach(async () => {
  await server.stop();
  await wire.close();
  await db.drop();
});

const post = (prefer: string) =>
  server.send('POST', '/api/v1/teams', { 'content-type': 'application/json', prefer }, '{"name":"Lost"}');

test('a connection lost after the commit was sent: 503, the outcome unknown, no second try', async () => {
  wire.word = 'insert into';
  const reply = await post('return=representation');
  expect(reply.status).toBe(503);
  expect(errorOf(reply)).toMatchObject({
    code: 'TW013',
    message: 'The connection to the database was lost during a write: the outcome is unknown.',
    hint: 'Read before you write again: the write may have been committed.',
  });
  expect(wire.seen).toBe(1);
  wire.word = undefined;
  expect((await server.get('/api/v1/teams?limit=1')).status).toBe(200);
});

test('a connection lost before the commit was sent: 503, and nothing was written', async () => {
  wire.word = 'insert into';
  const reply = await post('max-affected=1');
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
  expect(errorOf(reply)).toMatchObject({
    code: 'TW013',
    message: 'The database ended the connection: nothing was written.',
    hint: 'Send the request again in a moment.',
  });
  expect(wire.seen).toBe(1);
  expect(await db.query(`select from ops.teams where name = 'Lost'`)).toEqual([]);
});

test('a read that is lost is not said to be a write', async () => {
  wire.word = 'select';
  const reply = await server.get('/api/v1/teams');
  expect([reply.status, errorOf(reply).message]).toEqual([503, 'The database is not available.']);
});
