import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { systemCode } from '../system-error.js';

/** A directory entry. A symbolic link is `other`: we neither follow nor replace one. */
export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/**
 * The few calls of this folder to the file system, so that a test can pass a full or failing disk.
 * Failures are Node's own errors, with `code` ENOSPC, EACCES and so on.
 */
export interface FileSystem {
  /** The file's text, or undefined when there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Creates the file; EEXIST when it is there. */
  readonly create: (path: string, text: string) => Promise<void>;
  /** The entries of a folder by code point, or undefined when there is no such folder. */
  readonly list: (folder: string) => Promise<readonly Entry[] | undefined>;
  /** Creates one folder; false when it was there. */
  readonly makeFolder: (folder: string) => Promise<boolean>;
  /** Removes an empty folder; false when it is absent or not empty. */
  readonly removeFolder: (folder: string) => Promise<boolean>;
  /** Removes a file; does nothing when it is absent. */
  readonly remove: (path: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /**
   * A second name for the same file where the file system can, otherwise a copy with the same
   * times.
   */
  readonly duplicate: (from: string, to: string) => Promise<void>;
}

/** The real disk. */
export const diskFileSystem: FileSystem = {
  read: (path) => unless(['ENOENT', 'ENOTDIR'], undefined, () => fs.readFile(path, 'utf8')),
  create: (path, text) => fs.writeFile(path, text, { flag: 'wx' }),
  list: (folder) => unless(['ENOENT'], undefined, () => listFolder(folder)),
  makeFolder: (folder) => unless(['EEXIST'], false, () => fs.mkdir(folder).then(() => true)),
  removeFolder: (folder) =>
    unless(['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'], false, () => fs.rmdir(folder).then(() => true)),
  remove: (path) => unless(['ENOENT', 'ENOTDIR'], undefined, () => fs.unlink(path)),
  rename: (from, to) => fs.rename(from, to),
  duplicate: (from, to) => fs.link(from, to).catch(() => copyWithTimes(from, to)),
};

/** For file systems without hard links. */
export async function copyWithTimes(from: string, to: string): Promise<void> {
  await fs.copyFile(from, to, constants.COPYFILE_EXCL);
  // As numbers: a Date would round to milliseconds.
  const { atimeMs, mtimeMs } = await fs.stat(from);
  await fs.utimes(to, atimeMs / 1000, mtimeMs / 1000);
}

async function unless<T>(codes: readonly string[], otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return otherwise;
    throw error;
  }
}

async function listFolder(folder: string): Promise<readonly Entry[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  return entries
    .map((entry): Entry => {
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
      return { name: entry.name, kind };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
