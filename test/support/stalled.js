/** Longer than the limit of a hook and of a test together, which end what hangs inside of them. */
const PATIENCE = 65 * 60_000;

/**
 * Ends a run in which no test has ended for a long time, with the names of the suites that run. Jest
 * has no limit for what hangs outside of a test. Suites are no measure: on a slow machine the slowest
 * ones begin together, and none ends for a long time.
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

  onTestCaseResult() {
    this.watch();
  }

  onRunComplete() {
    globalThis.clearTimeout(this.timer);
  }

  watch() {
    globalThis.clearTimeout(this.timer);
    this.timer = globalThis.setTimeout(() => {
      const names = [...this.running].map((path) => path.replace(`${this.folder}/`, '')).sort();
      process.stderr.write(
        `No test has ended for ${String(this.patience / 60_000)} minutes. These hang: ${names.join(', ')}\n`,
      );
      this.end();
    }, this.patience);
  }
}
