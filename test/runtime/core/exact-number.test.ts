import fc from 'fast-check';
import { mayLoseDigits } from '../../../runtime/src/exact-number.js';

test.each([
  ['1234567890123456', true],
  ['-0.12345678901234567', true],
  ['{"n": 9007199254740993}', true],
  ['1e400', true],
  ['1E-400', true],
  ['123456789012345', false],
  ['2024-01-01T10:00:00.123456Z', false],
  ['1e20', false],
  ['{"a":1.50}', true],
  ['[1.0, 2]', true],
  ['[-0]', true],
  ['-0.0', true],
  ['-0.5', false],
  ['10.05', false],
  ['{"at":"2024-01-01T10:00:00.120Z"}', false],
  ['{"at":"2024-01-10"}', false],
])('digits of %s may be lost: %s', (text, expected) => {
  expect(mayLoseDigits(text)).toBe(expected);
});

test('wherever a long number stands, it is found', () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 40 }), fc.nat({ max: 60 }), (before, length, after) => {
      const text = 'x'.repeat(before) + '7'.repeat(length) + 'x'.repeat(after);
      expect(mayLoseDigits(text)).toBe(length >= 16);
    }),
  );
});
