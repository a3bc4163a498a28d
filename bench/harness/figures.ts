import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Microseconds of processor time, user and system, that a process has used so far. Linux only. */
export function processorTime(pid: number): number {
  // Fields 14 and 15 of proc(5) stat, counted after the command, which may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return (ticks / ticksPerSecond()) * 1e6;
}

/** Megabytes of memory: resident now, and at most so far. Linux only. */
export function memory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** The middle one, so that one disturbed measurement does not count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Seconds that something took, with its result. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly seconds: number; readonly result: T }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}

let ticks: number | undefined;
const ticksPerSecond = (): number => (ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));
