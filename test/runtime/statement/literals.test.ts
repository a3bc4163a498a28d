import fc from 'fast-check';
import pg from 'pg';
import { isArrayLiteral } from '../../../runtime/src/dialect/postgres/parameters/array-literal.js';
import { jsonEncoder, textEncoder } from '../../../runtime/src/dialect/postgres/parameters/encode.js';
import { isRangeLiteral } from '../../../runtime/src/dialect/postgres/parameters/range.js';
import { ExactNumber } from '../../../runtime/src/exact-number.js';
import type { ColumnType } from '../../../runtime/src/descriptor/descriptor.js';
import type { Registry } from '../../../runtime/src/descriptor/registry.js';
import * as t from '../../../runtime/src/dialect/postgres/types.js';
import { describeDatabase } from '../../support/describe-database.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { tableOf } from '../../support/registry.js';

let registry: Registry;
const encode = (type: ColumnType, value: unknown): string => jsonEncoder(type, registry)(value);

/** The type of a column of the table `held`. */
function typeOf(column: string): ColumnType {
  const type = tableOf(registry, 'publicHeld').byName.get(column)?.type;
  if (type === undefined) throw new Error(`no column ${column}`);
  return type;
}

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase('statement_literals');
  await loadSql(
    database.url,
    `CREATE TYPE pair AS ("a b" text, n int8, tags text[], span int4range);
     CREATE TYPE mood AS ENUM ('so so');
     CREATE TABLE held (pair pair, mood mood);`,
  );
  ({ registry } = await describeDatabase(database.url));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function readBack(type: string, literal: string): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`select to_json($1::${type}) as value`, [literal]);
  return rows[0]?.value;
}

const anyText = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));

describe('what is written is what the database reads', () => {
  test('arrays of any text, with nulls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(anyText)), async (list) => {
        expect(await readBack('text[]', encode(t.arrayOf(t.text), list))).toEqual(list);
      }),
      { numRuns: 100 },
    );
  });

  test('nested arrays', async () => {
    expect(await readBack('int[]', encode(t.arrayOf(t.int4), [[[1, 2]], [[3, null]]]))).toEqual([
      [[1, 2]],
      [[3, null]],
    ]);
    expect(await readBack('jsonb[]', encode(t.arrayOf(t.jsonb), [[1], { a: 2 }, 'x']))).toEqual([[1], { a: 2 }, 'x']);
  });

  test('composites of any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(anyText), fc.array(anyText, { maxLength: 3 }), async (text, tags) => {
        const literal = encode(typeOf('pair'), { a_b: text, tags, span: { lower: 1, upper: 5 } });
        expect(await readBack('pair', literal)).toEqual({ 'a b': text, n: null, tags, span: '[1,5)' });
      }),
      { numRuns: 100 },
    );
  });

  test('JSON of any value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\u')),
        async (value) => {
          expect(await readBack('json', encode(t.json, value))).toEqual(value);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('numbers keep all their digits', () => {
    expect(encode(t.numeric, new ExactNumber('12345678901234567890.123456789'))).toBe('12345678901234567890.123456789');
    expect(encode(t.jsonb, { a: [new ExactNumber('1e400')], b: undefined, c: 1n })).toBe('{"a":[1e400],"c":1}');
    expect(encode(t.int8, 9007199254740993n)).toBe('9007199254740993');
  });

  test('enum members by GraphQL name or label', () => {
    const mood = typeOf('mood');
    expect(encode(mood, 'so_so')).toBe('so so');
    expect(textEncoder(mood)('so so')).toBe('so so');
    expect(encode(t.arrayOf(mood), ['so_so'])).toBe('{"so so"}');
  });

  test('ranges', async () => {
    const range = t.rangeOf(t.text, 'textrange');
    expect(encode(range, { empty: true })).toBe('empty');
    expect(encode(range, {})).toBe('[,)');
    expect(encode(range, { lower: 'a"\\', upper: null, lowerInclusive: false, upperInclusive: true })).toBe(
      '("a\\"\\\\",]',
    );
    expect(
      await readBack('int4range', encode(t.rangeOf(t.int4, 'int4range'), { lower: 1, upper: 3, upperInclusive: true })),
    ).toBe('[1,4)');
  });
});

describe('literals of REST', () => {
  test.each([
    '{}',
    '{a,b}',
    ' { a , "b,c" , NULL } ',
    '{{1,2},{3,4}}',
    '{"a\\"b"}',
    '{a\\,b}',
    '[2:3]={a,b}',
    '{"{"}',
    '{a b}',
  ])('array %p', async (literal) => {
    expect(isArrayLiteral(literal)).toBe(true);
    await expect(readBack('text[]', literal)).resolves.toBeDefined();
  });

  test.each(['', 'a,b', '[a,b]', '{a', '{a,}', '{,a}', '{"a}', '{a}b', '{a}{b}', '{a"b"}', '}', '{a,{b}', '('])(
    'no array %p',
    async (literal) => {
      expect(isArrayLiteral(literal)).toBe(false);
      await expect(readBack('text[]', literal)).rejects.toMatchObject({ code: '22P02' });
    },
  );

  test('a hostile nesting is refused, or left to the database, without harm', () => {
    expect(isArrayLiteral('{'.repeat(100_000))).toBe(false);
    expect(isArrayLiteral('{'.repeat(100_000) + '}'.repeat(100_000))).toBe(true);
    expect(isRangeLiteral(`[${'"'.repeat(100_001)},`)).toBe(false);
    expect(isRangeLiteral(`[${' '.repeat(100_000)}`)).toBe(false);
    expect(isArrayLiteral(`{"${'\\"'.repeat(100_000)}`)).toBe(false);
  });

  test.each(['[1,5)', '(,)', ' empty ', 'EMPTY', '[1,]', '("1","5"]'])('range %p', async (literal) => {
    expect(isRangeLiteral(literal)).toBe(true);
    await expect(readBack('int4range', literal)).resolves.toBeDefined();
  });

  test.each(['', '1-5', '[1]', '[1,2,3)', '1,5', '[1,5', '{1,5}'])('no range %p', async (literal) => {
    expect(isRangeLiteral(literal)).toBe(false);
    await expect(readBack('int4range', literal)).rejects.toMatchObject({ code: '22P02' });
  });
});
