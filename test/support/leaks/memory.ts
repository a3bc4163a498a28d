import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** Linux's folder in memory. */
export const memory = '/dev/shm';
/** Bytes that it needs and that stay for processes: a run of `npm test` puts 0.5 GB there. */
const [NEEDED_BYTES, SPARE_BYTES] = [2 * 2 ** 30, 4 * 2 ** 30];

/**
 * The folder, if it has space for the temporary files of `npm test`. Suites make and drop hundreds
 * of databases of 300 files each, and a file system on disk is slow to give the numbers of files
 * that were just deleted to new ones.
 * @returns undefined where there is none, where programs may not run in it, or memory is scarce
 */
export function roomyMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const hasSpace = bavail * bsize >= NEEDED_BYTES && freemem() >= NEEDED_BYTES + SPARE_BYTES;
    return hasSpace && isMemory(readFileSync('/proc/mounts', 'utf8')) ? memory : undefined;
  } catch {
    return undefined;
  }
}

/** Source: man 5 proc_pid_mounts: device, mount point, type, options. */
const isMemory = (mounts: string): boolean =>
  mounts.split('\n').some((line) => {
    const [, point, type, options = ''] = line.split(' ');
    return point === memory && type === 'tmpfs' && !options.split(',').includes('noexec');
  });
