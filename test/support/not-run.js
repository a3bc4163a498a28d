/** Prints one line at the end, with the suites whose tests did not all run. */
export default class NotRun {
  onRunComplete(_, { testResults }) {
    const line = describeNotRun(testResults);
    if (line !== undefined) process.stderr.write(`${line}\n`);
  }
}

/** @returns nothing when all tests ran */
export function describeNotRun(testResults) {
  const suites = testResults.flatMap(({ testFilePath, numPendingTests, numTodoTests }) => {
    const count = numPendingTests + numTodoTests;
    return count === 0 ? [] : [{ name: testFilePath.replaceAll('\\', '/').split('/test/').at(-1), count }];
  });
  if (suites.length === 0) return undefined;
  const total = suites.reduce((sum, { count }) => sum + count, 0);
  const names = suites.map(({ name, count }) => `${name} (${String(count)})`);
  return `Not run: ${String(total)} ${total === 1 ? 'test' : 'tests'} of ${names.sort().join(', ')}`;
}
