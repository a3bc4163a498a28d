import { compareCosts, describeFigure, sizesTable, type Size } from '../../../bench/scale/figures.js';

const size = (tables: number, seconds: number, rate: number): Size => ({
  tables,
  figures: [
    { what: 'generate', value: seconds, unit: 's', atMost: 8 },
    { what: 'its processor time', value: 2 * seconds, unit: 's' },
    { what: 'start', value: seconds, unit: 's' },
    { what: 'its processor time', value: 3 * seconds, unit: 's' },
    { what: 'REST by key', value: rate, unit: 'requests/s' },
  ],
});

it('shows a row for each figure, also of the same name, and a column for each size', () => {
  expect(sizesTable([size(10, 0.51, 12_000), size(3000, 15.3, 11_400)])).toEqual({
    head: ['tables of 12 columns', '10', '3,000'],
    rows: [
      ['generate', '0.51 s', '15.3 s'],
      ['its processor time', '1.02 s', '30.6 s'],
      ['start', '0.51 s', '15.3 s'],
      ['its processor time', '1.53 s', '45.9 s'],
      ['REST by key', '12,000 requests/s', '11,400 requests/s'],
    ],
  });
});

it('shows no rows of no sizes', () => {
  expect(sizesTable([])).toEqual({ head: ['tables of 12 columns'], rows: [] });
});

it.each([
  [{ value: 0, unit: 'files' } as const, '0 files'],
  [{ value: 4225, unit: 'files' } as const, '4,225 files'],
  [{ value: 0.034, unit: 's' } as const, '0.03 s'],
  [{ value: 44.04, unit: 's' } as const, '44.0 s'],
  [{ value: 594.4, unit: 'MB' } as const, '594 MB'],
])('%j is %s', (figure, text) => {
  expect(describeFigure(figure)).toBe(text);
});

describe('what a request costs with the most tables', () => {
  it('is stated as a part of what it costs with the fewest', () => {
    const sizes = [size(10, 1, 50), size(100, 1, 90), size(3000, 1, 54.2)];
    expect(compareCosts('REST by key', sizes)).toBe(
      'REST by key: with 3,000 tables it is 108 % of that with 10, within the 10 % that measurements differ by.',
    );
  });

  it('says when it rose by more than it may', () => {
    expect(compareCosts('REST by key', [size(10, 1, 50), size(3000, 1, 60)])).toBe(
      'REST by key: with 3,000 tables it is 120 % of that with 10, more than the 110 % it may be.',
    );
  });
});
