import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockFile, withLock } from '../../../src/output/lock.js';
import { temporaryFolder, treeOf, writeTree } from '../../support/folders.js';
import { interceptedDisk, systemError } from './intercepted-disk.js';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const held = (pid: number, host = hostname()): Record<string, string> => ({
  [lockFile]: JSON.stringify({ pid, host, run: 'other' }),
});

test('one run at a time; the other is told who is at it', async () => {
  await withLock(folder, async () => {
    await expect(withLock(folder, () => Promise.resolve())).rejects.toMatchObject({
      code: 'OUTPUT_LOCKED',
      message: expect.stringContaining(`process ${String(process.pid)}`) as string,
    });
  });
  await expect(withLock(folder, () => Promise.resolve('free again'))).resolves.toBe('free again');
});

test('the lock is given back when the work fails, and the error is the work’s', async () => {
  await expect(withLock(folder, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(await treeOf(folder)).toEqual({});
});

test('a folder that was absent and stays empty is removed again', async () => {
  await withLock(join(folder, 'a', 'b'), async () => {
    expect(Object.keys(await treeOf(folder))).toContain(`a/b/${lockFile}`);
  });
  expect(await treeOf(folder)).toEqual({});
});

test('the lock of a process that died is taken over', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  await writeTree(folder, held(pid));
  await expect(withLock(folder, () => Promise.resolve('done'))).resolves.toBe('done');
  expect(await treeOf(folder)).toEqual({});
});

test('of many that find a dead lock one gets it at a time', async () => {
  await writeTree(folder, held(4_000_000));
  const isAlive = (pid: number): boolean => pid === process.pid;
  let inside = 0;
  let most = 0;
  const attempts = Array.from({ length: 20 }, () =>
    withLock(
      folder,
      async () => {
        most = Math.max(most, (inside += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        inside -= 1;
      },
      { isAlive },
    ).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'OUTPUT_LOCKED' });
    }),
  );
  await Promise.all(attempts);
  expect(most).toBe(1);
  expect(await treeOf(folder)).toEqual({});
});

test('a lock of another machine, or one that cannot be read, is respected', async () => {
  for (const lock of [held(4_000_000, 'elsewhere'), { [lockFile]: '' }]) {
    await writeTree(folder, lock);
    await expect(withLock(folder, () => Promise.resolve())).rejects.toMatchObject({
      code: 'OUTPUT_LOCKED',
      hint: expect.stringContaining(lockFile) as string,
    });
  }
});

test('a folder that cannot be written', async () => {
  const fileSystem = interceptedDisk(() => {
    throw systemError('EACCES');
  });
  await expect(withLock(join(folder, 'x'), () => Promise.resolve(), { fileSystem })).rejects.toMatchObject({
    code: 'OUTPUT_PERMISSION',
  });
});
