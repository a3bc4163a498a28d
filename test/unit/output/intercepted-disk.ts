import { diskFileSystem, type FileSystem } from '../../../src/output/file-system.js';

const writing = ['create', 'makeFolder', 'removeFolder', 'remove', 'rename', 'duplicate'] as const;

/** A system error as Node makes them. */
export const systemError = (code: string): Error => Object.assign(new Error(`${code}: simulated`), { code });

/**
 * The real disk, but each write first calls `before`, which may throw: a full disk, a power
 * failure.
 */
export function interceptedDisk(before: (call: (typeof writing)[number], path: string) => void): FileSystem {
  const intercepted = writing.map((call) => {
    const run = diskFileSystem[call] as (...parameters: string[]) => Promise<unknown>;
    return [
      call,
      async (...parameters: string[]): Promise<unknown> => {
        before(call, parameters[0] ?? '');
        return run(...parameters);
      },
    ] as const;
  });
  return { ...diskFileSystem, ...(Object.fromEntries(intercepted) as Partial<FileSystem>) };
}
