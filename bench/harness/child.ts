import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { timed } from './figures.js';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

export interface Finished {
  readonly seconds: number;
  /**
   * Processor time of all its threads, in seconds. On a busy machine it means more than elapsed
   * time.
   */
  readonly processorSeconds: number;
  /** Peak memory, in megabytes. */
  readonly peakMemory: number;
  readonly output: string;
}

const usagePreload = new URL('./report-usage.mjs', import.meta.url).href;

/** Runs a Node program to its end. Throws with its output when it fails. */
export async function runNode(args: readonly string[], cwd = repository): Promise<Finished> {
  const usageFile = `${repository}.tmp/bench-usage-${process.pid}.json`;
  const { seconds, result } = await timed(async () => {
    const child = spawn(process.execPath, ['--import', usagePreload, ...args], {
      cwd,
      env: { ...process.env, BENCH_USAGE_FILE: usageFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors, [code]] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, output: output.join(''), errors: errors.join('') };
  });
  if (result.code !== 0) throw new Error(`node ${args.join(' ')} failed:\n${result.output}\n${result.errors}`);
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(usageFile);
  const processorSeconds = (usage.userCPUTime + usage.systemCPUTime) / 1e6;
  return { seconds, processorSeconds, peakMemory: usage.maxRSS / 1024, output: result.output };
}
