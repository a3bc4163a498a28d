import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { verdictOn } from '../support/describe-where.js';
import { freePort } from '../support/free-port.js';
import { describeFacts, found, type Facts } from '../support/machine/machine.js';
import { askMariadb } from '../support/machine/mariadb.js';
import { askNats, askPatiently, askRedis, type Patience } from '../support/machine/servers.js';

/** What this machine has is found once per run: see test/support/machine. */

const said: string[] = [];
const patience: Patience = { limit: 250_000, quiet: 250_000, pause: 1, say: (text) => said.push(text) };

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Serves each connection in its own way: the last way is that of all later ones. */
async function serve(scheme: string, ...ways: readonly ((socket: Socket) => void)[]): Promise<string> {
  let count = 0;
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    ways[Math.min(count, ways.length - 1)]?.(socket);
    count += 1;
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `${scheme}://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const nats = (socket: Socket): void => void socket.write('INFO {"server_id":"A","version":"2.9.10"}\r\n');
const closing = (socket: Socket): void => void socket.destroy();
const silent = (): void => undefined;

test('a port where nothing listens is a no at once', async () => {
  const address = `nats://127.0.0.1:${String(await freePort())}`;
  expect(await askPatiently(address, askNats, patience)).toEqual({
    reason: `nothing listens at ${new URL(address).host}`,
  });
});

test('a server that ends connections while it starts is asked until it answers', async () => {
  const address = await serve('nats', closing, closing, closing, closing, nats);
  expect(await askPatiently(address, askNats, patience)).toEqual({ at: address, version: '2.9.10' });
});

test('a server that answers late is waited for, and the wait is announced', async () => {
  const waiting: Socket[] = [];
  let isReady = false;
  const address = await serve('nats', (socket) => {
    if (isReady) nats(socket);
    else waiting.push(socket);
  });
  const say = (text: string): void => {
    said.push(text);
    isReady = true;
    for (const socket of waiting) nats(socket);
  };
  const answer = askPatiently(address, askNats, { ...patience, quiet: 1, say });
  expect(await answer).toEqual({ at: address, version: '2.9.10' });
  expect(said.splice(0)).toEqual([`Something listens at ${new URL(address).host} and does not answer yet. Waiting.`]);
});

test('something that listens and never answers is a no after the limit', async () => {
  const address = await serve('nats', silent);
  expect(await askPatiently(address, askNats, { ...patience, limit: 50 })).toEqual({
    reason: `something listens at ${new URL(address).host} and does not answer`,
  });
});

test('Redis is asked for its version', async () => {
  const address = await serve('redis', (socket) =>
    socket.on('data', (text) =>
      socket.write(String(text) === 'INFO server\r\n' ? '$9\r\nredis_version:7.0.15\r\n' : ''),
    ),
  );
  expect(await askPatiently(address, askRedis, patience)).toEqual({ at: address, version: '7.0.15' });
});

test('a MariaDB that ends connections may still be starting; one that refuses root is none', async () => {
  expect(await askMariadb(`${await serve('mysql', closing)}/`)).toBeUndefined();
  const refusal = Buffer.concat([Buffer.from([21, 0, 0, 0, 0xff, 0x6a, 0x04]), Buffer.from('Host is blocked...')]);
  expect(await askMariadb(`${await serve('mysql', (socket) => void socket.write(refusal))}/`)).toEqual({
    reason: expect.stringContaining('the server refuses the tests: ') as string,
  });
});

describe('with known facts', () => {
  const before = { ...process.env };
  const facts = {
    mariadb: { at: 'mysql://root@127.0.0.1:3306/', version: '10.11' },
    pgbouncer: { reason: '' },
    nats: { reason: 'nothing listens at 127.0.0.1:4222' },
  } as unknown as Facts;
  beforeEach(() => {
    process.env['TEST_MACHINE'] = JSON.stringify(facts);
    Reflect.deleteProperty(process.env, 'CI');
  });
  afterAll(() => {
    Object.assign(process.env, { CI: '' }, before);
  });

  test('suites read them', () => {
    expect(found('mariadb')).toEqual(facts.mariadb);
    expect(found('pgbouncer')).toBeUndefined();
    expect(verdictOn('mariadb')).toEqual({ runs: true });
  });

  test('a suite without what it needs is skipped with the reason', () => {
    const reason = 'not run here, it needs PgBouncer: apt-get install pgbouncer';
    expect(verdictOn('pgbouncer')).toEqual({ runs: false, fails: false, reason });
  });

  test('in CI it fails', () => {
    process.env['CI'] = 'true';
    const reason =
      'This suite has to run in CI, which has to provide what it needs: PgBouncer: apt-get install pgbouncer';
    expect(verdictOn('pgbouncer')).toEqual({ runs: false, fails: true, reason });
  });

  test('the list has a line for everything that is not here', () => {
    expect(describeFacts({ ...allHere(), ...facts })).toMatch(
      /^Here: MariaDB 10\.11, [^\n]*\nNot here: NATS: apt-get install nats-server \(nothing listens at 127\.0\.0\.1:4222\)\nNot here: PgBouncer: apt-get install pgbouncer$/,
    );
  });

  /** Every need of this machine, as if it was here. */
  const allHere = (): Facts =>
    Object.fromEntries(
      Object.keys(JSON.parse(before['TEST_MACHINE'] ?? '{}') as Facts).map((name) => [
        name,
        { at: name, version: '1' },
      ]),
    ) as unknown as Facts;
});
