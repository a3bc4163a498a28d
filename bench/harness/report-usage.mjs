import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a measured program: leaves what it used, such as its highest memory, in a file when it ends. */
if (isMainThread) {
  process.on('exit', () => writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(process.resourceUsage())));
}
