import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/**
 * The slowest suites, the slowest first. In a clean clone Jest has no durations and begins with the
 * largest files: one worker would still run a slow suite minutes after the other has finished.
 */
const slowest = [
  'test/e2e/packed.slow.test.ts',
  'test/e2e/openapi/proxy.slow.test.ts',
  'test/e2e/cli-interruption.slow.test.ts',
  'test/e2e/mysql/by-chance.test.ts',
  'test/e2e/openapi/lint.slow.test.ts',
  'test/e2e/mysql/differential/differential.test.ts',
  'test/e2e/mysql/cli.test.ts',
  'test/e2e/mysql/doctor.test.ts',
  'test/e2e/mysql/demo/demo.slow.test.ts',
  'test/e2e/mysql/drift.test.ts',
  'test/runtime/write/rest-writes.test.ts',
  'test/runtime/write/one-row.test.ts',
];

/**
 * Runs slow suites first, so that the workers finish together. Durations that Jest has measured on
 * this machine take precedence over the list.
 */
export default class SlowestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    const rank = ({ path, context }) => {
      const at = slowest.indexOf(relative(context.config.rootDir, path).replaceAll('\\', '/'));
      return at < 0 ? slowest.length : at;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
