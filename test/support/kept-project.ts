import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from './cli.js';
import { temporaryFolder } from './folders.js';

/** A project in the folder `server`, for the tests that begin with one: each takes a copy. */
export interface KeptProject {
  /** @param folder the parent of the copy */
  copyTo(folder: string): Promise<void>;
  remove(): Promise<void>;
}

/** Generates the project of a database once. */
export async function keepProject(url: string): Promise<KeptProject> {
  const kept = await temporaryFolder();
  const { code, stderr } = await tablewright(['generate', '--url', url, '--out', 'server'], { cwd: kept.folder });
  if (code !== 0) throw new Error(stderr);
  return {
    copyTo: (folder) =>
      cp(join(kept.folder, 'server'), join(folder, 'server'), { recursive: true, preserveTimestamps: true }),
    remove: kept.remove,
  };
}
