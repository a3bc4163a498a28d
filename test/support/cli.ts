import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/cli/run.js';
import { createTerminal } from '../../src/cli/terminal.js';
import { runProgram, type Outcome, type ProgramOptions } from './program.js';

export const bin = fileURLToPath(new URL('../../bin/tablewright.js', import.meta.url));

/** Removes the machine's own settings from a run: no database, no colours, no schemas. */
const neutral = {
  DATABASE_URL: undefined,
  APP_SCHEMAS: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  DEBUG: undefined,
};

/**
 * Runs a command in this process, as `bin/tablewright.js` does in one of its own: it starts half a
 * second sooner. Commands run one after another, because each has the environment of the process.
 * A test of signals, exit codes, terminals or concurrent runs uses `tablewrightProcess`.
 */
export async function tablewright(args: readonly string[], options: CommandOptions = {}): Promise<Outcome> {
  const turn = running.then(() => runHere(args, options));
  running = turn.catch(() => undefined);
  return turn;
}

let running: Promise<unknown> = Promise.resolve();

export type CommandOptions = Pick<ProgramOptions, 'cwd' | 'env'>;

async function runHere(args: readonly string[], { cwd = process.cwd(), env = {} }: CommandOptions): Promise<Outcome> {
  const before = { ...process.env };
  setEnvironment({ ...before, ...neutral, ...env });
  const output = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof output) => ({
    write: (text: string) => {
      output[name] += text;
    },
  });
  try {
    const code = await run(args, {
      folder: cwd,
      environment: { ...process.env },
      terminal: createTerminal(stream('stdout'), stream('stderr'), process.env),
      signal: new AbortController().signal,
      interactive: false,
    });
    return { code, ...output };
  } finally {
    setEnvironment(before);
  }
}

/** Sets the variables of this process. An undefined value removes the variable. */
function setEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env))
    if (environment[name] === undefined) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value;
}

/** Runs the built command line in a process of its own. */
export async function tablewrightProcess(args: readonly string[], options: ProgramOptions = {}): Promise<Outcome> {
  return runProgram(process.execPath, [bin, ...args], { ...options, env: { ...neutral, ...options.env } });
}

/** A run that continues while the test does other things. */
export interface RunningCli {
  /** All output so far, of both streams. */
  readonly output: () => string;
  /** Resolves once the output contains the text; rejects when the run ends before. */
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
