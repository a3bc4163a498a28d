import { describeLine, digits, fitLine } from '../../../bench/change/fit.js';

describe('the line through measurements', () => {
  it('is the line that they are on', () => {
    const points = [1, 10, 100, 10_000].map((x) => ({ x, y: 60 + 0.5 * x }));
    const { base, slope } = fitLine(points);
    expect(base).toBeCloseTo(60, 6);
    expect(slope).toBeCloseTo(0.5, 9);
  });

  it('counts a deviation by its part of the value, so that a small value is not drowned by a large one', () => {
    const points = [
      { x: 0, y: 50 },
      { x: 1, y: 50 },
      { x: 10_000, y: 20_000 },
      { x: 10_000, y: 22_000 },
    ];
    const { base, slope } = fitLine(points);
    expect(base).toBeGreaterThan(48);
    expect(base).toBeLessThan(51);
    expect(slope).toBeGreaterThan(2);
    expect(slope).toBeLessThan(2.2);
  });

  it('may fall', () => {
    expect(
      fitLine([
        { x: 1, y: 3 },
        { x: 2, y: 2 },
      ]).slope,
    ).toBeCloseTo(-1);
  });

  it('needs two places, and values above 0', () => {
    expect(() =>
      fitLine([
        { x: 1, y: 3 },
        { x: 1, y: 4 },
      ]),
    ).toThrow('two places');
    expect(() => fitLine([])).toThrow('two places');
    expect(() =>
      fitLine([
        { x: 1, y: 0 },
        { x: 2, y: 4 },
      ]),
    ).toThrow('above 0');
    expect(() =>
      fitLine([
        { x: 1, y: NaN },
        { x: 2, y: 4 },
      ]),
    ).toThrow('above 0');
  });

  it('is stated with what one more adds', () => {
    expect(describeLine({ base: 61.23, slope: 0.8768 }, 'row')).toBe('61.2 + 0.877 per row');
    expect(describeLine({ base: 1234.5, slope: -0.0123 }, 'user')).toBe('1,235 − 0.01 per user');
  });
});

describe('figures of three digits', () => {
  it.each([
    [0, '0'],
    [0.0456, '0.05'],
    [0.456, '0.456'],
    [45.67, '45.7'],
    [456.7, '457'],
    [45678.9, '45,679'],
    [-7.82, '−7.82'],
    [-1234, '−1,234'],
  ])('%d is %s', (value, text) => {
    expect(digits(value)).toBe(text);
  });
});
