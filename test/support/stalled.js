import { clearTimeout, setTimeout } from 'node:timers';

/** Longer than the limit of a test, which ends what hangs inside of a test. */
const PATIENCE = 20 * 60_000;

/**
 * Ends a run in which no suite has ended for a long time, with the names of the suites that run. Jest
 * has no limit for what hangs outside of a test.
 */
export default class Stalled {
  constructor(globalConfig, { patience = PATIENCE, end = () => process.kill(process.pid, 'SIGTERM') } = {}) {
    this.folder = globalConfig.rootDir;
    this.patience = patience;
    this.end = end;
    this.running = new Set();
  }

  onTestFileStart({ path }) {
    this.running.add(path);
    this.watch();
  }

  onTestFileResult({ path }) {
    this.running.delete(path);
    this.watch();
  }

  onRunComplete() {
    clearTimeout(this.timer);
  }

  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const names = [...this.running].map((path) => path.replace(`${this.folder}/`, '')).sort();
      process.stderr.write(
        `No suite has ended for ${String(this.patience / 60_000)} minutes. These hang: ${names.join(', ')}\n`,
      );
      this.end();
    }, this.patience);
  }
}
