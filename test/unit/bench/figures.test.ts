import { median, spread } from '../../../bench/harness/figures.js';

it.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[10, 2, 1, 100], 6],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

it('there is none of nothing', () => {
  expect(median([])).toBeNaN();
});

it('sorts numbers as numbers and leaves the list as it was', () => {
  const values = [100, 20, 3];
  expect(median(values)).toBe(20);
  expect(values).toEqual([100, 20, 3]);
});

it('a spread is the middle, the least and the most', () => {
  expect(spread([4, 1, 9, 2, 3])).toEqual({ median: 3, least: 1, most: 9 });
});
