import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a measured server: on SIGUSR2 it collects all garbage and writes the bytes of the
 * remaining heap to a file.
 */
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const file = process.env.BENCH_HEAP_FILE;
  process.on('SIGUSR2', () => {
    collect();
    writeFileSync(`${file}.new`, String(process.memoryUsage().heapUsed));
    renameSync(`${file}.new`, file);
  });
}
