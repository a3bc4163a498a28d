import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/**
 * What the server writes as CSV, it reads back the same: each type with its awkward values. JSON's
 * own null is not among them, because no answer of the API tells it from NULL, and `json` is
 * compact, because its spaces are not kept.
 */
const values: Readonly<Record<string, readonly string[]>> = {
  text: [
    "'NULL'",
    "'null'",
    "''",
    "' '",
    `'a,"b"'`,
    `E'a\\nb\\r\\nc'`,
    `'"'`,
    `'\\x'`,
    `'{}'`,
    "'(,)'",
    "'1.50'",
    "'𝄞'",
  ],
  'character(4)': ["'a'", "''"],
  'character varying(9)': ["'NULL'"],
  int: ['-2147483648', '0'],
  bigint: ['9223372036854775807'],
  numeric: ["'NaN'", '1.50', '-0.0', '1e-20', '123456789012345678901234567890.1234567890', "'Infinity'"],
  money: ['1234.50', '-0.01'],
  real: ['0.1', "'NaN'", "'-Infinity'", '1e-40', '16777216'],
  'double precision': ['0.1', "'Infinity'", "'-0'", '1.7976931348623157e308', '5e-324'],
  boolean: ['true', 'false'],
  uuid: ["'00000000-0000-0000-0000-00000000000a'"],
  date: ["'0044-03-15 BC'", "'infinity'", "'10000-01-01'"],
  time: ["'23:59:59.999999'", "'24:00'"],
  timetz: ["'12:00+05:30'"],
  timestamp: ["'2024-02-29 12:00:00.5'", "'-infinity'", "'0001-01-01 BC'"],
  timestamptz: ["'2024-02-29 12:00:00.123456+00'", "'infinity'"],
  interval: ["'1 year -2 days 03:04:05.6'", "'-1 mon'", "'0'"],
  json: [`'"1"'`, `'"NULL"'`, `'""'`, `'1.50'`, `'{"b":1,"a":null}'`, `'[1,"x",[],{}]'`, `'true'`, `'-0'`],
  jsonb: [`'"1"'`, `'"a,b"'`, `'12345678901234567890.10'`, `'{"a": "NULL"}'`, `'[]'`, `'false'`],
  bytea: [`'\\x'`, `'\\x00ff22'`],
  tsvector: [`'fat:2 rat:3'`],
  bit: ["B'1'"],
  'bit varying': ["B'1010'", "B''"],
  inet: ["'10.0.0.1'", "'10.1.0.0/16'", "'::1'"],
  xml: [`'<a b="c">x,y</a>'`],
  point: ["'(1,-2.5)'"],
  path: ["'[(0,0),(1,1)]'"],
  'csv.mood': ["'NULL'", "'so so'", "'a,b'", `'quo"te'`],
  'csv.pair': [`row('a,b', null)`, `row('NULL', '{"x": "y"}')`, `row('', '"1"')`, 'row(null, null)'],
  'csv.short': ["'NULL'"],
  'csv.document': [`'"1"'`],
  int4range: ["'[1,5)'", "'empty'", "'(,)'"],
  numrange: ["'(1.50,2.0]'"],
  tstzrange: [`'["2024-01-01 00:00:00+00",)'`],
  int4multirange: [`'{[1,2), [5,9)}'`, `'{}'`],
  'text[]': [`array['NULL', null, '', 'a,b', '"', '{}', E'\\n']`, `'{}'`, `array[array['a', 'b'], array['c', 'd']]`],
  'int[]': [`'[0:1]={1,2}'`, `array[null]::int[]`],
  'numeric[]': [`array[1.50, 'NaN']`],
  'money[]': [`array[1.50::money]`],
  'json[]': [`array['"1"', 'null', null, '{"a": [1, "x"]}', '"NULL"']::json[]`, `'{}'`],
  'jsonb[]': [`array['{"a": 1}', '"a,b"', '1.50']::jsonb[]`, `array[array['1']::jsonb[], array['"x"']::jsonb[]]`],
  'bytea[]': [`array['\\x00'::bytea, '\\xff22']`],
  'csv.mood[]': [`array['so so', 'NULL', 'a,b']::csv.mood[]`],
  'csv.pair[]': [`array[row('a', '{"x": 1}')::csv.pair, null]`],
  'int4range[]': [`array['[1,5)'::int4range, 'empty']`],
  'timestamptz[]': [`array['2024-01-01 00:00:00+00'::timestamptz, 'infinity']`],
  'interval[]': [`array['1 day'::interval]`],
};

const columns = Object.keys(values).map((type, at) => ({ type, name: `c${String(at)}` }));
const longest = Math.max(...Object.values(values).map(({ length }) => length));
const rowOf = (n: number): string => columns.map(({ type }) => `(${values[type]?.[n] ?? 'null'})::${type}`).join(', ');

let db: WriteDatabase;
let server: WriteServer;

beforeAll(async () => {
  db = await createWriteDatabase(
    `create schema csv;
     create type csv.mood as enum ('NULL', 'so so', 'a,b', 'quo"te');
     create type csv.pair as (word text, note jsonb);
     create domain csv.short as text check (length(value) < 9);
     create domain csv.document as jsonb;
     create table csv.cells (id int primary key, ${columns.map(({ type, name }) => `${name} ${type}`).join(', ')});
     ${Array.from({ length: longest + 1 }, (_, n) => `insert into csv.cells values (${String(n)}, ${rowOf(n)});`).join('\n')}`,
    ['csv'],
  );
  server = await startWriteServer(db, { environment: { APP_REST_POSTGREST: '/rest/v1' } });
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

/** Each cell as the database's own text. */
const cells = async (): Promise<readonly string[]> => {
  const texts = columns.map(({ name }) => `coalesce(${name}::text, '(null)')`).join(', ');
  const rows = await db.query(`select id, array[${texts}] as cells from csv.cells order by id`);
  return rows.flatMap(({ id, cells: all }) =>
    columns.map(({ type }, at) => `${String(id)} ${type} ${(all as readonly string[])[at] ?? ''}`),
  );
};

beforeEach(() => db.restore());

test.each(['/api/v1', '/rest/v1'])('what %s writes as CSV it reads back the same, for every type', async (base) => {
  const before = await cells();
  const written = await server.get(`${base}/cells?order=id`, { accept: 'text/csv' });
  expect(written.status).toBe(200);
  await db.query('delete from csv.cells');
  const headers = { 'content-type': 'text/csv', accept: 'text/csv', prefer: 'return=representation' };
  const read = await server.send('POST', `${base}/cells`, headers, written.text);
  expect([read.status, read.text]).toEqual([201, written.text]);
  expect(await cells()).toEqual(before);
});
