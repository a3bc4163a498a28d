import { describeNotRun } from '../support/not-run.js';

const suite = (testFilePath: string, numPendingTests: number, more: object = {}) => ({
  testFilePath,
  numPendingTests,
  numTodoTests: 0,
  skipped: false,
  ...more,
});

test('nothing is said when every test ran', () => {
  expect(describeNotRun([suite('/checkout/test/unit/a.test.ts', 0)])).toBeUndefined();
});

test('suites with tests that did not run are named in one line', () => {
  const suites = [
    suite('/checkout/test/unit/b.test.ts', 1),
    suite('/checkout/test/unit/c.test.ts', 0),
    suite('/checkout/test/e2e/a.test.ts', 2, { numTodoTests: 0 }),
  ];
  expect(describeNotRun(suites)).toBe('Not run: 3 tests of e2e/a.test.ts (2), unit/b.test.ts (1)');
});

test('a test that is only planned has not run', () => {
  expect(describeNotRun([suite('/checkout/test/unit/a.test.ts', 0, { numTodoTests: 1 })])).toBe(
    'Not run: 1 test of unit/a.test.ts (1)',
  );
});

test('suites of another command are counted', () => {
  const others = [{ command: 'npm run test:all', count: 21 }];
  expect(describeNotRun([suite('/checkout/test/unit/a.test.ts', 1)], others)).toBe(
    'Not run: 1 test of unit/a.test.ts (1); 21 suites that `npm run test:all` runs',
  );
});
