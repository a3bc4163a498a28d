import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startEmbedded, type EmbeddedServer } from '../../support/embedded.js';
import { fakePostgres } from '../../support/fake-postgres.js';
import { freePort } from '../../support/free-port.js';
import { createFilledDatabase, loadSql } from '../../support/postgres.js';
import type { Transpiled } from '../../support/transpile.js';
import { until } from '../../support/until.js';
import { createKey, type TestKey } from '../auth/support.js';
import { createClient, type Client } from '../rest/support/client.js';
import { readBoard, schema } from '../rest/support/board.js';
import { startProgram, writeProgram, type Running } from './support/process.js';

let program: Transpiled;
let folder: string;
/** The tests' database listens on this port, while it runs. */
let port: number;
let key: TestKey;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-contact-'));
  port = await freePort();
  key = await createKey('EdDSA');
  const postgres = await startDatabase();
  await loadSql(postgres.url, `${schema}; create role plain login password 'hush-plain';`);
  await loadSql(
    postgres.url,
    'grant usage on schema board to plain; grant select on all tables in schema board to plain',
  );
  program = await writeProgram((await readBoard(postgres.url)).descriptors);
  await postgres.stop();
});
afterAll(async () => {
  await program.remove();
  await rm(folder, { recursive: true });
});

const startDatabase = (): Promise<EmbeddedServer> => startEmbedded({ folder, port });

const url = (user = 'plain', password = 'hush-plain', name = 'postgres'): string =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;

const start = (environment: Readonly<Record<string, string>>): Running => startProgram(program.folder, environment);

const ready = (client: Client): Promise<void> => until(async () => (await client.get('/health/ready')).status === 200);

test('a server whose database is down listens, says so, and serves as soon as it is there', async () => {
  const running = start({ DATABASE_URL: url() });
  const client = createClient(await running.listening);
  expect((await client.get('/health/live')).status).toBe(200);
  const readiness = await client.get('/health/ready');
  expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
    503,
    { status: 'database unavailable', reason: 'connection refused' },
  ]);
  const refused = await client.get('/api/v1/projects');
  expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text)]).toEqual([
    503,
    '1',
    expect.objectContaining({ code: 'TW013', message: 'The database is not available.' }),
  ]);
  expect(readiness.text + refused.text).not.toMatch(/hush|127\.0\.0\.1|ECONN/);
  // Requests that need no database are answered as usual.
  expect((await client.get('/api/v1/nothing')).status).toBe(404);
  await sleep(3_000);
  expect(running.child.exitCode).toBeNull();
  const postgres = await startDatabase();
  await ready(client);
  expect((await client.get('/api/v1/projects')).status).toBe(200);
  const lines = running.stdout().split('\n');
  const waiting = lines.filter((line) => line.includes('waiting for the database'));
  expect(waiting.length).toBe(new Set(waiting.map((line) => (JSON.parse(line) as { reason: string }).reason)).size);
  expect(lines.filter((line) => /"attempts":\d+,.*the database is available/.test(line))).toHaveLength(1);
  expect(running.stdout() + running.stderr()).not.toContain('hush');
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  await postgres.stop();
});

test('a server that waits for its database ends with 0 at SIGTERM', async () => {
  const running = start({ DATABASE_URL: url() });
  await running.listening;
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
});

test.each([
  ['a host that does not answer', 'silent', 'no answer in time'],
  ['a database that is starting up', 'starting up', 'starting up or shutting down'],
  ['a database without a free connection', 'too many connections', 'too many connections'],
] as const)('%s is waited for', async (_name, behaviour, reason) => {
  const database = await fakePostgres(behaviour);
  const running = start({ DATABASE_URL: database.url, APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '300' });
  const client = createClient(await running.listening);
  const told = { status: 'database unavailable', reason };
  await until(async () => isDeepStrictEqual(JSON.parse((await client.get('/health/ready')).text), told));
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  await database.close();
});

test('a host name that is not known is waited for', async () => {
  const running = start({ DATABASE_URL: 'postgres://me:hush@nowhere.invalid/none' });
  const client = createClient(await running.listening);
  await until(async () => (await client.get('/health/ready')).text.includes('host name not found'));
  running.child.kill('SIGKILL');
  await running.ended;
});

const verification = (): Readonly<Record<string, string>> => ({
  APP_SECURITY_JWT_ENABLED: 'true',
  APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
});

/**
 * Ends with an error. A server whose database is slow to answer listens before that, and serves no
 * request.
 */
async function servesNothing({ listening, ended }: Running): Promise<void> {
  const address = await listening.catch(() => undefined);
  if (address !== undefined) {
    const client = createClient(address);
    for (;;) {
      const answer = await client.get('/api/v1/boards').catch(() => undefined);
      if (answer === undefined) break;
      expect(answer.status).toBe(503);
    }
  }
  expect(await ended).toBe(1);
}

/** Start-up failures that waiting does not solve. */
const permanent: readonly (readonly [string, () => Readonly<Record<string, string>>, RegExp])[] = [
  ['a database that is not there', () => ({ DATABASE_URL: url('plain', 'hush-plain', 'none') }), /none/],
  ['a wrong password', () => ({ DATABASE_URL: url('plain', 'hush-wrong') }), /password authentication failed/],
  [
    'a superuser while tokens are verified',
    () => ({ DATABASE_URL: url('postgres', 'postgres'), ...verification() }),
    /no row level security policy applies to the role postgres/,
  ],
];

describe.each(permanent)('%s', (_name, environment, message) => {
  test('is refused at start, and with the same words when the database comes later', async () => {
    const late = start(environment());
    await late.listening;
    const postgres = await startDatabase();
    expect(await late.ended).toBe(1);
    const atOnce = start(environment());
    await servesNothing(atOnce);
    await postgres.stop();
    for (const running of [late, atOnce]) {
      expect(running.stderr()).toMatch(/^The server cannot start: /);
      expect(running.stderr()).toMatch(message);
      expect(running.stderr()).not.toMatch(/\n\s+at |hush/);
    }
    expect(late.stderr()).toBe(atOnce.stderr());
  });
});

test('a request never passes before the checks: a superuser is refused although its database answers', async () => {
  const database = await createFilledDatabase('first_contact', schema);
  await servesNothing(start({ DATABASE_URL: database.url, ...verification() }));
  await database.drop();
});
