import { mkdtemp, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram, type Outcome, type ProgramOptions } from './program.js';

export const bin = fileURLToPath(new URL('../../bin/tablewright.js', import.meta.url));

/** Nothing of the machine's own settings reaches a run: no database, no colours, no schemas. */
const neutral = {
  DATABASE_URL: undefined,
  APP_SCHEMAS: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  DEBUG: undefined,
};

/** Runs the built command line. */
export async function tablewright(args: readonly string[], options: ProgramOptions = {}): Promise<Outcome> {
  return runProgram(process.execPath, [bin, ...args], { ...options, env: { ...neutral, ...options.env } });
}

/** An empty folder that is removed by the returned function. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tw-cli-')));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Every file and folder below a folder, with text and modification time: equal only if nothing was touched. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory()) tree[name] = 'folder';
    else if (entry.isSymbolicLink()) tree[name] = `link to ${await readlink(path)}`;
    else tree[name] = `${String((await stat(path)).mtimeMs)} ${await readFile(path, 'utf8')}`;
  }
  return tree;
}
