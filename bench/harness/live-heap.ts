import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const preload = new URL('./report-heap.mjs', import.meta.url).href;

/**
 * Measures a server's live heap after a garbage collection: resident memory includes garbage that
 * V8 has not collected yet.
 */
export interface LiveHeap {
  /** Options for `node`, before the program. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Megabytes. */
  measure(pid: number): Promise<number>;
  remove(): void;
}

export function createLiveHeap(): LiveHeap {
  const folder = mkdtempSync(join(tmpdir(), 'bench-heap-'));
  const file = join(folder, 'bytes');
  return {
    args: ['--import', preload],
    environment: { BENCH_HEAP_FILE: file },
    measure: async (pid) => {
      rmSync(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      // The signal fails when the server has ended.
      for (; !existsSync(file); process.kill(pid, 0)) await new Promise((done) => setTimeout(done, 20));
      return Number(readFileSync(file, 'utf8')) / 1024 ** 2;
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
