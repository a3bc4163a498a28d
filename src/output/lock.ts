import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TablewrightError } from '../errors.js';
import { outputError } from './failure.js';
import { systemCode } from '../system-error.js';
import { diskFileSystem, type FileSystem } from './file-system.js';
import { makeMissingFolders } from './folders.js';

export const lockFile = '.tablewright.lock';

/** `run` tells two runs of one process apart. */
const holderSchema = z.object({ pid: z.number(), host: z.string(), run: z.string() });
type Holder = z.infer<typeof holderSchema>;

export interface LockOptions {
  readonly fileSystem?: FileSystem;
  /** Whether a process of this machine is alive; for tests. */
  readonly isAlive?: (pid: number) => boolean;
}

/**
 * Runs `work` while no other run may write to the folder. The lock is a file in the folder that
 * names its holder. The lock of a process that has died is taken over. The folder is created if it
 * does not exist, and removed if `work` left it empty.
 *
 * Throws OUTPUT_LOCKED if another run holds the lock, and OUTPUT_PERMISSION if the folder cannot be
 * written.
 */
export async function withLock<T>(folder: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const fileSystem = options.fileSystem ?? diskFileSystem;
  const path = join(folder, lockFile);
  const made: string[] = [];
  try {
    try {
      await makeMissingFolders(folder, made, fileSystem);
      await acquire(path, fileSystem, options.isAlive ?? isProcessAlive);
    } catch (error) {
      throw outputError(error, `write ${folder}`);
    }
    try {
      return await work();
    } finally {
      // The work's own outcome matters more than a lock file that could not be removed: the next
      // run takes it over.
      await fileSystem.remove(path).catch(() => undefined);
    }
  } finally {
    for (const each of made.reverse()) await fileSystem.removeFolder(each).catch(() => false);
  }
}

/**
 * The lock appears with its text in it: it is a second name of a file that is written before. A run
 * that is killed at any moment leaves a lock that names it, or none; files beside the lock are
 * removed by the next run that holds it.
 */
async function acquire(path: string, fileSystem: FileSystem, isAlive: (pid: number) => boolean): Promise<void> {
  const run = randomUUID();
  const text = JSON.stringify({ pid: process.pid, host: hostname(), run } satisfies Holder);
  const written = `${path}.${run}`;
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // A run that holds the lock removes this file with others.
      await unless(['EEXIST'], () => fileSystem.create(written, text));
      if (await unless(['EEXIST', 'ENOENT'], () => fileSystem.duplicate(written, path))) {
        await sweep(path, fileSystem);
        return;
      }
      const found = await fileSystem.read(path);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      if (holder?.host !== hostname() || isAlive(holder.pid)) throw locked(path, holder);
      await takeOver(path, found, fileSystem);
    }
    throw locked(path, undefined);
  } finally {
    await fileSystem.remove(written);
  }
}

/** Whether the work was done; false when it failed with one of these codes. */
async function unless(codes: readonly string[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/** Removes what runs that were killed have left beside the lock. */
async function sweep(path: string, fileSystem: FileSystem): Promise<void> {
  const entries = (await fileSystem.list(dirname(path))) ?? [];
  for (const { name } of entries) {
    if (name.startsWith(`${lockFile}.`)) await fileSystem.remove(join(dirname(path), name));
  }
}

/**
 * Removes the lock of a dead run. The run that removes it holds a second file meanwhile, whose name
 * follows from the text of the lock: of several runs that find the same dead lock, one removes it,
 * and none removes the lock of a later run.
 */
async function takeOver(path: string, found: string, fileSystem: FileSystem): Promise<void> {
  const claim = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 16)}`;
  if (!(await unless(['EEXIST'], () => fileSystem.create(claim, '')))) return;
  try {
    if ((await fileSystem.read(path)) === found) await fileSystem.remove(path);
  } finally {
    await fileSystem.remove(claim);
  }
}

function locked(path: string, holder: Holder | undefined): TablewrightError {
  const who = holder === undefined ? '' : ` (process ${String(holder.pid)} on ${holder.host})`;
  return new TablewrightError(
    'OUTPUT_LOCKED',
    `Another run of tablewright is writing to ${dirname(path)}${who}.`,
    `Wait until it has finished. If no run is going on, delete ${path}.`,
  );
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Signal 0 checks only. EPERM: the process is alive and belongs to another user. */
function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
