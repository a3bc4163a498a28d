import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describeStartFailure } from '../../../runtime/src/server/start-failure.js';
import { createWriteDatabase, startWriteServer, type WriteDatabase } from '../write/support/server.js';

/** A proxy that drops start-up options, as PgBouncer does when it is told to ignore them. */
interface Deaf {
  readonly url: string;
  close(): Promise<void>;
}

async function withoutOptions(address: string): Promise<Deaf> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port === '' ? 5432 : target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    let isGreeted = false;
    client.on('data', (data: Buffer) => {
      upstream.write(isGreeted ? data : greetingOf(data));
      isGreeted = true;
    });
    upstream.on('data', (data) => client.write(data));
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(address);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * A start-up message without `options`: its length, the protocol's version, and names and values
 * with a zero at the end.
 */
function greetingOf(data: Buffer): Buffer {
  const words = data.subarray(8, -1).toString('utf8').split('\0').slice(0, -1);
  const kept = words.filter((_, at) => words[at - (at % 2)] !== 'options');
  const body = Buffer.from(`${kept.map((word) => `${word}\0`).join('')}\0`);
  const head = Buffer.from(data.subarray(0, 8));
  head.writeInt32BE(body.length + 8);
  return Buffer.concat([head, body]);
}

let db: WriteDatabase;
let deaf: Deaf;
beforeAll(async () => {
  db = await createWriteDatabase('create schema yard; create table yard.items (id int primary key)', ['yard']);
  deaf = await withoutOptions(db.roleUrl);
});
afterAll(async () => {
  await deaf.close();
  await db.drop();
});

test('a proxy that passes over the start-up options: the server does not start, and says what to set', async () => {
  const failure = await startWriteServer({ ...db, roleUrl: deaf.url }).then(
    () => 'it started',
    (error: unknown) => describeStartFailure(error),
  );
  expect(failure).toMatch(
    /^The server cannot start: The database did not apply these startup parameters of a connection: .*\. \(TW018\)\n/,
  );
  for (const word of ['intervalstyle', 'jit', 'default_transaction_read_only', 'statement_timeout'])
    expect(failure).toContain(word);
  expect(failure).toContain('ignore_startup_parameters');
  expect(failure).toContain('APP_DATASOURCE_POOLER');
});

test('with the pooler mode that it names, every transaction sets them', async () => {
  const server = await startWriteServer(
    { ...db, roleUrl: deaf.url },
    { environment: { APP_DATASOURCE_POOLER: 'transaction' } },
  );
  try {
    expect((await server.get('/api/v1/items')).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test('a role or database with settings of its own is no hindrance: the start-up options win', async () => {
  const role = new URL(db.roleUrl).username;
  await db.query(`alter role ${role} set timezone = 'Asia/Tokyo'; alter role ${role} set statement_timeout = '1h'`);
  const server = await startWriteServer(db, { environment: { APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '61000' } });
  await server.stop();
});
