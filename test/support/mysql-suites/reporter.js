import { relative } from 'node:path';
import { root, suitesOn } from './suites.js';
import { summaryOf } from './summary.js';

/** Prints the outcome in a form that can be pasted into an issue. */
export default class MysqlReport {
  constructor({ testPathPatterns: { patterns = [] } = {} }) {
    this.patterns = patterns;
  }

  onRunComplete(_, { testResults }) {
    const { TEST_MYSQL_VERSION: version = '', TEST_MYSQL_FLAVOUR: flavour = 'MariaDB' } = process.env;
    const suites = testResults.map((result) => ({
      suite: relative(root, result.testFilePath),
      isBroken: result.testExecError !== undefined && result.testExecError !== null,
      tests: result.testResults.map(({ fullName, status }) => ({ name: fullName, status })),
    }));
    const notRun = suitesOn(flavour !== 'MySQL').notRun;
    process.stdout.write(`\n${summaryOf({ flavour, version, suites, notRun, patterns: this.patterns })}`);
  }
}
