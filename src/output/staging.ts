import { dirname, join } from 'node:path';
import { systemCode } from '../system-error.js';
import type { FileSystem } from './file-system.js';
import { makeFolders } from './folders.js';
import { isInside } from './manifest.js';
import type { PlannedFile } from './plan.js';

/**
 * The staging folder, inside the output folder so that it is on the same file system and every move
 * is a rename. It holds new texts as `<n>.new`, the files they replace as `<n>.old`, and a journal.
 * While the journal is there the change is unfinished and can be undone, by the run itself or,
 * after a crash, by the next one.
 */
export const stagingFolder = '.tablewright-staging';

export interface Journal {
  /** In the order they are carried out: the number names the staged files. */
  readonly operations: readonly Operation[];
  /** Folders that were absent before, parents first. */
  readonly folders: readonly string[];
}

export interface Operation {
  readonly path: string;
  readonly action: Exclude<PlannedFile['action'], 'keep'>;
}

export const newFile = (root: string, index: number): string => join(root, stagingFolder, `${String(index)}.new`);
export const oldFile = (root: string, index: number): string => join(root, stagingFolder, `${String(index)}.old`);
export const journalFile = (root: string): string => join(root, stagingFolder, 'journal.json');

/**
 * Puts the folder back as it was before an unfinished change, and removes the staging folder. Does
 * nothing when there is none. Safe to run again when it was itself interrupted.
 */
export async function undo(root: string, fileSystem: FileSystem): Promise<void> {
  const staged = await fileSystem.list(join(root, stagingFolder));
  if (staged === undefined) return;
  const names = new Set(staged.map((entry) => entry.name));
  const journal = parseJournal(await fileSystem.read(journalFile(root)));
  // New files are removed first, with their folders: otherwise a file that a folder has replaced
  // could not be restored.
  for (const [index, { path, action }] of journal.operations.entries()) {
    // A new file that is no longer staged is in place. It is staged again, so that undoing can
    // itself start over.
    if (action === 'add' && !names.has(`${String(index)}.new`)) {
      await fileSystem.rename(join(root, path), newFile(root, index)).catch(ignoreAbsent);
    }
  }
  for (const folder of [...journal.folders].reverse()) await fileSystem.removeFolder(join(root, folder));
  for (const [index, { path, action }] of journal.operations.entries()) {
    if (action === 'add' || !names.has(`${String(index)}.old`)) continue;
    await makeFolders(root, dirname(path), fileSystem);
    await fileSystem.rename(oldFile(root, index), join(root, path));
  }
  await discard(root, fileSystem);
}

/** Removes the staging folder, the journal first: from then on there is nothing to undo. */
export async function discard(root: string, fileSystem: FileSystem): Promise<void> {
  await fileSystem.remove(journalFile(root));
  for (const { name } of (await fileSystem.list(join(root, stagingFolder))) ?? []) {
    await fileSystem.remove(join(root, stagingFolder, name));
  }
  await fileSystem.removeFolder(join(root, stagingFolder));
}

function ignoreAbsent(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}

/** A journal that was cut off while it was written: nothing had been moved yet. */
function parseJournal(text: string | undefined): Journal {
  try {
    const journal = JSON.parse(text ?? '') as Journal;
    const paths = [...journal.operations.map((operation) => operation.path), ...journal.folders];
    if (paths.every(isInside)) return journal;
  } catch {
    // Falls through: the same as no journal.
  }
  return { operations: [], folders: [] };
}
