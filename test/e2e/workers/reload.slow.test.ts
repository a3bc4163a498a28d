import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until, writeCustom, type Served, type ServedProcess } from '../../support/served-as-role.js';
import { keptConnection, openNotes, startWorkers, workersOf } from './support.js';

let served: Served;
let server: ServedProcess;
beforeAll(async () => {
  served = await openNotes();
  server = await startWorkers(served, 2);
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await served.drop();
});

const count = (text: string): number => server.log().split(text).length - 1;
const reload = async (): Promise<void> => {
  const before = count('all workers are replaced');
  process.kill(server.pid, 'SIGHUP');
  await until(() => Promise.resolve(count('all workers are replaced') > before));
};

test('clients of three rhythms lose no request while the workers are replaced', async () => {
  const failures: unknown[] = [];
  let [requests, isOver] = [0, false];
  const client = async (pause: number, isKept: boolean): Promise<void> => {
    let connection = keptConnection(server.base);
    while (!isOver) {
      requests += 1;
      const answer = await connection.ask('/api/v1/notes?limit=5').catch((error: unknown) => error);
      if ((answer as { status?: number }).status !== 200) failures.push(answer);
      if (!isKept) {
        connection.close();
        connection = keptConnection(server.base);
      }
      await sleep(pause);
    }
    connection.close();
  };
  const rhythms = [0, 20, 400].flatMap((pause) => Array.from({ length: 4 }, () => client(pause, true)));
  const clients = [...rhythms, client(5, false), client(5, false)];
  const before = workersOf(server);
  for (let n = 0; n < 5; n += 1) await reload();
  isOver = true;
  await Promise.all(clients);
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(500);
  const after = workersOf(server);
  expect(after).toHaveLength(2);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
});

test('the new workers run the new code; code that does not start changes nothing', async () => {
  const version = (number: number): string => `
    import { Router } from 'express';
    const router = Router();
    router.get('/version', (request, response) => response.json(${String(number)}));
    export const custom = { routes: [router] };`;
  await writeCustom(served, version(2));
  await reload();
  expect((await server.get('/version')).text).toBe('2');
  const workers = workersOf(server);
  await writeCustom(served, `throw new Error('not this');`);
  process.kill(server.pid, 'SIGHUP');
  await until(() => Promise.resolve(count('the workers are not replaced') === 1));
  expect(workersOf(server)).toEqual(workers);
  expect((await server.get('/version')).text).toBe('2');
  await writeCustom(served, version(3));
  await reload();
  expect((await server.get('/version')).text).toBe('3');
  expect(await readFile(join(served.folder, 'dist/custom/index.js'), 'utf8')).toContain('3');
});
