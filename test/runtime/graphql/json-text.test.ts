import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { dataText, RawAnswers, type ResponsePath } from '../../../runtime/src/response/graphql-answers.js';
import { databaseJsonText, parseDatabaseJson, plainJson } from '../../../runtime/src/response/graphql-json.js';

test('any JSON is parsed as JSON.parse does, and objects and lists are written as they were', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value);
      const spaced = JSON.stringify(value, null, space);
      const parsed = parseDatabaseJson(` ${spaced}\n`);
      expect(plainJson(parsed)).toEqual(JSON.parse(text));
      expect(databaseJsonText(parsed)).toBe(spaced);
    }),
  );
});

test.each([
  ['1.50'],
  ['1e-07'],
  ['-0.0'],
  ['12345678901234567890.123456789'],
  ['1e400'],
  ['{"a":[1.10,{"b":-9007199254740993}],"c":null}'],
  ['{"__proto__":1.0,"toJSON":2,"constructor":3}'],
])('the digits of %s are kept', (text) => {
  expect(databaseJsonText(parseDatabaseJson(text))).toBe(text);
  expect(plainJson(parseDatabaseJson(text))).toEqual(JSON.parse(text));
});

test('of several members of one name the last one counts, and the text has all of them', () => {
  const text = '{"a":1.0,"b":2,"a":3.0}';
  expect(plainJson(parseDatabaseJson(text))).toEqual({ a: 3, b: 2 });
  expect(databaseJsonText(parseDatabaseJson(text))).toBe(text);
});

test('recorded values take the place of the leaves that stood in for them', () => {
  const answers = new RawAnswers();
  const path = (...keys: (string | number)[]): ResponsePath => {
    const [last, ...before] = keys.reverse();
    if (last === undefined) throw new Error('no key');
    return { key: last, prev: before.length === 0 ? undefined : path(...before.reverse()) };
  };
  answers.record(path('rows', 0, 'n'), new LosslessNumber('1.50'));
  answers.record(path('rows', 1, 'n'), new LosslessNumber('1e-07'));
  const data = { rows: [{ n: 0, own: 'é"' }, { n: 0, own: [1.5] }, null], none: null, other: { n: 0 } };
  expect(dataText(answers.write(data))).toBe(
    '{"rows":[{"n":1.50,"own":"é\\""},{"n":1e-07,"own":[1.5]},null],"none":null,"other":{"n":0}}',
  );
  expect(dataText(answers.write(null))).toBe('null');
});
