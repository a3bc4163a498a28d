import { dirname, join } from 'node:path';
import { stopWhenAborted } from '../interrupt.js';
import { diskFileSystem, type FileSystem } from './file-system.js';
import { outputError } from './failure.js';
import { makeFolders, makeMissingFolders } from './folders.js';
import { manifestPath } from './manifest.js';
import { mapConcurrently } from './order.js';
import { generatedFolder, type PlannedFile, type WritePlan } from './plan.js';
import {
  discard,
  journalFile,
  newFile,
  oldFile,
  stagingFolder,
  undo,
  type Journal,
  type Operation,
} from './staging.js';

export interface ApplyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly fileSystem?: FileSystem;
  /** Receives the number of files on the disk. */
  readonly count?: (done: number, total: number) => void;
}

/**
 * Carries a plan out, wholly or not at all. All new text is on the disk before the first file is
 * replaced; each replacement is a rename; a failure or an abort midway puts every file back; a
 * crash midway is undone by the next run.
 *
 * Throws OUTPUT_DISK_FULL, OUTPUT_PERMISSION or OUTPUT_FAILED, and INTERRUPTED when the signal is
 * aborted.
 */
export async function applyWrites(plan: WritePlan, options: ApplyOptions = {}): Promise<void> {
  const changes = inOrder([...plan.project, ...plan.files]);
  if (changes.length === 0) return;
  const fileSystem = options.fileSystem ?? diskFileSystem;
  const root = plan.folder;
  const made: string[] = [];
  try {
    await makeMissingFolders(root, made, fileSystem);
    await stage(root, changes, fileSystem, options);
    await commit(root, changes, fileSystem, options.signal);
    // From here on the change stands.
    await fileSystem.remove(journalFile(root));
  } catch (error) {
    await putBack(root, made, fileSystem);
    throw outputError(error, `write ${root}`);
  }
  // A staging folder that cannot be removed now is removed by the next run: no reason to fail.
  await discard(root, fileSystem).catch(() => undefined);
}

/** Rolls back an incomplete run after a crash. Call it under the lock, before planning. */
export async function recover(root: string, fileSystem: FileSystem = diskFileSystem): Promise<void> {
  try {
    await undo(root, fileSystem);
  } catch (error) {
    throw outputError(error, `restore ${root} after an interrupted run`);
  }
}

type Change = PlannedFile & Operation;

/** Deletions first, so that a new folder may take the place of an old file; the manifest last. */
function inOrder(files: readonly PlannedFile[]): readonly Change[] {
  const changes = files.filter((file): file is Change => file.action !== 'keep');
  const rank = (change: Change): number =>
    change.action === 'delete' ? 0 : change.path === `${generatedFolder}/${manifestPath}` ? 2 : 1;
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

async function stage(
  root: string,
  changes: readonly Change[],
  fileSystem: FileSystem,
  { signal, count }: ApplyOptions,
): Promise<void> {
  await fileSystem.makeFolder(join(root, stagingFolder));
  let done = 0;
  await mapConcurrently(changes, async ({ path, action, after }, index) => {
    stopWhenAborted(signal);
    if (after !== null) await fileSystem.create(newFile(root, index), after);
    if (action !== 'add') await fileSystem.duplicate(join(root, path), oldFile(root, index));
    count?.((done += 1), changes.length);
  });
}

async function commit(
  root: string,
  changes: readonly Change[],
  fileSystem: FileSystem,
  signal: AbortSignal | undefined,
): Promise<void> {
  const journal: Journal = {
    operations: changes.map(({ path, action }) => ({ path, action })),
    folders: await absentFolders(root, changes, fileSystem),
  };
  await fileSystem.create(journalFile(root), JSON.stringify(journal));
  const ready = new Set<string>();
  for (const [index, { path, action }] of changes.entries()) {
    stopWhenAborted(signal);
    if (action === 'delete') {
      await fileSystem.remove(join(root, path));
      await pruneFolders(root, dirname(path), fileSystem);
    } else {
      // Deletions are over by now: a folder that was made stays.
      if (!ready.has(dirname(path))) await makeFolders(root, dirname(path), fileSystem);
      ready.add(dirname(path));
      await fileSystem.rename(newFile(root, index), join(root, path));
    }
  }
}

/** The folders the new files need and that are not there yet, parents first. */
async function absentFolders(
  root: string,
  changes: readonly Change[],
  fileSystem: FileSystem,
): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const { path, action } of changes) {
    if (action !== 'add') continue;
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  }
  const absent: string[] = [];
  for (const folder of folders) {
    const entries = await fileSystem.list(join(root, folder)).catch(() => undefined);
    if (entries === undefined) absent.push(folder);
  }
  return absent;
}

/** Removes the folders that a deletion left empty. */
async function pruneFolders(root: string, folder: string, fileSystem: FileSystem): Promise<void> {
  for (let path = folder; path !== '.'; path = dirname(path)) {
    if (!(await fileSystem.removeFolder(join(root, path)))) return;
  }
}

/**
 * Restores the tree after a failure. When even that fails the journal stays, and the next run
 * restores it.
 */
async function putBack(root: string, made: readonly string[], fileSystem: FileSystem): Promise<void> {
  try {
    await undo(root, fileSystem);
    for (const folder of [...made].reverse()) await fileSystem.removeFolder(folder);
  } catch {
    // The error that brought us here is the one to report.
  }
}
