import fc from 'fast-check';
import { parseExact, parseKept } from '../../../runtime/src/exact-number.js';
import { sourceOf, withoutSource } from '../../../runtime/src/json-source.js';
import { writeJson } from '../../../runtime/src/dialect/json-text.js';

test('any JSON is written as its text, at each depth, and is the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (inner, space) => {
      const text = JSON.stringify(inner, null, space);
      const value = parseKept(`[ {"a" : ${text}} , [${text}\n]]`);
      expect(value).toEqual(parseExact(`[{"a":${text}},[${text}]]`));
      const [{ a }, [item]] = value as [{ a: unknown }, [unknown]];
      for (const each of [a, item]) {
        if (typeof each === 'object' && each !== null) expect(writeJson(each)).toBe(text);
      }
    }),
  );
});

test('of several members of one name the last one has its text, and names may be escaped', () => {
  const value = parseKept(String.raw`{"a":{"x": 1},"a":{"y" : {"x": [ ]}},"\u0062\"":[ 1]}`) as Record<string, unknown>;
  expect(Object.values(value).map(writeJson)).toEqual(['{"y" : {"x": [ ]}}', '[ 1]']);
});

test('a value that the code of the user may change has no text', () => {
  const value = parseKept('{"a": {"b": [ 1]}}') as { a: { b: number[] } };
  withoutSource(value);
  expect([value, value.a, value.a.b].map(sourceOf)).toEqual([undefined, undefined, undefined]);
  value.a.b.push(2);
  expect(writeJson(value)).toBe('{"a":{"b":[1,2]}}');
});
