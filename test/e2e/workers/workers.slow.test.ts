import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../support/free-port.js';
import { runProgram } from '../../support/program.js';
import { startGeneratedServer } from '../../support/running-server.js';
import { activity, until, type Served, type ServedProcess } from '../../support/served-as-role.js';
import { isRunning, keptConnection, oneForEach, openNotes, openSocket, startWorkers, workersOf } from './support.js';

let served: Served;
beforeAll(async () => {
  served = await openNotes();
});
afterAll(() => served.drop());

const metricsAt = async (port: number): Promise<string> =>
  (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
const valueOf = (page: string, series: string): number =>
  Number(
    page
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  );

describe('two workers', () => {
  let server: ServedProcess;
  let metrics: number;
  beforeAll(async () => {
    metrics = await freePort();
    server = await startWorkers(served, 2, {
      APP_METRICS_PORT: String(metrics),
      APP_DATASOURCE_POOL_SIZE: '7',
      APP_LIMITS_HEADERS_TIMEOUT_MS: '1000',
      APP_SERVER_MAX_CONNECTIONS: '200',
      APP_SERVER_MAX_CONNECTIONS_PER_ADDRESS: '60',
    });
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    expect(workersOf(server)).toEqual([]);
  });

  test('get the same number of connections, and answer the same', async () => {
    expect(workersOf(server)).toHaveLength(2);
    const all = Array.from({ length: 16 }, () => keptConnection(server.base));
    const pids = await Promise.all(all.map(async ({ ask }) => (await ask('/pid')).text));
    const counts = [...new Set(pids)].map((pid) => pids.filter((each) => each === pid).length);
    expect(counts).toEqual([8, 8]);
    for (const { ask } of all) expect(await ask('/api/v1/notes?limit=1')).toMatchObject({ status: 200 });
    for (const { close } of all) close();
  });

  test('have together no more connections to the database than are configured', async () => {
    const asked = await Promise.all(Array.from({ length: 40 }, () => server.ask('{ appNotes { id body } }')));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
    const open = await activity(served);
    expect(open.length).toBeGreaterThan(1);
    expect(open.length).toBeLessThanOrEqual(7);
    expect(valueOf(await metricsAt(metrics), 'tablewright_pool_size')).toBe(6);
  });

  test('count their metrics on one page', async () => {
    const series =
      'tablewright_request_duration_seconds_count{protocol="rest",route="/api/v1/{table}/{key}",method="GET",status="200"}';
    for (const { ask, close } of (await oneForEach(server.base, 2)).values()) {
      for (let n = 0; n < 5; n += 1) await ask('/api/v1/notes/1');
      close();
    }
    const page = await metricsAt(metrics);
    expect(valueOf(page, series)).toBe(10);
    expect(valueOf(page, 'tablewright_worker_up{worker="1"}')).toBe(1);
    expect(valueOf(page, 'tablewright_worker_up{worker="2"}')).toBe(1);
    expect(valueOf(page, 'tablewright_schema_stale')).toBe(0);
  });

  test('answer 408 to a client that sends its headers slowly', async () => {
    const socket = await openSocket(server.base);
    socket.write('GET /api/v1/notes HTTP/1.1\r\nHost: localhost\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('have one limit of connections, and forget those that are closed', async () => {
    for (let round = 0; round < 2; round += 1) {
      const sockets = await Promise.all(Array.from({ length: 61 }, () => openSocket(server.base)));
      // The others hear nothing before their time for headers is over.
      expect(await Promise.race(sockets.map((socket) => text(socket)))).toMatch(
        /^HTTP\/1\.1 503 [^]*too many connections from this address/,
      );
      for (const socket of sockets) socket.destroy();
      await until(async () => (await server.get('/health/live').catch(() => undefined))?.status === 200);
      await until(async () => {
        const free = await Promise.all(Array.from({ length: 50 }, () => server.get('/pid')));
        return free.every(({ status }) => status === 200);
      });
    }
  });

  test('one that hangs is shown as such, and the other answers', async () => {
    const [hung = 0] = workersOf(server);
    const series = 'tablewright_tokens_total{outcome="none"}';
    const before = valueOf(await metricsAt(metrics), series);
    process.kill(hung, 'SIGSTOP');
    try {
      // An answer while it hangs: nobody waits for its numbers.
      const page = await metricsAt(metrics);
      expect([1, 2].map((worker) => valueOf(page, `tablewright_worker_up{worker="${String(worker)}"}`)).sort()).toEqual(
        [0, 1],
      );
      // What it had counted is not taken away.
      expect(valueOf(page, series)).toBeGreaterThanOrEqual(before);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      for (let n = 0; n < 20; n += 1) {
        const connection = keptConnection(server.base);
        expect(await connection.ask('/pid', 5_000)).not.toMatchObject({ text: String(hung) });
        connection.close();
      }
    } finally {
      process.kill(hung, 'SIGCONT');
    }
    await until(async () => !/worker_up\{worker="\d"\} 0/.test(await metricsAt(metrics)));
  });
});

test('a request that is being answered at SIGTERM is answered, by each worker', async () => {
  const server = await startWorkers(served, 2);
  const connections = await oneForEach(server.base, 2);
  const slow = [...connections].map(async ([pid, { ask }]) => {
    expect(await ask('/slow?milliseconds=1500')).toEqual({ status: 200, text: String(pid) });
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const ended = server.stop();
  await Promise.all(slow);
  expect(await ended).toBe(0);
  expect(server.log()).toMatch(/"phase":"draining"[^]*"phase":"closed"/);
  for (const pid of connections.keys()) expect(isRunning(pid)).toBe(false);
});

test('a request that does not finish in the grace period is cut off, and the process ends with 1', async () => {
  const server = await startWorkers(served, 2, { APP_SERVER_SHUTDOWN_GRACE_MS: '100' });
  const slow = server.get('/slow?milliseconds=60000').catch((error: unknown) => error);
  await server.get('/pid');
  expect(await server.stop()).toBe(1);
  expect(await slow).toMatchObject({ code: 'ECONNRESET' });
});

test('workers end with a parent that is killed', async () => {
  const server = await startWorkers(served, 2);
  const workers = workersOf(server);
  expect(workers).toHaveLength(2);
  process.kill(server.pid, 'SIGKILL');
  await until(() => Promise.resolve(!workers.some(isRunning)));
});

test('a rate counts the requests of all workers', async () => {
  const rates = JSON.stringify([{ per: 'address', requests: 10, seconds: 600 }]);
  const server = await startWorkers(served, 3, { APP_LIMITS_RATES: rates });
  const statuses: number[] = [];
  const connections = [...(await oneForEach(server.base, 3)).values()];
  for (let n = 0; n < 5; n += 1)
    for (const { ask } of connections) statuses.push((await ask('/api/v1/notes/1')).status);
  for (const { close } of connections) close();
  expect(statuses).toEqual([...Array<number>(10).fill(200), ...Array<number>(5).fill(429)]);
  await server.stop();
});

test('code that runs once runs in the parent, with connections of its own', async () => {
  const main = `
    import { createServer } from '@tablewright/runtime';
    import { generated } from './generated/index.js';
    const server = await createServer({ generated }).listen();
    console.log('worker', server.worker);
    if (server.worker === undefined) {
      const caller = await server.as({});
      console.log('once', JSON.stringify(await caller.query('{ appNotesByPk(id: 1) { body } }')));
    }`;
  await writeFile(join(served.folder, 'dist/once.js'), main);
  const environment = { DATABASE_URL: served.roleUrl, APP_SERVER_WORKERS: '2', NODE_OPTIONS: '' };
  const server = await startGeneratedServer(served.folder, environment, [process.execPath, 'dist/once.js']);
  await until(() => Promise.resolve(server.log().includes('once {"appNotesByPk":{"body":"note 1"}}')));
  expect(server.log().match(/^once/gm)).toHaveLength(1);
  expect(
    server
      .log()
      .match(/^worker .*$/gm)
      ?.toSorted(),
  ).toEqual(['worker 1', 'worker 2', 'worker undefined']);
  expect(await server.stop()).toBe(0);
});

test('app.drift.on-change: exit ends the parent and its workers', async () => {
  const server = await startWorkers(served, 2, { APP_DRIFT_ON_CHANGE: 'exit', APP_DRIFT_PROBE_MS: '200' });
  const workers = workersOf(server);
  await served.query('create table app.more (id int primary key)');
  await until(() => Promise.resolve(!isRunning(server.pid) || workersOf(server).length === 0));
  expect(await server.stop()).toBe(1);
  await until(() => Promise.resolve(!workers.some(isRunning)));
  await served.query('drop table app.more');
});

describe('a server that cannot start says so once, in words, and ends with 1', () => {
  const start = (environment: Readonly<Record<string, string>>) =>
    runProgram(process.execPath, ['dist/main.js'], {
      cwd: served.folder,
      env: { DATABASE_URL: served.roleUrl, APP_SERVER_WORKERS: '2', PORT: '0', NODE_OPTIONS: '', ...environment },
    });

  test.each([
    [
      'a number of workers that is none',
      { APP_SERVER_WORKERS: '0' },
      /APP_SERVER_WORKERS has to be a whole number, 1 or more, or auto, not `0`/,
    ],
    ['a setting of the workers', { APP_SECURITY_JWT_ENABLED: 'true' }, /key/],
    ['PGlite', { DATABASE_URL: 'pglite:' }, /app\.server\.workers is 2, but only one process can open/],
    [
      'a user that the database does not know',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1/postgres' },
      /does not exist/,
    ],
  ])('%s', async (_name, environment: Readonly<Record<string, string>>, message) => {
    const { code, stderr } = await start(environment);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.match(/The server cannot start/g)).toHaveLength(1);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { code, stderr } = await start({ PORT: port, HOST: '127.0.0.1' });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `The server cannot start: Port ${port} is in use already. (EADDRINUSE)\n  listen EADDRINUSE: address already in use 127.0.0.1:${port}\n  Stop the process that listens there, or set PORT to another port.\n`,
    );
    other.close();
  });
});

test('one worker is one process, and loads nothing of this', async () => {
  const server = await startWorkers(served, 1, { NODE_DEBUG: 'esm' });
  expect(workersOf(server)).toEqual([]);
  expect(server.log()).not.toMatch(/workers\/(family|seat|supervisor|channel)\.js/);
  await server.stop();
});
