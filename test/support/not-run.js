import { globSync } from 'tinyglobby';

/** Prints one line at the end, with the suites whose tests did not all run. */
export default class NotRun {
  /** @param besides suites of another command, by the name of the command: `{ 'npm run …': glob }` */
  constructor(globalConfig, besides = {}) {
    const { patterns = [] } = globalConfig.testPathPatterns ?? {};
    const isWhole = patterns.length === 0 && globalConfig.runTestsByPath !== true;
    this.besides = isWhole ? besides : {};
    this.folder = globalConfig.rootDir;
  }

  onRunComplete(_, { testResults }) {
    const others = Object.entries(this.besides).map(([command, suites]) => ({
      command,
      count: globSync(suites, { cwd: this.folder, ignore: ['**/node_modules/**'] }).length,
    }));
    const line = describeNotRun(testResults, others);
    if (line !== undefined) process.stderr.write(`${line}\n`);
  }
}

/**
 * @param others the numbers of suites that other commands run
 * @returns nothing when all tests ran
 */
export function describeNotRun(testResults, others = []) {
  const suites = testResults.flatMap(({ testFilePath, numPendingTests, numTodoTests }) => {
    const count = numPendingTests + numTodoTests;
    return count === 0 ? [] : [{ name: testFilePath.replaceAll('\\', '/').split('/test/').at(-1), count }];
  });
  const total = suites.reduce((sum, { count }) => sum + count, 0);
  const names = suites.map(({ name, count }) => `${name} (${String(count)})`);
  const parts = [
    ...(total === 0 ? [] : [`${String(total)} ${total === 1 ? 'test' : 'tests'} of ${names.sort().join(', ')}`]),
    ...others.map(({ command, count }) => `${String(count)} suites that \`${command}\` runs`),
  ];
  return parts.length === 0 ? undefined : `Not run: ${parts.join('; ')}`;
}
