import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The fields of /proc/PID/stat that the harness reads; see proc(5). Times are in clock ticks. */
export interface ProcessStat {
  readonly parent: number;
  /** User and system time of all its threads. */
  readonly own: number;
  /** The same of its children that have ended and were waited for, and of their children. */
  readonly ended: number;
}

/**
 * Parses /proc/PID/stat. The command in its second field may hold spaces and parentheses, so fields
 * count from the last parenthesis.
 */
export function parseProcessStat(text: string): ProcessStat {
  const fields = text
    .slice(text.lastIndexOf(') ') + 2)
    .split(' ')
    .map(Number);
  const field = (number: number): number => fields[number - 3] ?? NaN;
  return { parent: field(4), own: field(14) + field(15), ended: field(16) + field(17) };
}

/**
 * Parses /proc/stat: clock ticks of work of all processors, for every process, without idle time
 * and disk waits.
 */
export function parseMachineStat(text: string): number {
  const [user = NaN, nice = NaN, system = NaN, , , irq = 0, softirq = 0, steal = 0] =
    /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  return user + nice + system + irq + softirq + steal;
}

/** Processor time of a process so far, in microseconds. Linux only. */
export function processorTime(pid: number): number {
  return ticksToMicroseconds(parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).own);
}

/** Processor time of this process and of the children that it has waited for, in microseconds. */
export function ownProcessorTime(): number {
  const { own, ended } = parseProcessStat(readFileSync('/proc/self/stat', 'utf8'));
  return ticksToMicroseconds(own + ended);
}

/** Processor time of the whole machine so far, in microseconds. */
export const machineProcessorTime = (): number =>
  ticksToMicroseconds(parseMachineStat(readFileSync('/proc/stat', 'utf8')));

/**
 * Processor time of each root with all its descendants, including ended ones, in microseconds. One
 * scan of /proc serves all roots.
 */
export function treeProcessorTimes(roots: readonly number[]): readonly number[] {
  const processes = readProcesses();
  return roots.map((root) => {
    let ticks = 0;
    for (const pid of treeOf(root, processes)) {
      const stat = processes.get(pid);
      if (stat !== undefined) ticks += stat.own + stat.ended;
    }
    return ticksToMicroseconds(ticks);
  });
}

/** Memory of a process in megabytes: resident now, and the peak so far. Linux only. */
export function memory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** Resident memory of a process and its descendants, in megabytes. */
export function treeMemory(root: number): number {
  return treeOf(root, readProcesses()).reduce((sum, pid) => sum + memory(pid).now, 0);
}

function readProcesses(): ReadonlyMap<number, ProcessStat> {
  const found = new Map<number, ProcessStat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      found.set(Number(name), parseProcessStat(readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch {
      // The process ended between the two reads.
    }
  }
  return found;
}

function treeOf(root: number, processes: ReadonlyMap<number, ProcessStat>): readonly number[] {
  const tree = [root];
  // The list grows during the loop: children come after their parents.
  for (const parent of tree) for (const [pid, stat] of processes) if (stat.parent === parent) tree.push(pid);
  return tree;
}

const ticksToMicroseconds = (ticks: number): number => (ticks / ticksPerSecond()) * 1e6;

let perSecond: number | undefined;
const ticksPerSecond = (): number => (perSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));
