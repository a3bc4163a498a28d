import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServerProcess } from '../../../src/cli/server-process.js';

/**
 * A program that reports the fingerprints of its schemas, each after this many milliseconds, and
 * keeps running.
 */
const program = (told: readonly (readonly [milliseconds: number, fingerprint: string])[]): string =>
  told
    .map(
      ([milliseconds, fingerprint]) =>
        `setTimeout(() => process.send({ kind: 'tablewright-schema', fingerprint: '${fingerprint}' }), ${String(milliseconds)});`,
    )
    .join('\n') + '\nsetInterval(() => undefined, 1000);';

let folder: string;
let server: ServerProcess;
let addresses: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablewright-server-process-'));
  await mkdir(join(folder, 'dist'));
  addresses = [];
  const listening = (address: string): unknown => addresses.push(address);
  // A server that is waited for too long runs into the time limit of the test.
  server = new ServerProcess(folder, () => undefined, { listening }, Infinity);
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const start = async (text: string): Promise<void> => {
  await writeFile(join(folder, 'dist/main.js'), text);
  await server.restart(process.env);
};

test('a server that has just been started is waited for until it tells what it serves', async () => {
  await start(program([[600, 'new']]));
  expect(await server.follows('new')).toBe(true);
});

test('one that follows later than a fast machine would is waited for as long as the machine is slow', async () => {
  await start(
    program([
      [0, 'old'],
      [3_800, 'new'],
    ]),
  );
  expect(await server.follows('new', 20_000)).toBe(true);
});

test('one that takes long to listen is waited for from then on', async () => {
  const listens = `setTimeout(() => process.send({ kind: 'tablewright-schema', listening: true }), 5500);`;
  await start(`${listens}\n${program([[7_000, 'new']])}`);
  await delay(5_000);
  expect(await server.follows('new', 20_000)).toBe(true);
});

test('a server that starts is waited for until it listens or ends', async () => {
  const listens = { kind: 'tablewright-schema', listening: true, address: 'here' };
  await start(`setTimeout(() => process.send(${JSON.stringify(listens)}), 500); setInterval(() => undefined, 1000);`);
  await server.loaded();
  expect(addresses).toEqual(['here']);
  await start('process.exit(0);');
  await server.loaded();
  expect(addresses).toEqual(['here']);
});

test('one that tells nothing, or ends, does not follow', async () => {
  await start(program([]));
  expect(await server.follows('new')).toBe(false);
  await start('process.exit(0);');
  expect(await server.follows('new')).toBe(false);
});
