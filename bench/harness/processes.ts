import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What proc(5) says of a process in /proc/PID/stat. Times are in clock ticks. */
export interface ProcessStat {
  readonly parent: number;
  /** User and system time of all its threads. */
  readonly own: number;
  /** The same of its children that have ended and were waited for, and of theirs. */
  readonly ended: number;
}

/** Reads the text of /proc/PID/stat. The command in its second field may hold spaces and parentheses: fields count from the last one. */
export function parseProcessStat(text: string): ProcessStat {
  const fields = text
    .slice(text.lastIndexOf(') ') + 2)
    .split(' ')
    .map(Number);
  const field = (number: number): number => fields[number - 3] ?? NaN;
  return { parent: field(4), own: field(14) + field(15), ended: field(16) + field(17) };
}

/** Clock ticks that all processors have worked so far, for whomever, from the text of /proc/stat: not idle, not waiting for a disk. */
export function parseMachineStat(text: string): number {
  const [user = NaN, nice = NaN, system = NaN, , , irq = 0, softirq = 0, steal = 0] =
    /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  return user + nice + system + irq + softirq + steal;
}

/** Microseconds of processor time that a process has used so far. Linux only. */
export function processorTime(pid: number): number {
  return ticksToMicroseconds(parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).own);
}

/** Microseconds that this process and the children it has waited for have used. */
export function ownProcessorTime(): number {
  const { own, ended } = parseProcessStat(readFileSync('/proc/self/stat', 'utf8'));
  return ticksToMicroseconds(own + ended);
}

/** Microseconds that all processors have worked, for whomever. */
export const machineProcessorTime = (): number =>
  ticksToMicroseconds(parseMachineStat(readFileSync('/proc/stat', 'utf8')));

/** Microseconds of a process and everything below it, with what has ended there. One look at /proc serves several processes. */
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

/** Megabytes of memory: resident now, and at most so far. Linux only. */
export function memory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** Megabytes resident of a process and everything below it. */
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
      // It ended between the two looks.
    }
  }
  return found;
}

function treeOf(root: number, processes: ReadonlyMap<number, ProcessStat>): readonly number[] {
  const tree = [root];
  // Grows while it is walked: children are found behind their parents.
  for (const parent of tree) for (const [pid, stat] of processes) if (stat.parent === parent) tree.push(pid);
  return tree;
}

const ticksToMicroseconds = (ticks: number): number => (ticks / ticksPerSecond()) * 1e6;

let perSecond: number | undefined;
const ticksPerSecond = (): number => (perSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));
