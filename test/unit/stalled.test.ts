import Stalled from '../support/stalled.js';

test('a run in which no suite ends is ended, and the suites that hang are named', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ended = new Promise<void>((resolve) => {
    const reporter = new Stalled({ rootDir: '/checkout' }, { patience: 1, end: resolve });
    for (const name of ['b', 'a', 'c']) reporter.onTestFileStart({ path: `/checkout/test/${name}.test.ts` });
    reporter.onTestFileResult({ path: '/checkout/test/c.test.ts' });
  });
  await ended;
  expect(write).toHaveBeenCalledWith(expect.stringMatching(/These hang: test\/a\.test\.ts, test\/b\.test\.ts\n$/));
});
