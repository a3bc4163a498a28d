import { StatementTimings } from '../../../runtime/src/dialect/postgres/driver/statement-timings.js';

const times = (count: number, run: () => void): void => {
  for (let at = 0; at < count; at += 1) run();
};

/** Timings with a known short statement `x`. */
function knowing(): StatementTimings {
  const timings = new StatementTimings();
  timings.ranAlone('x', 5);
  return timings;
}

test('a statement that has not been run has a connection to itself', () => {
  expect(new StatementTimings().expected('x')).toBeUndefined();
});

test('one that takes a few milliseconds with the way to the database may be shared', () => {
  const timings = new StatementTimings();
  timings.ranAlone('x', 5);
  timings.ranAlone('y', 5.1);
  expect(timings.expected('x')).toBe(0.5);
  expect(timings.expected('y')).toBeUndefined();
});

test('one run that is short is enough: the first one had to be parsed and planned', () => {
  const timings = knowing();
  for (const milliseconds of [50, 4, 50]) timings.ranAlone('y', milliseconds);
  expect(timings.expected('y')).toBe(0.5);
});

describe('the time between answers', () => {
  test('is what a run is expected to take', () => {
    const timings = knowing();
    times(20, () => {
      timings.followed('x', 0.1);
    });
    expect(timings.expected('x')).toBeCloseTo(0.1);
    // A long run alone on its connection changes nothing.
    timings.ranAlone('x', 300);
    expect(timings.expected('x')).toBeCloseTo(0.1);
  });

  test('that was long once, however long it was, says nothing of the others', () => {
    const timings = knowing();
    for (let at = 0; at < 40; at += 1) timings.followed('x', at % 20 === 10 ? 500 : 0.2);
    expect(timings.expected('x')).toBeLessThan(0.25);
  });

  test('that was long once keeps two reads from sharing only until the next run', () => {
    const timings = knowing();
    timings.followed('x', 0.9);
    expect(timings.expected('x')).toBeGreaterThan(0.5);
    // Over a network every run takes longer than what is worth sharing.
    times(100, () => {
      timings.ranAlone('x', 2.5);
    });
    // Two have to fit into the millisecond of a batch: otherwise none follows another ever again.
    expect(timings.expected('x')).toBeLessThanOrEqual(0.5);
  });

  test('that is long each time ends sharing, until the statement has been run alone for a while', () => {
    const timings = knowing();
    times(20, () => {
      timings.followed('x', 0.7);
    });
    expect(timings.expected('x')).toBeUndefined();
    times(499, () => {
      timings.ranAlone('x', 5);
    });
    expect(timings.expected('x')).toBeUndefined();
    timings.ranAlone('x', 5);
    expect(timings.expected('x')).toBe(0.5);
  });
});

test('one that has kept others waiting is run alone for a while', () => {
  const timings = knowing();
  timings.markSlow('x');
  timings.markSlow('never seen');
  expect(timings.expected('x')).toBeUndefined();
  times(499, () => {
    timings.ranAlone('x', 5);
  });
  expect(timings.expected('x')).toBeUndefined();
  timings.ranAlone('x', 5);
  expect(timings.expected('x')).toBe(0.5);
});
