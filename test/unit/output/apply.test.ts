import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { applyWrites, recover } from '../../../src/output/apply.js';
import { copyWithTimes, diskFileSystem } from '../../../src/output/file-system.js';
import { planWrites } from '../../../src/output/plan.js';
import { temporaryFolder, texts, treeOf, writeTree } from '../../support/folders.js';
import { interceptedDisk, systemError } from './intercepted-disk.js';
import { volume } from '../../support/volume.js';

const origin = { version: '1.0.0', runtime: { name: '@tablewright/runtime', version: '1.2.0' }, format: 1, inputs: {} };

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

/** Trees with few names, so that changes, deletions and files in place of folders are frequent. */
const tree = fc
  .dictionary(fc.constantFrom('a', 'b', 'c/d', 'c/e', 'c', 'a/b/f', 'g/h/i', 'g/h/j'), fc.constantFrom('1', '2', '3'), {
    maxKeys: 6,
  })
  .map((files) => new Map(Object.entries(files).filter(([path]) => !hasParent(path, Object.keys(files)))));

const hasParent = (path: string, all: readonly string[]): boolean => all.some((other) => path.startsWith(`${other}/`));

const inProject = (files: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...files].map(([path, text]) => [`src/generated/${path}`, text]));

/** What the catalogue in the folder would give again: what was written last. */
let written: ReadonlyMap<string, string> | undefined;
const witnesses = { emitAgain: () => Promise.resolve(written), committed: () => Promise.resolve(undefined) };

async function write(files: ReadonlyMap<string, string>): Promise<void> {
  await applyWrites(await planWrites(folder, files, { origin, witnesses }));
  written = files;
}

test('whatever was there, what is wanted is there afterwards, and the user’s own files still are', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (before, after) => {
      await remove();
      await write(before);
      await writeTree(folder, { 'src/generated/own/note.txt': 'mine' });
      await write(after);
      const { 'src/generated/manifest.json': manifest, ...files } = await texts(folder);
      expect(files).toEqual({ ...inProject(after), 'src/generated/own/note.txt': 'mine' });
      expect(manifest).toContain('tablewright 1.0.0');
    }),
    { numRuns: volume(20, 60) },
  );
});

test('unchanged files keep their modification time', async () => {
  await write(
    new Map([
      ['a', '1'],
      ['b', '1'],
    ]),
  );
  const before = await stat(join(folder, 'src/generated/a'));
  await write(
    new Map([
      ['a', '1'],
      ['b', '2'],
    ]),
  );
  const after = await stat(join(folder, 'src/generated/a'));
  expect([after.mtimeMs, after.ino]).toEqual([before.mtimeMs, before.ino]);
});

test('a failure at any call leaves the tree as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      tree,
      fc.nat({ max: 40 }),
      fc.constantFrom('ENOSPC', 'EACCES', 'EIO'),
      async (before, after, failAt, code) => {
        await remove();
        await write(before);
        const was = await treeOf(folder);
        const plan = await planWrites(folder, after, {
          origin,
          witnesses,
          project: new Map([['src/main.ts', 'main']]),
        });
        let calls = 0;
        const disk = interceptedDisk(() => {
          // Fails only once, because the rollback must be able to write.
          if (calls++ === failAt) throw systemError(code);
        });
        try {
          await applyWrites(plan, { fileSystem: disk });
        } catch (error) {
          expect(error).toMatchObject({
            code: { ENOSPC: 'OUTPUT_DISK_FULL', EACCES: 'OUTPUT_PERMISSION', EIO: 'OUTPUT_FAILED' }[code],
          });
          expect(await treeOf(folder)).toEqual(was);
          return;
        }
        expect(await texts(folder)).toMatchObject({ ...inProject(after), 'src/main.ts': 'main' });
      },
    ),
    { numRuns: volume(40, 150) },
  );
});

