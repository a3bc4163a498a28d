import { dirname, join, resolve } from 'node:path';
import type { FileSystem } from './file-system.js';

/** Creates a folder with its parents, and notes in `made` those that were absent, parents first. */
export async function makeMissingFolders(folder: string, made: string[], fileSystem: FileSystem): Promise<void> {
  const absent: string[] = [];
  for (let path = resolve(folder); (await fileSystem.list(path)) === undefined; path = dirname(path)) {
    absent.unshift(path);
  }
  for (const path of absent) if (await fileSystem.makeFolder(path)) made.push(path);
}

/** Creates a folder below the root with its parents. */
export async function makeFolders(root: string, folder: string, fileSystem: FileSystem): Promise<void> {
  const parts = folder === '.' ? [] : folder.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    await fileSystem.makeFolder(join(root, ...parts.slice(0, length)));
  }
}
