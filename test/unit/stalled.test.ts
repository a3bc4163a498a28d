import Stalled from '../support/stalled.js';

const ofSuite = (name: string): { readonly path: string } => ({ path: `/checkout/test/${name}.test.ts` });

test('a run in which no test ends is ended, and the suites that hang are named', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ended = new Promise<void>((resolve) => {
    const reporter = new Stalled({ rootDir: '/checkout' }, { patience: 1, end: resolve });
    for (const name of ['b', 'a', 'c']) reporter.onTestFileStart(ofSuite(name));
    reporter.onTestFileResult(ofSuite('c'));
  });
  await ended;
  expect(write).toHaveBeenCalledWith(expect.stringMatching(/These hang: test\/a\.test\.ts, test\/b\.test\.ts\n$/));
});

test('a suite may run for any time while its tests end', async () => {
  jest.useFakeTimers();
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
  };
  const reporter = new Stalled({ rootDir: '/checkout' }, { patience: 10, end });
  reporter.onTestFileStart(ofSuite('a'));
  for (let test = 0; test < 3; test += 1) {
    await jest.advanceTimersByTimeAsync(9);
    reporter.onTestCaseResult();
  }
  reporter.onRunComplete();
  await jest.advanceTimersByTimeAsync(10);
  jest.useRealTimers();
  expect(isEnded).toBe(false);
});
