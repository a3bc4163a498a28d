import type { Registry } from '../../../runtime/src/descriptor/registry.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { columns, json, runner, settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { tableOf } from '../../support/registry.js';
import { graphqlForm, restForm } from '../../../runtime/src/plan/intent-form.js';

/**
 * `[name, SQL expression, JSON over GraphQL, JSON over REST where it differs]`: decision 002, line
 * by line.
 */
const kinds: readonly (readonly [name: string, value: string, graphql: string, rest?: string])[] = [
  ['int2', `7::int2`, '7'],
  ['int4', `-5`, '-5'],
  ['int8', `9223372036854775807`, '"9223372036854775807"', '9223372036854775807'],
  ['numeric', `12345678901234567890.1234500`, '12345678901234567890.1234500'],
  ['numeric_nan', `'NaN'::numeric`, '"NaN"'],
  ['money', `'1234.50'::money`, '1234.50'],
  ['float4', `0.1::float4`, '0.1'],
  ['float8', `1e-7::float8`, '1e-07'],
  ['float_nan', `'NaN'::float8`, '"NaN"'],
  ['float_infinity', `'-Infinity'::float8`, '"-Infinity"'],
  ['bool', `true`, 'true'],
  ['text', `E'a"b\\\\c\\nd'::text`, '"a\\"b\\\\c\\nd"'],
  ['char5', `'ab'::char(5)`, '"ab   "'],
  ['name', `'n'::name`, '"n"'],
  ['uuid', `'00000000-0000-0000-0000-00000000000A'::uuid`, '"00000000-0000-0000-0000-00000000000a"'],
  ['date', `'2024-02-29'::date`, '"2024-02-29"'],
  ['time', `'10:00:00.123456'::time`, '"10:00:00.123456"'],
  ['timetz', `'10:00+02'::timetz`, '"10:00:00+02"'],
  ['timestamp', `'2024-01-01 10:00:00.123456'::timestamp`, '"2024-01-01T10:00:00.123456"'],
  ['timestamptz', `'2024-01-01 10:00:00.5+02'::timestamptz`, '"2024-01-01T08:00:00.5+00:00"'],
  ['interval', `'1 year 2 months 3 days 04:05:06.7'::interval`, '"P1Y2M3DT4H5M6.7S"'],
  ['json', `'{"b": 1, "a": [1,  null]}'::json`, '{"b": 1, "a": [1,  null]}'],
  ['jsonb', `'"text"'::jsonb`, '"text"'],
  ['json_null', `'null'::jsonb`, 'null'],
  ['enum', `'so so'::mood`, '"so_so"', '"so so"'],
  ['enum_same', `'happy'::mood`, '"happy"'],
  ['bytea', `'\\xDEAD'::bytea`, '"\\\\xdead"'],
  ['tsvector', `to_tsvector('simple', 'b a')`, `"'a':2 'b':1"`],
  ['ints', `'{{1,2},{3,NULL}}'::int4[]`, '[[1,2],[3,null]]'],
  ['int8s', `'{{1},{2}}'::int8[]`, '[["1"],["2"]]', '[[1],[2]]'],
  ['texts', `'{}'::text[]`, '[]'],
  ['stamps', `'{2024-01-01 00:00+00}'::timestamptz[]`, '["2024-01-01T00:00:00+00:00"]'],
  ['moneys', `'{1.50}'::money[]`, '[1.50]'],
  ['jsons', `array['{"a": 1}'::jsonb, '[2]']`, '[{"a": 1},[2]]'],
  [
    'enums',
    `'{{so so,sad},{happy,NULL}}'::mood[]`,
    '[["so_so","sad"],["happy",null]]',
    '[["so so","sad"],["happy",null]]',
  ],
  ['inets', `'{10.0.0.1}'::inet[]`, '["10.0.0.1"]'],
  ['plain', `row(1, 'x')::plain`, '{"n":1,"s":"x"}'],
  ['plain_nulls', `row(null, null)::plain`, '{"n":null,"s":null}'],
  [
    'place',
    `row(1, 9007199254740993, 'so so', '[1,3)')::place`,
    '{"street_number":1,"big":"9007199254740993","mood":"so_so","span":{"lower":1,"upper":3,"lowerInclusive":true,"upperInclusive":false,"empty":false}}',
    '{"street number":1,"big":9007199254740993,"mood":"so so","span":{"lower":1,"upper":3,"lowerInclusive":true,"upperInclusive":false,"empty":false}}',
  ],
  [
    'places',
    `array[row(1, 2, 'sad', 'empty')::place, null]`,
    '[{"street_number":1,"big":"2","mood":"sad","span":{"lower":null,"upper":null,"lowerInclusive":false,"upperInclusive":false,"empty":true}}, null]',
    '[{"street number":1,"big":2,"mood":"sad","span":{"lower":null,"upper":null,"lowerInclusive":false,"upperInclusive":false,"empty":true}}, null]',
  ],
  [
    'range',
    `'(5,)'::int8range`,
    '{"lower":"6","upper":null,"lowerInclusive":true,"upperInclusive":false,"empty":false}',
    '{"lower":6,"upper":null,"lowerInclusive":true,"upperInclusive":false,"empty":false}',
  ],
  [
    'stamp_range',
    `'[2024-01-01 00:00+00,infinity]'::tstzrange`,
    '{"lower":"2024-01-01T00:00:00+00:00","upper":"infinity","lowerInclusive":true,"upperInclusive":true,"empty":false}',
  ],
  [
    'ranges',
    `'{{"[1,2)"},{"[3,4)"}}'::int4range[]`,
    '[[{"lower":1,"upper":2,"lowerInclusive":true,"upperInclusive":false,"empty":false}], [{"lower":3,"upper":4,"lowerInclusive":true,"upperInclusive":false,"empty":false}]]',
  ],
  ['no_ranges', `'{}'::int4range[]`, '[]'],
  ['hstore', `'a=>1'::hstore`, `"\\"a\\"=>\\"1\\""`],
  ['host', `'10.0.0.1'::inet`, '"10.0.0.1"'],
  ['inet', `'10.0.0.0/8'::inet`, '"10.0.0.0/8"'],
  ['bit', `B'101'`, '"101"'],
  ['xml', `'<a/>'::xml`, '"<a/>"'],
  ['point', `'(1,2)'::point`, '"(1,2)"'],
  ['domain', `5::big_positive`, '"5"', '5'],
  ['ltree', `'a.b'::ltree`, '"a.b"'],
];

