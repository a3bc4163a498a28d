import { describe, expect, test } from '@jest/globals';
import { parseValue, type GraphQLScalarType } from 'graphql';
import { ExactNumber } from '../../../runtime/src/exact-number.js';
import * as scalars from '../../../runtime/src/schema/scalars.js';

const literal = (scalar: GraphQLScalarType, text: string): unknown => scalar.parseLiteral(parseValue(text));

describe('what is taken, as a literal and as a variable', () => {
  test.each<[GraphQLScalarType, string, unknown, unknown]>([
    [scalars.GraphQLBigInt, '9223372036854775807', '9223372036854775807', '9223372036854775807'],
    [scalars.GraphQLBigInt, '"-9223372036854775808"', '-9223372036854775808', '-9223372036854775808'],
    [scalars.GraphQLBigInt, '"18446744073709551615"', '18446744073709551615', '18446744073709551615'],
    [scalars.GraphQLBigInt, '7', 7, '7'],
    [scalars.GraphQLNumeric, '12345678901234567890.10', '12345678901234567890.10', '12345678901234567890.10'],
    [scalars.GraphQLNumeric, '1e400', '1e400', '1e400'],
    [scalars.GraphQLNumeric, '"NaN"', 'NaN', 'NaN'],
    [
      scalars.GraphQLUUID,
      '"123e4567-e89b-12d3-a456-426614174000"',
      '123e4567-e89b-12d3-a456-426614174000',
      '123e4567-e89b-12d3-a456-426614174000',
    ],
    [scalars.GraphQLDate, '"2024-02-29"', '2024-02-29', '2024-02-29'],
    [
      scalars.GraphQLDateTime,
      '"2024-02-29T10:00:00.123456Z"',
      '2024-02-29T10:00:00.123456Z',
      '2024-02-29T10:00:00.123456Z',
    ],
    [scalars.GraphQLBytes, '"\\\\xDEAD"', '\\xDEAD', '\\xDEAD'],
    [scalars.GraphQLVector, '[1, 2.5, -3e-2]', [1, 2.5, -3e-2], [1, 2.5, -0.03]],
    [scalars.GraphQLTextSearch, '"a b"', 'a b', 'a b'],
    [
      scalars.GraphQLTextSearch,
      '{query: "a", config: "french"}',
      { query: 'a', config: 'french' },
      { query: 'a', config: 'french' },
    ],
    [scalars.GraphQLJSON, '{a: [1, "x", null, true]}', { a: [1, 'x', null, true] }, { a: [1, 'x', null, true] }],
  ])('%s %s', (scalar, text, value, expected) => {
    expect(literal(scalar, text)).toEqual(expected);
    expect(scalar.parseValue(value)).toEqual(expected);
  });

  test('numbers that JavaScript would round', () => {
    expect(scalars.GraphQLBigInt.parseValue(new ExactNumber('9007199254740993'))).toBe('9007199254740993');
    expect(scalars.GraphQLNumeric.parseValue(new ExactNumber('0.1000000000000000055'))).toBe('0.1000000000000000055');
    expect(scalars.GraphQLNumeric.parseValue(0.1)).toBe('0.1');
    expect(scalars.GraphQLBigInt.parseValue(10n)).toBe('10');
  });
});

describe('what is refused', () => {
  test.each<[GraphQLScalarType, string, unknown]>([
    [scalars.GraphQLBigInt, '18446744073709551616', '18446744073709551616'],
    [scalars.GraphQLBigInt, '-9223372036854775809', '-9223372036854775809'],
    [scalars.GraphQLBigInt, '1.5', 1.5],
    [scalars.GraphQLBigInt, '"12x"', true],
    [scalars.GraphQLNumeric, '"1,5"', '1,5'],
    [scalars.GraphQLNumeric, 'true', Number.NaN],
    [scalars.GraphQLUUID, '"123"', 123],
    [scalars.GraphQLDate, '20240229', 20240229],
    [scalars.GraphQLBytes, '"DEAD"', '\\xABC'],
    [scalars.GraphQLVector, '"[1]"', ['1']],
    [scalars.GraphQLVector, '[1, x]', [Number.POSITIVE_INFINITY]],
    [scalars.GraphQLTextSearch, '{config: "french"}', { query: 1 }],
    [scalars.GraphQLTextSearch, '{query: "a", more: "b"}', null],
  ])('%s %s and %j', (scalar, text, value) => {
    expect(() => literal(scalar, text)).toThrow(/cannot represent|valid UUID|UUIDs/);
    expect(() => scalar.parseValue(value)).toThrow(/cannot represent|not string/);
  });
});

test("the database's text passes through every scalar of ours", () => {
  for (const scalar of Object.values(scalars)) expect(scalar.serialize('1e-07')).toBe('1e-07');
});
