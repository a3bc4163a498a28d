import { summaryOf } from '../support/mysql-suites/summary.js';

const outcome = (name: string, status: string) => ({ name, status });

test('the summary of the suites of MySQL counts by suite, and names what failed or did not run', () => {
  const text = summaryOf({
    flavour: 'MySQL',
    version: '8.0.36',
    suites: [
      { suite: 'test/b.test.ts', isBroken: true, tests: [] },
      {
        suite: 'test/a.test.ts',
        isBroken: false,
        tests: [outcome('x', 'passed'), outcome('y', 'failed'), outcome('z', 'pending')],
      },
    ],
    notRun: new Map([['test/c.test.ts', 'it starts a MariaDB of its own']]),
  });
  expect(text.split('\n').filter((line) => /^[|#-]/.test(line))).toEqual([
    '## MySQL-style suites on MySQL 8.0.36',
    '| suite | passed | failed | not run |',
    '| --- | ---: | ---: | ---: |',
    '| test/a.test.ts | 1 | 1 | 1 |',
    '| test/b.test.ts | 0 | 1 | 0 |',
    '| all | 1 | 2 | 1 |',
    '### Failed',
    '- test/b.test.ts: it did not load',
    '- test/a.test.ts: y',
    '### Not run',
    '- test/a.test.ts: z',
    '- test/c.test.ts: it starts a MariaDB of its own',
  ]);
});