const setup = `
CREATE EXTENSION hstore; CREATE EXTENSION ltree;
CREATE TYPE mood AS ENUM ('sad', 'so so', 'happy');
CREATE TYPE plain AS (n int, s text);
CREATE TYPE place AS ("street number" int, big bigint, mood mood, span int4range);
CREATE DOMAIN big_positive AS bigint CHECK (VALUE > 0);
CREATE TABLE kinds AS SELECT 1 AS id, ${kinds.map(([name, value]) => `${value} AS "${name}"`).join(', ')};
INSERT INTO kinds (id) VALUES (2);
`;

let database: TestDatabase;
let driver: Driver;
let registry: Registry;

beforeAll(async () => {
  database = await createTestDatabase('core_projections');
  await loadSql(database.url, setup);
  // The database's defaults would change every text form.
  await loadSql(
    database.url,
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Tokyo''', current_database());
    EXECUTE format('ALTER DATABASE %I SET intervalstyle = ''postgres_verbose''', current_database());
    EXECUTE format('ALTER DATABASE %I SET datestyle = ''German, DMY''', current_database());
    EXECUTE format('ALTER DATABASE %I SET bytea_output = ''escape''', current_database()); END $$`,
  );
  ({ registry } = await describeDatabase(database.url, { names: { schemaPrefix: 'never' } }));
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
});

afterAll(async () => {
  await driver.close();
  await database.drop();
});

/** The text of a column's value, with its spaces. */
async function textOf(
  column: string,
  protocol: 'graphql' | 'rest',
  id = 1,
  settings = settingsWith(),
): Promise<string> {
  const { run } = runner(driver, registry, settings);
  const [row] = await run({
    kind: 'row',
    read: {
      table: tableOf(registry, 'kinds'),
      select: columns(column),
      where: { kind: 'compare', column: 'id', operator: 'eq', values: [json(id)] },
      form: protocol === 'graphql' ? graphqlForm : restForm,
    },
  });
  return (row?.[0] ?? '').slice(`{"${column}":`.length, -1);
}

const cases = kinds.map(([name, , graphql, rest]) => ({ name, graphql, rest: rest ?? graphql }));

describe.each(cases)('$name', ({ name, graphql, rest }) => {
  test('over GraphQL', async () => {
    expect(await textOf(name, 'graphql')).toBe(graphql);
  });
  test('over REST', async () => {
    expect(await textOf(name, 'rest')).toBe(rest);
  });
  test('null', async () => {
    expect(await textOf(name, 'graphql', 2)).toBe('null');
    expect(await textOf(name, 'rest', 2)).toBe('null');
  });
});

test('settings: int8 and numeric as strings or numbers on both', async () => {
  const strings = settingsWith({ 'app.types.bigint': 'string', 'app.types.numeric': 'string' });
  expect(await textOf('int8', 'rest', 1, strings)).toBe('"9223372036854775807"');
  expect(await textOf('int8s', 'rest', 1, strings)).toBe('[["1"],["2"]]');
  expect(await textOf('numeric', 'rest', 1, strings)).toBe('"12345678901234567890.1234500"');
  expect(await textOf('money', 'graphql', 1, strings)).toBe('"1234.50"');
  const numbers = settingsWith({ 'app.types.bigint': 'number' });
  expect(await textOf('int8', 'graphql', 1, numbers)).toBe('9223372036854775807');
});

test('attributes of a composite, one by one', async () => {
  const { run } = runner(driver, registry);
  const [row] = await run({
    kind: 'row',
    read: {
      table: tableOf(registry, 'kinds'),
      select: [
        {
          kind: 'composite',
          as: 'where',
          column: 'place',
          select: [
            { kind: 'attribute', as: 'nr', attribute: 'street number' },
            { kind: 'attribute', as: 'mood', attribute: 'mood' },
            { kind: 'typename', as: '__typename', type: 'Place' },
          ],
        },
      ],
      where: { kind: 'compare', column: 'id', operator: 'eq', values: [json(1)] },
      form: graphqlForm,
    },
  });
  expect(row?.[0]).toBe('{"where":{"nr":1,"mood":"so_so","__typename":"Place"}}');
});
