import { once } from 'node:events';
import { createServer } from 'node:net';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import type { Transpiled } from '../../support/transpile.js';
import { createClient } from '../rest/support/client.js';
import { readBoard, schema } from '../rest/support/board.js';
import { drain, startProgram, writeProgram, type Running } from './support/process.js';

let database: TestDatabase;
let program: Transpiled;

beforeAll(async () => {
  database = await createFilledDatabase('server', schema);
  program = await writeProgram((await readBoard(database.url)).descriptors);
});
afterAll(async () => {
  await program.remove();
  await database.drop();
});

const start = (environment: Readonly<Record<string, string>>): Running =>
  startProgram(program.folder, { DATABASE_URL: database.url, ...environment });

test('a request that is being answered at SIGTERM is answered, and the process ends with 0', async () => {
  const running = start({});
  const client = createClient(await running.listening);
  const slow = client.get('/slow?milliseconds=1000');
  await client.get('/health/live');
  await drain(running, 'SIGTERM');
  const readiness = await client.get('/health/ready');
  expect(readiness).toMatchObject({ status: 503, text: '{"status":"draining"}' });
  expect(readiness.headers.connection).toBe('close');
  expect((await client.get('/api/v1/projects')).status).toBe(200);
  expect(await slow).toMatchObject({ status: 200, text: 'finished' });
  expect(await running.ended).toBe(0);
  expect(running.stdout()).toMatch(/"phase":"draining"[^]*"phase":"closed"/);
});

test('a second signal ends the process at once', async () => {
  const running = start({});
  const client = createClient(await running.listening);
  const slow = client.get('/slow?milliseconds=60000').catch((error: unknown) => error);
  await client.get('/health/live');
  await drain(running, 'SIGINT');
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(1);
  expect(await slow).toMatchObject({ code: 'ECONNRESET' });
});

test('a request that does not finish in the grace period is cut off', async () => {
  const running = start({ APP_SERVER_SHUTDOWN_GRACE_MS: '50' });
  const client = createClient(await running.listening);
  const slow = client.get('/slow?milliseconds=60000').catch((error: unknown) => error);
  await client.get('/health/live');
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(1);
  expect(await slow).toMatchObject({ code: 'ECONNRESET' });
  expect(running.stdout()).toContain('"phase":"forced"');
});

test.each([
  ['a setting of the wrong form', { APP_MAX_ROWS: 'many' }, /APP_MAX_ROWS has to be a whole number/],
  ['no database', { DATABASE_URL: '' }, /no database address/i],
  ['verification without a key', { APP_SECURITY_JWT_ENABLED: 'true' }, /key/i],
])('%s is told in words, without a stack, and the process ends with 1', async (_name, environment, message) => {
  const running = start(environment);
  await expect(running.listening).rejects.toThrow('ended');
  expect(await running.ended).toBe(1);
  expect(running.stderr()).toMatch(/^The server cannot start: /);
  expect(running.stderr()).toMatch(message);
  expect(running.stderr()).not.toMatch(/\n\s+at |hush/);
});

test('a port that is taken is told in words', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const running = start({ PORT: port });
  expect(await running.ended).toBe(1);
  expect(running.stderr()).toContain(`Port ${port} is in use already.`);
  other.close();
});
