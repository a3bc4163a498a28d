import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
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

/** Runs the built command line. */
export async function tablewright(args: readonly string[], options: ProgramOptions = {}): Promise<Outcome> {
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
