import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { takePlace } from './places/place.js';

const typescript = fileURLToPath(new URL('../../node_modules/@typescript/native/bin/tsc', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user and group to run as, if this process may choose them. */
  readonly uid?: number;
  readonly gid?: number;
}

/** Programs that need no place of a suite, because they end at once. */
const light = new Set(['id', 'cp', 'chown', 'git']);

/** Runs a program to its end. Its standard input is empty, so it cannot ask questions. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Outcome> {
  if (!light.has(program)) await takePlace();
  const child = spawn(program, args, {
    ...options,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [closed, stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  const [code] = closed as [number | null];
  return { code, stdout, stderr };
}

/** The same for a program that must succeed. Returns its standard output. */
export async function succeed(program: string, args: readonly string[], options: ProgramOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, options);
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${String(code)}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Runs TypeScript 7, without the start of npx. The packed projects have an older one. */
export const tsc = (...args: readonly string[]): Promise<Outcome> =>
  runProgram(process.execPath, [typescript, ...args]);

/** Compiles a project, which must have no errors. */
export const compile = (folder: string): Promise<string> => succeed(process.execPath, [typescript, '-p', folder]);
