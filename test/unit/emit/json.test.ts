import prettier from 'prettier';
import { printJson, type Json } from '../../../runtime/src/openapi/json.js';

const formatted = (value: Json): Promise<string> =>
  prettier.format(JSON.stringify(value), { parser: 'json', printWidth: 120, objectWrap: 'collapse' });

describe('JSON is in Prettier’s form', () => {
  it.each([
    ['scalars', ['a"b', 1.5, true, null]],
    ['nothing', [{}, [], [[]], { a: {} }]],
    [
      'objects of several entries, on lines of their own',
      {
        list: [
          { a: 1, b: 2 },
          { c: 3, d: 4 },
        ],
      },
    ],
    ['objects of one entry each, on one line', { list: [{ a: 1 }, { b: 2 }] }],
    [
      'a list that has to break inside an object',
      {
        outer: {
          inner: {
            list: [
              { a: 1, b: 2 },
              { c: 3, d: 4 },
            ],
          },
        },
      },
    ],
  ])('%s', async (_what, value: Json) => {
    expect(printJson(value, 0)).toBe(await formatted(value));
  });

  it('where a line is full, with the comma after it and without', async () => {
    for (let length = 90; length < 120; length += 1) {
      const long = { name: 'x'.repeat(length), in: 'y' };
      const value = { first: long, last: long, lists: [long, long] };
      expect(printJson(value, 0)).toBe(await formatted(value));
    }
  });
});

it('outermost objects are tall, however little they hold', () => {
  expect(printJson({ a: { b: { c: 1 } }, d: [{ e: 1 }] })).toBe(
    '{\n  "a": {\n    "b": { "c": 1 }\n  },\n  "d": [{ "e": 1 }]\n}\n',
  );
});
