import { canonical } from '../../../bench/harness/canonical.js';

describe('values that mean the same', () => {
  it.each<[unknown, unknown]>([
    [12.5, '12.50'],
    [12, '12'],
    ['10.00', 10],
    ['0.0', 0],
    ['2024-01-01T00:17:00+00:00', '2024-01-01T00:17:00.000Z'],
    ['2024-01-01 02:17:00+02', '2024-01-01T00:17:00Z'],
    [
      { createdAt: null, id: 1 },
      { id: '1', created_at: undefined },
    ],
    [{ tier: 'BUSINESS' }, { tier: 'business' }],
    [[{ tags: ['a'] }], [{ tags: ['a'] }]],
  ])('%j and %j', (one, other) => {
    expect(canonical(one)).toEqual(canonical(other));
  });
});

describe('values that do not', () => {
  it.each<[unknown, unknown]>([
    [12.5, '12.51'],
    [100, '1'],
    ['007.50', '7.5'],
    ['2024-01-01T00:17:00Z', '2024-01-01T00:17:01Z'],
    [
      [1, 2],
      [2, 1],
    ],
    [{ id: 1 }, { id: 1, name: null }],
    [{ name: 'ANNA' }, { name: 'anna' }],
    [null, ''],
    [true, 'true'],
    [[], null],
  ])('%j and %j', (one, other) => {
    expect(canonical(one)).not.toEqual(canonical(other));
  });
});
