import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { misconfigured, type ServerError } from '../../errors.js';
import type { Settings } from '../../settings/settings.js';

/**
 * The processes of `app.server.workers`. One under `tablewright dev`, which starts its server again
 * after each change.
 * @throws ServerError `misconfigured` where several processes cannot serve the address
 */
export function workerCount(settings: Settings, hasDriver: boolean): number {
  const wanted = settings['app.server.workers'];
  const workers = wanted === 'auto' ? cores() : wanted;
  if (workers === 1 || process.env['TABLEWRIGHT_DEV'] === '1') return 1;
  const reason = hasDriver ? 'the server was created with a driver' : obstacle(settings);
  if (reason === undefined) return workers;
  if (wanted === 'auto') return 1;
  throw misconfigured(`app.server.workers is ${String(wanted)}, but ${reason}.`, 'Set app.server.workers to 1.');
}

function obstacle(settings: Settings): string | undefined {
  if (settings['app.datasource.url']?.startsWith('pglite:') === true)
    return 'only one process can open a database of PGlite';
  if (process.platform === 'win32') return 'Windows does not hand connections from one process to another';
  if (process.argv[1] === undefined) return 'this process was not started with a file that workers can run, too';
  return undefined;
}

/**
 * Node.js 20 counts the processors of the machine: a container that may use two of sixty-four would
 * have sixty-four workers.
 */
function cores(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(cpuQuota())));
}

/**
 * The processors that the container may use, by control groups version 2; Infinity without a limit.
 * Source: https://docs.kernel.org/admin-guide/cgroup-v2.html, cpu.max.
 */
export function cpuQuota(file = '/sys/fs/cgroup/cpu.max'): number {
  try {
    const [quota = '', period = ''] = readFileSync(file, 'utf8').trim().split(' ');
    const share = Number(quota) / Number(period);
    return Number.isFinite(share) && share > 0 ? share : Infinity;
  } catch {
    return Infinity;
  }
}

export const onlyOnce = (): ServerError =>
  misconfigured(
    'With app.server.workers, a process can call listen once.',
    'Start each server in a process of its own, or set app.server.workers to 1.',
  );
