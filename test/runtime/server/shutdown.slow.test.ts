import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import type { Transpiled } from '../../support/transpile.js';
import { until } from '../../support/until.js';
import { readBoard, schema } from '../rest/support/board.js';
import { drain, startProgram, writeProgram, type Running } from './support/process.js';

let database: TestDatabase;
let program: Transpiled;
/** Holds a lock so that reads of the projects wait until its rollback. */
let lock: pg.Client;

beforeAll(async () => {
  database = await createFilledDatabase('shutdown', schema);
  program = await writeProgram((await readBoard(database.url)).descriptors);
});
afterAll(async () => {
  await program.remove();
  await database.drop();
});
beforeEach(async () => {
  lock = new pg.Client({ connectionString: database.url });
  await lock.connect();
});
afterEach(() => lock.end());

/** A grace period longer than the time limit of a test: a server that waits for its end fails. */
const grace = { APP_SERVER_SHUTDOWN_GRACE_MS: '3600000' };

const start = (environment: Readonly<Record<string, string>> = grace): Running =>
  startProgram(program.folder, { DATABASE_URL: database.url, ...environment });

/** A client's connection for raw bytes. */
interface Wire {
  readonly socket: Socket;
  readonly text: () => string;
  /** Resolves once the text so far matches. */
  readonly until: (pattern: RegExp) => Promise<void>;
  readonly closed: Promise<unknown>;
}

async function open(address: string, first = ''): Promise<Wire> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(first);
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(text)) await sleep(5);
  };
  return { socket, text: () => text, until, closed };
}

const head = (request: string, ...lines: readonly string[]): string =>
  [request, 'host: localhost', ...lines, '', ''].join('\r\n');
const live = head('GET /health/live HTTP/1.1');

/** Milliseconds from the signal to the end, and the exit code. */
async function end(running: Running): Promise<{ readonly code: number | null; readonly milliseconds: number }> {
  const since = performance.now();
  running.child.kill('SIGTERM');
  const code = await running.ended;
  return { code, milliseconds: performance.now() - since };
}

/**
 * Resolves once the server has read what was written before on other connections, with a connection
 * that is idle then.
 */
async function received(address: string): Promise<Wire> {
  const idle = await open(address, live);
  await idle.until(/\{"status":"live"\}/);
  // The server accepts a connection in the turn of its event loop that answers the first of these
  // requests at the latest, and reads the bytes on it in the turn that answers the second.
  for (const answers of [2, 3]) {
    idle.socket.write(live);
    await idle.until(new RegExp(`(?:"live"[^]*){${String(answers)}}`));
  }
  return idle;
}

const waiting = async (): Promise<number> => {
  const { rows } = await lock.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]?.count);
};

test('connections on which nothing is to be answered keep nobody waiting: silent, idle, and with headers half sent', async () => {
  const running = start();
  const address = await running.listening;
  const silent = await open(address);
  const half = await open(address, 'GET /health/live HTTP/1.1\r\nhost: localhost\r\nx: ');
  const idle = await received(address);
  expect((await end(running)).code).toBe(0);
  await Promise.all([silent.closed, idle.closed, half.closed]);
  expect([silent.text(), half.text()]).toEqual(['', '']);
});

