import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hold } from '../support/leaks/held.js';
import { beforeSuite, leftBehind } from '../support/leaks/suite.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { until } from '../support/until.js';

/** A suite that leaves anything behind fails: see test/support/leaks. */

test('nothing is said of a suite that leaves nothing', async () => {
  expect(await leftBehind(beforeSuite())).toEqual([]);
});

test('processes are named and ended, also those whose parent has ended', async () => {
  const before = beforeSuite();
  const child = spawn('sh', ['-c', 'sleep 300 & echo $!'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const [pid] = (await once(child.stdout, 'data')) as [Buffer];
  await once(child, 'exit');
  // Before it runs its program, a new process has the command line of its parent.
  await until(async () => (await readFile(`/proc/${String(pid).trim()}/cmdline`, 'utf8')).startsWith('sleep'));
  expect(await leftBehind(before, 0)).toEqual([`the process ${String(pid).trim()}: sleep 300`]);
  expect(await leftBehind(before)).toEqual([]);
});

test('folders are named and removed', async () => {
  const before = beforeSuite();
  const folders = [await mkdtemp(join(tmpdir(), 'left-')), await scratchFolder('left')];
  expect(await leftBehind(before, 0)).toEqual(folders);
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
});

test('a listener is named by its port', async () => {
  const before = beforeSuite();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await leftBehind(before, 0)).toEqual([`a listener at port ${String(port)}`]);
  server.close();
  expect(await leftBehind(before)).toEqual([]);
});

test('a database that is not dropped is named', async () => {
  const before = beforeSuite();
  const dropped = hold({ what: 'the database one' });
  hold({ what: 'the database two' });
  dropped();
  expect(await leftBehind(before, 0)).toEqual(['the database two']);
  expect(await leftBehind(before)).toEqual([]);
});

test('what a suite ends without waiting is no leak', async () => {
  const before = beforeSuite();
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  setTimeout(() => child.kill(), 100);
  expect(await leftBehind(before)).toEqual([]);
});
