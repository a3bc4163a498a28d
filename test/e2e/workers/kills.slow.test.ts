import { setTimeout as sleep } from 'node:timers/promises';
import { until, writeCustom, type Served, type ServedProcess } from '../../support/served-as-role.js';
import { isRunning, keptConnection, openNotes, startWorkers, workersOf } from './support.js';

let served: Served;
let server: ServedProcess;
beforeAll(async () => {
  served = await openNotes();
  server = await startWorkers(served, 3);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await served.drop();
});

/** The workers that serve, the oldest first. */
const readyWorkers = (): readonly number[] => {
  const running = workersOf(server);
  const ready = [...server.log().matchAll(/"pid":(\d+),"msg":"a worker is ready"/g)].map(([, pid]) => Number(pid));
  return ready.filter((pid) => running.includes(pid));
};

test('twenty workers are killed, and no client waits in vain', async () => {
  const outcomes = new Map<string, number>();
  let isOver = false;
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const client = async (isKept: boolean): Promise<void> => {
    let connection = keptConnection(server.base);
    while (!isOver) {
      await connection.ask('/api/v1/notes?limit=5').then(
        ({ status }) => {
          count(String(status));
        },
        (error: unknown) => {
          count((error as NodeJS.ErrnoException).code ?? (error as Error).message);
        },
      );
      if (!isKept) {
        connection.close();
        connection = keptConnection(server.base);
      }
      await sleep(isKept ? 0 : 2);
    }
    connection.close();
  };
  const clients = Array.from({ length: 12 }, (_, at) => client(at % 2 === 0));
  for (let n = 0; n < 20; n += 1) {
    await until(() => Promise.resolve(readyWorkers().length >= 2));
    const [oldest = 0] = readyWorkers();
    process.kill(oldest, 'SIGKILL');
    await sleep(1_500);
  }
  await until(() => (outcomes.get('200') ?? 0) > 1_000);
  isOver = true;
  await Promise.all(clients);
  const { 200: answered = 0, ECONNRESET: reset = 0, ...others } = Object.fromEntries(outcomes);
  expect(others).toEqual({});
  expect(answered).toBeGreaterThan(1_000);
  // What was in flight at a worker that was killed.
  expect(reset).toBeLessThanOrEqual(20 * clients.length);
});

test('a connection of a worker that stands still goes to another one, or is refused in time', async () => {
  await until(() => Promise.resolve(readyWorkers().length === 3));
  const ask = async (): Promise<number | undefined> => {
    const connection = keptConnection(server.base);
    const { status } = await connection.ask('/api/v1/notes?limit=5', 30_000);
    connection.close();
    return status;
  };
  const asked = (): Promise<readonly (number | undefined)[]> => Promise.all(Array.from({ length: 12 }, ask));
  const workers = readyWorkers();
  const [still = 0, ...others] = workers;
  process.kill(still, 'SIGSTOP');
  try {
    expect(new Set(await asked())).toEqual(new Set([200]));
    for (const pid of others) process.kill(pid, 'SIGSTOP');
    expect(new Set(await asked())).toEqual(new Set([503]));
  } finally {
    for (const pid of workers) process.kill(pid, 'SIGCONT');
  }
  await until(async () => (await ask()) === 200);
  expect(new Set(await asked())).toEqual(new Set([200]));
});

test('a worker that never answers again is ended, and another takes its place', async () => {
  await until(() => Promise.resolve(readyWorkers().length === 3));
  const [hung = 0] = readyWorkers();
  process.kill(hung, 'SIGSTOP');
  await until(() => Promise.resolve(!isRunning(hung)));
  await until(() => Promise.resolve(readyWorkers().length === 3));
  const connection = keptConnection(server.base);
  expect(await connection.ask('/api/v1/notes?limit=5')).toMatchObject({ status: 200 });
  connection.close();
});

test('a start that fails five times ends the parent', async () => {
  const code = `if (process.send !== undefined) process.exit(3); export const custom = {};`;
  const failing = await openNotes();
  await writeCustom(failing, code);
  await expect(startWorkers(failing, 2)).rejects.toThrow(/The workers end before they are ready/);
  await failing.drop();
});