test('a crash at any call is undone by the next run', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.nat({ max: 40 }), fc.nat({ max: 10 }), async (before, after, crashAt, again) => {
      await remove();
      await write(before);
      const was = await treeOf(folder);
      const plan = await planWrites(folder, after, { origin, witnesses });
      /** From this call on nothing reaches the disk, as after a crash of the process. */
      const crashing = (at: number): ReturnType<typeof interceptedDisk> => {
        let calls = 0;
        return interceptedDisk(() => {
          if (calls++ >= at) throw systemError('EIO');
        });
      };
      const finished = await applyWrites(plan, { fileSystem: crashing(crashAt) }).then(
        () => true,
        () => false,
      );
      await recover(folder, crashing(again)).catch(() => undefined);
      await recover(folder);
      if (finished) expect(await texts(folder)).toMatchObject(inProject(after));
      else expect(await treeOf(folder)).toEqual(was);
    }),
    { numRuns: volume(60, 200) },
  );
});

test('an interruption at any moment leaves the tree as it was', async () => {
  await write(
    new Map([
      ['a', '1'],
      ['b/c', '1'],
      ['d', '1'],
    ]),
  );
  const was = await treeOf(folder);
  const after = new Map([
    ['a', '2'],
    ['b', '2'],
    ['e/f', '2'],
  ]);
  for (let at = 0; ; at += 1) {
    const controller = new AbortController();
    let calls = 0;
    const disk = interceptedDisk(() => {
      if (calls++ === at) controller.abort();
    });
    const plan = await planWrites(folder, after, { origin, witnesses });
    try {
      await applyWrites(plan, { fileSystem: disk, signal: controller.signal });
    } catch (error) {
      expect(error).toMatchObject({ code: 'INTERRUPTED' });
      expect(await treeOf(folder)).toEqual(was);
      continue;
    }
    expect(at).toBeGreaterThan(8);
    expect(await texts(folder)).toMatchObject(inProject(after));
    break;
  }
});

test('a new project that fails leaves no folder behind', async () => {
  const out = join(folder, 'some', 'where');
  const plan = await planWrites(
    out,
    new Map([
      ['x/a', '1'],
      ['b', '2'],
    ]),
    { origin },
  );
  const disk = interceptedDisk((call, path) => {
    if (call === 'rename' && path.endsWith('1.new')) throw systemError('ENOSPC');
  });
  await expect(applyWrites(plan, { fileSystem: disk })).rejects.toMatchObject({
    code: 'OUTPUT_DISK_FULL',
    message: expect.stringContaining('no space left') as string,
  });
  expect(await treeOf(folder)).toEqual({});
});

test('nothing to do touches nothing', async () => {
  await write(new Map([['a', '1']]));
  const plan = await planWrites(folder, new Map([['a', '1']]), { origin, witnesses });
  const disk = interceptedDisk((call) => {
    throw new Error(`unexpected ${call}`);
  });
  await applyWrites(plan, { fileSystem: disk });
});

test('a disk without hard links is as safe', async () => {
  await write(new Map([['a', '1']]));
  const was = await texts(folder);
  const { mtimeMs } = await stat(join(folder, 'src/generated/a'));
  const plan = await planWrites(folder, new Map([['a', '2']]), { origin: { ...origin, version: '2.0.0' }, witnesses });
  const rename = (from: string, to: string): Promise<void> =>
    from.endsWith('.new') && to.endsWith('manifest.json')
      ? Promise.reject(systemError('EIO'))
      : diskFileSystem.rename(from, to);
  await expect(
    applyWrites(plan, { fileSystem: { ...diskFileSystem, duplicate: copyWithTimes, rename } }),
  ).rejects.toMatchObject({
    code: 'OUTPUT_FAILED',
  });
  expect(await texts(folder)).toEqual(was);
  expect(Math.abs((await stat(join(folder, 'src/generated/a'))).mtimeMs - mtimeMs)).toBeLessThan(1);
});
