import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Facts about processes, from /proc. Other systems than Linux have none, and nothing is found. */

/** A running process. */
export interface Running {
  readonly pid: number;
  readonly parent: number;
  /** The command line, its parts separated by spaces. */
  readonly command: string;
  readonly environment: string;
}

/** When a process has started, in a unit of the system. */
const startOf = (pid: string): number => statOf(pid)?.started ?? 0;

/** Whether a process with this number runs. */
export const isRunning = (pid: number): boolean => statOf(String(pid)) !== undefined;

/**
 * All processes that run, since the start of this one. A process that has ended and that its parent
 * has not read does not run.
 */
export function running(since = startOf('self')): readonly Running[] {
  return numbersIn('/proc').flatMap((pid) => {
    const stat = statOf(String(pid));
    if (stat === undefined || 'ZX'.includes(stat.state) || stat.started < since) return [];
    const command = read(`/proc/${String(pid)}/cmdline`)
      .replaceAll('\0', ' ')
      .trim();
    return [{ pid, parent: stat.parent, command, environment: read(`/proc/${String(pid)}/environ`) }];
  });
}

/** Source: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(
  pid: string,
): { readonly state: string; readonly parent: number; readonly started: number } | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may contain anything.
  const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '') return undefined;
  return { state, parent: Number(rest[0]), started: Number(rest[18]) };
}

/**
 * Whether a process belongs to a folder of temporary files, which its environment names. That also
 * holds for a process whose parent has ended.
 */
export function isOf(folder: string): (process: Running) => boolean {
  const pattern = new RegExp(`${folder.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\\w-])`);
  return ({ environment }) => pattern.test(environment);
}

/** Ends processes at once. PostgreSQL ends its own processes, and frees its memory, on SIGQUIT. */
export function endProcesses(processes: readonly Running[]): void {
  for (const { pid, command } of processes) {
    try {
      process.kill(pid, /\bpostgres\b/.test(command) ? 'SIGQUIT' : 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** The TCP ports at which this process listens. */
export function listeningPorts(): readonly number[] {
  if (!process.getActiveResourcesInfo().includes('TCPServerWrap')) return [];
  const sockets = new Set(numbersIn('/proc/self/fd').map((each) => inodeOf(`/proc/self/fd/${String(each)}`)));
  const lines = ['tcp', 'tcp6'].flatMap((kind) => read(`/proc/self/net/${kind}`).split('\n').slice(1));
  return lines.flatMap((line) => {
    // Source: https://docs.kernel.org/networking/proc_net_tcp.html. The state 0A is LISTEN.
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === '0A' && sockets.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

function inodeOf(path: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1];
  } catch {
    return undefined;
  }
}

const read = (path: string): string => attempt(() => readFileSync(path, 'latin1'), '');
const numbersIn = (folder: string): readonly number[] =>
  attempt(() => readdirSync(folder), [])
    .map(Number)
    .filter((each) => !Number.isNaN(each));

/** A process may end while it is looked at. */
function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