test('the end comes as soon as a slow query on a connection that is kept alive is answered, with `Connection: close`', async () => {
  const running = start();
  const address = await running.listening;
  await lock.query('begin; lock table board.projects in access exclusive mode');
  const reading = await open(address, live);
  await reading.until(/"live"/);
  reading.socket.write(head('GET /api/v1/projects HTTP/1.1'));
  await until(async () => (await waiting()) > 0);
  const ended = end(running);
  // Longer than the time until the server closes idle connections.
  await sleep(1_000);
  expect(running.child.exitCode).toBeNull();
  await lock.query('rollback');
  await reading.closed;
  expect(reading.text()).toMatch(
    /HTTP\/1\.1 200 OK\r\n[^]*HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*"data":\[/i,
  );
  expect((await ended).code).toBe(0);
});

test('a body that is half sent may be sent to its end, and is answered', async () => {
  const running = start();
  const address = await running.listening;
  const upload = await open(address, head('POST /upload HTTP/1.1', 'content-type: text/plain', 'content-length: 10'));
  upload.socket.write('01234');
  await received(address);
  const ended = end(running);
  await sleep(1_000);
  upload.socket.write('56789');
  await upload.closed;
  expect(upload.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*\{"received":10\}$/i);
  expect(await ended).toMatchObject({ code: 0 });
});

test('a request whose headers begin to arrive while clients are told to leave is answered', async () => {
  const running = start();
  const address = await running.listening;
  const [quick, dawdling] = [await open(address), await open(address)];
  await drain(running, 'SIGTERM');
  for (const { socket } of [quick, dawdling]) socket.write('GET /health/live HTTP/1.1\r\nhost');
  await sleep(600);
  quick.socket.write(': a\r\n\r\n');
  await Promise.all([quick.closed, dawdling.closed]);
  expect(quick.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n/i);
  expect(dawdling.text()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*connection: close\r\n/);
  expect(await running.ended).toBe(0);
});

test('a client that reads its answer slowly gets all of it, and then the process ends with 0', async () => {
  const running = start();
  const address = await running.listening;
  const bytes = 50_000_000;
  const reader = await open(address);
  reader.socket.pause();
  reader.socket.write(head(`GET /large?bytes=${bytes} HTTP/1.1`));
  await received(address);
  const ended = end(running);
  await sleep(1_000);
  reader.socket.resume();
  await reader.closed;
  expect(reader.text().length).toBeGreaterThan(bytes);
  expect(await ended).toMatchObject({ code: 0 });
});

test('what is not answered in the grace period is cut off: the process ends with 1, and the log says what it was', async () => {
  const running = start({ APP_SERVER_SHUTDOWN_GRACE_MS: '1500' });
  const address = await running.listening;
  await lock.query('begin; lock table board.projects in access exclusive mode');
  const reader = await open(address);
  reader.socket.pause();
  reader.socket.write(head('GET /large?bytes=50000000 HTTP/1.1'));
  await open(address, head('GET /api/v1/projects?id=eq.77 HTTP/1.1'));
  await open(address, head('POST /upload HTTP/1.1', 'content-type: text/plain', 'content-length: 9'));
  await open(address);
  await received(address);
  await until(async () => (await waiting()) > 0);
  const { code, milliseconds } = await end(running);
  expect(code).toBe(1);
  expect(milliseconds).toBeGreaterThan(1_500);
  const line = /^.*"phase":"forced".*$/m.exec(running.stdout())?.[0] ?? '';
  expect(JSON.parse(line)).toMatchObject({
    count: 3,
    unanswered: [
      { method: 'GET', path: '/large', state: 'sending' },
      { method: 'GET', path: '/api/v1/projects', state: 'answering' },
      { method: 'POST', path: '/upload', state: 'receiving' },
    ],
  });
  expect(line).not.toContain('eq.77');
});

test('a second signal ends the process at once, whatever is under way', async () => {
  const running = start();
  const address = await running.listening;
  await lock.query('begin; lock table board.projects in access exclusive mode');
  await open(address, head('GET /api/v1/projects HTTP/1.1'));
  await open(address);
  await until(async () => (await waiting()) > 0);
  await drain(running, 'SIGTERM');
  // The lock and the silent connection would keep it until the end of the grace period.
  expect((await end(running)).code).toBe(1);
});

test('nobody is answered who connects after the server has stopped listening', async () => {
  const running = start();
  const address = await running.listening;
  await lock.query('begin; lock table board.projects in access exclusive mode');
  await open(address, head('GET /api/v1/projects HTTP/1.1'));
  await until(async () => (await waiting()) > 0);
  running.child.kill('SIGTERM');
  await until(() =>
    open(address, live).then(
      () => false,
      (error: unknown) => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED',
    ),
  );
  await lock.query('rollback');
  expect(await running.ended).toBe(0);
});
