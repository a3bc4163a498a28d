import fc from 'fast-check';
import { hasPlainNumbers } from '../../../runtime/src/exact-number.js';
import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/**
 * A single row is written with a parameter for each value, and a list of rows with one JSON
 * parameter. Both must give the same result.
 */
const schema = `
  create schema shed;
  create type shed.mood as enum ('calm', 'tense');
  create domain shed.percent as int check (value between 0 and 100);
  create table shed.things (
    id int generated always as identity primary key, small int2, big int8, exact numeric, rounded numeric(6,2), real8 float8, flag bool,
    words text, short varchar(5), fixed char(4), bits bit(3), mood shed.mood, share shed.percent, at timestamptz, took interval,
    raw bytea, doc json, docb jsonb, tags text[], span int4range, key uuid, addr inet, cash money);`;

let db: WriteDatabase;
let server: WriteServer;

beforeAll(async () => {
  db = await createWriteDatabase(schema, ['shed']);
  server = await startWriteServer(db);
});

afterAll(async () => {
  await server.stop();
  await db.drop();
});

const headers = { 'content-type': 'application/json' };

/** The answer for a row and its stored form, without its key; or the error. */
async function written(method: 'POST' | 'PATCH', body: string): Promise<unknown> {
  await db.query('truncate shed.things; insert into shed.things (words) values (null)');
  const path = method === 'POST' ? '/api/v1/things' : '/api/v1/things?id=gt.0';
  const { status, text } = await server.send(method, path, headers, body);
  const stored = await db.query(`select (t.*)::text from (select * from shed.things order by id desc limit 1) t`);
  return { status, text: withoutKey(text).replace(/^\[|\]$/g, ''), stored: withoutKey(JSON.stringify(stored)) };
}

const withoutKey = (text: string): string => text.replace(/"id":\d+,/, '').replace(/\(\d+,/, '(');

const cells: readonly (readonly [column: string, json: string])[] = [
  ...['1', '-7', '0', '1.50', '1.0', '-0', '1e2', '1E-7', '0.0000001', '12345678901234567890', '99999', 'null'].flatMap(
    (json) =>
      ['small', 'big', 'exact', 'rounded', 'real8', 'words', 'short', 'share', 'cash', 'doc', 'docb'].map(
        (column) => [column, json] as const,
      ),
  ),
  ...[
    '"x"',
    '""',
    '" a\\n\\"b\\" \\\\ \\u00e9 é 😀"',
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    '"\\u0000"',
    '"null"',
    '"1.50"',
  ].flatMap((json) =>
    ['words', 'short', 'fixed', 'doc', 'docb', 'exact', 'mood', 'flag'].map((column) => [column, json] as const),
  ),
  ...['true', 'false'].flatMap((json) => ['flag', 'words', 'doc', 'small'].map((column) => [column, json] as const)),
  ['mood', '"calm"'],
  ['mood', '"merry"'],
  ['bits', '"101"'],
  ['bits', '"1"'],
  ['at', '"2024-02-30"'],
  ['at', '"2024-02-03T04:05:06.123456+02:00"'],
  ['took', '"P1DT2H"'],
  ['raw', '"\\\\x00ff"'],
  ['doc', '{"a": [1.50, 1e400]}'],
  ['docb', '[1, {"b": null}]'],
  ['tags', '["a", null]'],
  ['tags', '"{a,b}"'],
  ['span', '{"lower": 1, "upper": 5}'],
  ['span', '"[1,5)"'],
  ['key', '"6f1c9a0e-0000-4000-8000-000000000001"'],
  ['addr', '"10.0.0.1/8"'],
  ['no_such', '1'],
  ['id', '1'],
];

test.each(cells)('%s: %s is the same alone and in a list', async (column, json) => {
  const row = `{"${column}":${json}}`;
  const alone = await written('POST', row);
  expect(alone).toEqual(await written('POST', `[${row}]`));
  expect(alone).toEqual(await written('POST', ` { "${column}" : ${json} } `));
});

test.each(cells)('%s: %s is what it is in an insert when it is an update', async (column, json) => {
  const row = `{"${column}":${json}}`;
  const { status, ...inserted } = (await written('POST', row)) as { status: number };
  expect(await written('PATCH', row)).toEqual({ status: status === 201 ? 200 : status, ...inserted });
});

test('what is written is what was given', async () => {
  const row = '{"exact":1.50,"words":"a\\"é","flag":true,"big":9007199254740993,"doc":"x"}';
  const { status, text } = (await written('POST', row)) as { readonly status: number; readonly text: string };
  expect(status).toBe(201);
  for (const member of ['"exact":1.50', '"words":"a\\"é"', '"flag":true', '"big":9007199254740993', '"doc":"x"']) {
    expect(text).toContain(member);
  }
  const plain = '{"exact":1.5,"words":"b","flag":false,"small":7,"docb":null}';
  expect(await written('POST', plain)).toMatchObject({
    status: 201,
    stored: expect.stringMatching(/7,,1\.5,,,f,b,/) as string,
  });
});

test('values of several columns are each their own, and what is given twice is what is given last', async () => {
  const row = '{"words":"a","small":1,"flag":false,"doc":null,"small":2}';
  expect(await written('POST', row)).toEqual(await written('POST', `[${row}]`));
});

test.each(['2024-01-01T00:00:00.000Z', '10:20', '1.50', 'a:1.50', '1e5'])('%s in a string is no number', (text) => {
  expect(hasPlainNumbers(JSON.stringify({ a: text, b: 1 }))).toBe(true);
});

test('numbers are plain when JavaScript writes them as they are', () => {
  const digits = fc.string({ unit: fc.constantFrom('0', '1', '5'), maxLength: 18 });
  const token = fc
    .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.'), digits, fc.constantFrom('', 'e2', 'E-9'))
    .map((parts) => parts.join(''))
    .filter((text) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text));
  let plain = 0;
  fc.assert(
    fc.property(token, fc.constantFrom('', ' ', '\n'), (text, space) => {
      if (!hasPlainNumbers(`{"a":${space}${text}}`)) return;
      plain += 1;
      expect(String(JSON.parse(text))).toBe(text);
    }),
    { numRuns: 5000 },
  );
  expect(plain).toBeGreaterThan(500);
});
