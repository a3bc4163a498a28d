import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a measured program: at the end of the program it writes its resource usage, such as
 * peak memory, to a file.
 */
if (isMainThread) {
  process.on('exit', () => writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(process.resourceUsage())));
}
