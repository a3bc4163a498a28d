import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RawAnswers, type ResponsePath } from '../../../templates/runtime/response/graphql-answers.js';
import { JsonText } from '../../../templates/runtime/response/graphql-json.js';

/** The whole value, looked up piece by piece: leaves by their own text. */
function rebuilt(text: JsonText, like: unknown): unknown {
  if (Array.isArray(like)) return text.items().map((item, at) => rebuilt(item, like[at]));
  if (typeof like !== 'object' || like === null) return JSON.parse(text.raw);
  const entries = Object.entries(like).map(([key, value]: [string, unknown]) => {
    const member = text.get(key);
    if (member === undefined) throw new Error(`no ${key}`);
    return [key, rebuilt(member, value)];
  });
  return Object.fromEntries(entries) as unknown;
}

test('finds in any JSON what JSON.parse finds, however it is spaced', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const like: unknown = JSON.parse(JSON.stringify(value));
      expect(rebuilt(JsonText.of(` ${JSON.stringify(value, null, space)}\n`), like)).toEqual(like);
    }),
  );
});

test.each([
  ['1.50', '1.50'],
  [' 1e-07 ', '1e-07'],
  ['"a\\"}]{[\\\\"', '"a\\"}]{[\\\\"'],
  ['{"a" : [1,  2]}', '{"a" : [1,  2]}'],
  ['null', 'null'],
])('keeps the text of %j', (text, raw) => {
  expect(JsonText.of(text).raw).toBe(raw);
});

test('tells what stands between items, and what is not there', () => {
  expect(JsonText.of('[1, \n 2, \n 3]').separator()).toBe(', \n ');
  expect(JsonText.of('[1]').separator()).toBe(',');
  expect(JsonText.of('{"a":1}').get('constructor')).toBeUndefined();
  expect(JsonText.of('[1]').get('0')).toBeUndefined();
  expect(JsonText.of('{"a":1}').items()).toEqual([]);
});

test('recorded texts take the place of the leaves that stood in for them', () => {
  const answers = new RawAnswers();
  const path = (...keys: (string | number)[]): ResponsePath => {
    const [last, ...before] = keys.reverse();
    if (last === undefined) throw new Error('no key');
    return { key: last, prev: before.length === 0 ? undefined : path(...before.reverse()) };
  };
  answers.record(path('rows', 0, 'n'), '1.50');
  answers.record(path('rows', 1, 'n'), '1e-07');
  answers.recordSeparator(path('rows'), ', \n ');
  const data = { rows: [{ n: 0, own: 'é"' }, { n: 0, own: [1.5] }, null], none: null, other: { n: 0 } };
  expect(answers.write(data)).toBe(
    '{"rows":[{"n":1.50,"own":"é\\""}, \n {"n":1e-07,"own":[1.5]}, \n null],"none":null,"other":{"n":0}}',
  );
});
