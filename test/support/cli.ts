import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** A run that goes on while the test does something else. */
export interface RunningCli {
  /** Everything it wrote so far, on both outputs. */
  readonly output: () => string;
  /** Resolves when the output has the text; rejects when the run ends before. */
  readonly says: (text: string) => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Starts the built command line. */
export function startTablewright(args: readonly string[], options: ProgramOptions = {}): RunningCli {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...neutral, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      for (const look of waiting) look();
    });
  }
  const ended = once(child, 'close').then((values) => {
    const [code, signal] = values as [number | null, NodeJS.Signals | null];
    return { code, signal };
  });
  const says = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!output.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void ended.then(() => {
        reject(new Error(`It ended without saying "${text}":\n${output}`));
      });
    });
  return { output: () => output, says, signal: (signal) => child.kill(signal), ended };
}
