import type { Kind } from '../../../runtime/src/descriptor/descriptor.js';
import type { Filter, Value } from '../../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';
import { operators } from '../../../runtime/src/plan/operators.js';
import type { Registry } from '../../../runtime/src/descriptor/registry.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { json, raw, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { tableOf } from '../../support/registry.js';

/** One column of each kind with operators of its own; `id` identifies the rows. */
const schema = `
CREATE SCHEMA ext;
CREATE EXTENSION citext SCHEMA ext;
CREATE EXTENSION ltree SCHEMA ext;
CREATE TYPE mood AS ENUM ('sad', 'so so', 'happy');
CREATE TYPE point2 AS (x int, y int);
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE TABLE things (
  id int PRIMARY KEY, n int, big bigint, num numeric, f float8, cash money, b boolean, s text, v varchar(20), c char(5), ci ext.citext,
  u uuid, d date, ti time, ts timestamptz, iv interval, j json, jb jsonb, by bytea, tv tsvector, m mood, a int[], ta text[], ma mood[],
  p point2, r int4range, tr tstzrange, lt ext.ltree, ip inet, x xml, dom positive
);
INSERT INTO things VALUES
 (1, 10, 100, 1.5, 1.5, 1.50, true, 'apple pie', 'one', 'ab', 'Hello', '00000000-0000-0000-0000-000000000001', '2024-01-01', '10:00', '2024-01-01 10:00+00', '1 day',
  '{"k": 1, "tag": "x"}', '{"k": 1, "tag": "x", "list": [1, 2]}', '\\x01', to_tsvector('english', 'the quick brown fox'), 'sad', '{1,2,3}', '{a,b}', '{sad,happy}',
  '(1,2)', '[1,5)', '[2024-01-01,2024-02-01)', 'top.a', '10.0.0.1', '<a/>', 1),
 (2, 20, 200, 2.5, 2.5, 2.50, false, 'Apple 100% _juice\\', 'two', 'cd', 'WORLD', '00000000-0000-0000-0000-000000000002', '2024-02-01', '11:00', '2024-02-01 10:00+00', '2 days',
  '{"k": 2}', '{"k": 2, "other": null}', '\\x02', to_tsvector('english', 'a lazy dog'), 'so so', '{}', '{}', '{}',
  '(3,4)', '[5,10)', '[2024-02-01,)', 'top', '10.0.0.2', '<b/>', 2),
 (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
`;

let database: TestDatabase;
let driver: Driver;
let registry: Registry;
let things: Runner;

beforeAll(async () => {
  database = await createTestDatabase('core_operators');
  await loadSql(database.url, schema);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  ({ registry } = await describeDatabase(database.url, { names: { schemaPrefix: 'never' } }));
  things = runner(driver, registry);
});

afterAll(async () => {
  await driver.close();
  await database.drop();
});

async function matches(where: Filter): Promise<readonly unknown[]> {
  const rows = await things.list({
    table: tableOf(registry, 'things'),
    select: [{ kind: 'column', as: 'id', column: 'id' }],
    where,
    orderBy: [{ by: { kind: 'column', column: 'id' }, direction: 'asc' }],
    form: graphqlForm,
  });
  return rows.map(({ id }) => id);
}

type Case = readonly [operator: string, column: string, values: readonly Value[], ids: readonly number[]];

/** Operators with the values of both protocols, and the matching rows of `things`. */
const cases: readonly Case[] = [
  ['eq', 'n', [json(10)], [1]],
  ['eq', 'n', [raw('10')], [1]],
  ['eq', 'big', [json('100')], [1]],
  ['eq', 'num', [json(2.5)], [2]],
  ['eq', 'f', [raw('2.5')], [2]],
  ['eq', 'cash', [json(1.5)], [1]],
  ['eq', 'b', [json(false)], [2]],
  ['eq', 's', [json('apple pie')], [1]],
  ['eq', 'v', [raw('two')], [2]],
  ['eq', 'c', [raw('ab')], [1]],
  ['eq', 'ci', [raw('world')], [2]],
  ['eq', 'u', [json('00000000-0000-0000-0000-000000000002')], [2]],
  ['eq', 'd', [json('2024-01-01')], [1]],
  ['eq', 'ti', [json('11:00')], [2]],
  ['eq', 'ts', [json('2024-01-01T11:00:00+01:00')], [1]],
  ['eq', 'iv', [json('P1D')], [1]],
  ['eq', 'j', [json({ tag: 'x', k: 1 })], [1]],
  ['eq', 'jb', [raw('{"k":2,"other":null}')], [2]],
  ['eq', 'by', [json('\\x02')], [2]],
  ['eq', 'm', [json('so_so')], [2]],
  ['eq', 'm', [raw('so so')], [2]],
  ['eq', 'a', [json([1, 2, 3])], [1]],
  ['eq', 'a', [raw('{}')], [2]],
  ['eq', 'ma', [json(['sad', 'happy'])], [1]],
  ['eq', 'p', [json({ x: 3, y: 4 })], [2]],
  ['eq', 'r', [json({ lower: 1, upper: 5 })], [1]],
  ['eq', 'r', [raw('[5,9]')], [2]],
  ['eq', 'ip', [raw('10.0.0.1')], [1]],
  ['eq', 'x', [json('<b/>')], [2]],
  ['eq', 'dom', [json(2)], [2]],
  ['pathContains', 'lt', [raw('top.a.b')], [1, 2]],
  ['pathContains', 'lt', [raw('top')], [2]],
  ['pathContainedBy', 'lt', [raw('top')], [1, 2]],
  ['pathContainedBy', 'lt', [raw('top.a')], [1]],
  ['neq', 'n', [json(10)], [2]],
  ['neq', 'ci', [json('hello')], [2]],
  ['in', 'n', [json([10, 20, 30])], [1, 2]],
  ['in', 'n', [raw(['20', '99'])], [2]],
  ['in', 'n', [json([])], []],
  ['in', 's', [raw(['a,"b"\\', 'apple pie'])], [1]],
  ['in', 'ci', [json(['HELLO'])], [1]],
  ['in', 'm', [json(['so_so', 'happy'])], [2]],
  ['in', 'x', [json(['<a/>'])], [1]],
  ['in', 'r', [raw(['[1,5)'])], [1]],
  ['in', 'jb', [raw(['{"k":2,"other":null}'])], [2]],
  ['notIn', 'n', [json([10])], [2]],
  ['notIn', 'n', [json([])], [1, 2, 3]],
  ['isDistinctFrom', 'n', [json(10)], [2, 3]],
  ['isDistinctFrom', 'ci', [json('hello')], [2, 3]],
  ['isNull', 's', [], [3]],
  ['isNotNull', 's', [], [1, 2]],
  ['isNull', 'p', [], [3]],
  ['isNotNull', 'p', [], [1, 2]],
  ['isTrue', 'b', [], [1]],
  ['isFalse', 'b', [], [2]],
  ['isUnknown', 'b', [], [3]],
  ['gt', 'n', [json(10)], [2]],
  ['gte', 'ts', [json('2024-01-01T10:00:00Z')], [1, 2]],
  ['lt', 'num', [raw('2.5')], [1]],
  ['lte', 'iv', [json('P1D')], [1]],
  ['gt', 'm', [raw('sad')], [2]],
  ['gt', 'ip', [raw('10.0.0.1')], [2]],
  ['between', 'n', [json(5), json(10)], [1]],
  ['like', 's', [json('apple%')], [1]],
  ['like', 's', [raw('apple*')], [1]],
  ['like', 's', [json('apple*')], []],
  ['like', 'ci', [raw('h*')], [1]],
  ['ilike', 's', [raw('APPLE*')], [1, 2]],
  ['ilike', 'x', [raw('<A*')], [1]],
  ['textContains', 's', [json('100%')], [2]],
  ['textContains', 's', [json('%')], [2]],
  ['textContains', 's', [json('_j')], [2]],
  ['textContains', 's', [json('e\\')], [2]],
  ['textContains', 's', [json('APPLE')], []],
  ['startsWith', 's', [json('apple')], [1]],
  ['startsWith', 's', [raw('app*')], []],
  ['endsWith', 's', [raw('juice\\')], [2]],
  ['textContainsInsensitive', 's', [json('PIE')], [1]],
  ['startsWithInsensitive', 's', [json('APPLE')], [1, 2]],
  ['endsWithInsensitive', 's', [json('PIE')], [1]],
  ['regex', 's', [raw('^app.e')], [1]],
  ['iregex', 's', [json('^APP.E')], [1, 2]],
  ['jsonContains', 'jb', [json({ k: 1 })], [1]],
  ['jsonContains', 'j', [raw('{"k":2}')], [2]],
  ['jsonContainedBy', 'jb', [json({ k: 2, other: null, more: 1 })], [2]],
  ['hasKey', 'jb', [json('other')], [2]],
  ['hasKey', 'j', [raw('tag')], [1]],
  ['hasKeys', 'jb', [json(['k', 'tag'])], [1]],
  ['hasKeys', 'jb', [raw('{k,tag}')], [1]],
  ['hasAnyKeys', 'jb', [raw(['tag', 'other'])], [1, 2]],
  ['jsonPath', 'jb', [raw('$.list[*] ? (@ > 1)')], [1]],
  ['arrayContains', 'a', [json([1, 3])], [1]],
  ['arrayContains', 'ta', [raw('{a}')], [1]],
  ['arrayContains', 'ma', [json(['sad'])], [1]],
  ['arrayHasAll', 'a', [raw('{1,2}')], [1]],
  ['arrayContainedBy', 'a', [json([1, 2, 3, 4])], [1, 2]],
  ['arrayHasAny', 'a', [raw('{3,9}')], [1]],
  ['length', 'a', [raw('3')], [1]],
  ['length', 'a', [json(0)], [2]],
  ['search', 'tv', [json('foxes & quick')], [1]],
  ['searchInText', 's', [raw('apples')], [1, 2]],
  ['searchInText', 'jb', [raw('x')], [1]],
  ['webSearchInText', 's', [raw('apples OR unicorn')], [1, 2]],
  ['phraseSearchInText', 's', [raw('apples')], [1, 2]],
  ['rawSearchInText', 's', [raw('apple | unicorn')], [1, 2]],
  ['webSearch', 'tv', [json('fox OR dog')], [1, 2]],
  ['webSearch', 'tv', [raw('quick -fox')], []],
  ['phraseSearch', 'tv', [json('lazy dog')], [2]],
  ['rawSearch', 'tv', [raw('qui:* & !dog')], [1]],
  ['rangeContains', 'r', [raw('[2,3]')], [1]],
  ['rangeContainsElement', 'r', [json(7)], [2]],
  ['rangeContainsElement', 'tr', [json('2030-01-01T00:00:00Z')], [2]],
  ['rangeContainedBy', 'r', [json({ lower: 0, upper: 5, upperInclusive: true })], [1]],
  ['rangeOverlaps', 'r', [raw('[4,6]')], [1, 2]],
  ['rangeStrictlyLeftOf', 'r', [raw('[5,6]')], [1]],
  ['rangeStrictlyRightOf', 'r', [raw('[1,4]')], [2]],
  ['rangeNotExtendsRightOf', 'r', [raw('[0,5)')], [1]],
  ['rangeNotExtendsLeftOf', 'r', [raw('[5,6)')], [2]],
  ['rangeAdjacentTo', 'r', [raw('[10,11)')], [2]],
];

test.each(cases)('%s on %s', async (operator, column, values, ids) => {
  expect(await matches({ kind: 'compare', column, operator, values })).toEqual(ids);
});

test('every operator of the table has a case', () => {
  const covered = new Set(cases.map(([operator]) => operator));
  expect(operators.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
});

test('every operator works on every kind it is offered for', async () => {
  const byKind = new Map<Kind, string>(tableOf(registry, 'things').columns.map(({ name, type }) => [type.kind, name]));
  const literals: Partial<Record<Kind, string>> = {
    int: '1',
    bigint: '1',
    numeric: '1',
    float: '1',
    money: '1',
    boolean: 'true',
    text: 'a',
    uuid: '00000000-0000-0000-0000-000000000001',
    date: '2024-01-01',
    time: '10:00',
    timestamp: '2024-01-01',
    interval: 'P1D',
    json: '1',
    jsonb: '1',
    bytes: '\\x00',
    tsvector: 'a',
    enum: 'sad',
    array: '{}',
    composite: '(1,2)',
    range: '[2024-01-01,2024-01-02)',
    other: '<a/>',
  };
  for (const operator of operators) {
    for (const [kind, column] of byKind) {
      const kinds = operator.restKinds ?? operator.kinds;
      const offered = (kinds === 'any' || kinds.includes(kind)) && !(operator.kinds === 'any');
      if (!offered) continue;
      const literal = literals[kind] ?? '1';
      const operand: Readonly<Record<string, readonly Value[]>> = {
        none: [],
        pair: [raw(literal), raw(literal)],
        list: [raw([literal])],
        column: [raw(literal)],
        element: [raw('2024-01-01')],
        elements: [raw('{}')],
        text: [raw('a')],
        texts: [raw('{a}')],
        pattern: [raw('a*')],
        regex: [raw('a')],
        json: [raw('{}')],
        jsonpath: [raw('$')],
        tsquery: [raw('a')],
        int: [raw('1')],
      };
      const filter: Filter = {
        kind: 'compare',
        column,
        operator: operator.id,
        values: operand[operator.operand] ?? [],
      };
      await expect(
        matches(filter).catch((error: unknown) => `${operator.id} ${column}: ${String(error)}`),
      ).resolves.toBeInstanceOf(Array);
    }
  }
});

describe('filters', () => {
  const n = (value: number): Filter => ({ kind: 'compare', column: 'n', operator: 'eq', values: [json(value)] });

  test('and, or, not, and their empty forms', async () => {
    expect(await matches({ kind: 'or', filters: [n(10), n(20)] })).toEqual([1, 2]);
    expect(await matches({ kind: 'and', filters: [n(10), n(20)] })).toEqual([]);
    expect(await matches({ kind: 'not', filter: n(10) })).toEqual([2]);
    expect(await matches({ kind: 'and', filters: [] })).toEqual([1, 2, 3]);
    expect(await matches({ kind: 'or', filters: [] })).toEqual([]);
  });

  test('the length of an array, by any operator of int', async () => {
    expect(await matches({ kind: 'compare', column: 'a', of: 'length', operator: 'lt', values: [json(3)] })).toEqual([
      2,
    ]);
    expect(
      await matches({ kind: 'compare', column: 'a', of: 'length', operator: 'in', values: [json([0, 3])] }),
    ).toEqual([1, 2]);
  });

  test('JSON paths: ->> is text, -> is JSON', async () => {
    const path = [{ arrow: '->>', key: 'tag' }] as const;
    expect(await matches({ kind: 'compare', column: 'jb', path, operator: 'eq', values: [raw('x')] })).toEqual([1]);
    const list = [
      { arrow: '->', key: 'list' },
      { arrow: '->', key: 1 },
    ] as const;
    expect(await matches({ kind: 'compare', column: 'jb', path: list, operator: 'eq', values: [raw('2')] })).toEqual([
      1,
    ]);
    expect(await matches({ kind: 'compare', column: 'j', path, operator: 'ilike', values: [raw('X')] })).toEqual([1]);
  });

  test('full text takes a configuration', async () => {
    const search = (config: string): Filter => ({
      kind: 'compare',
      column: 's',
      operator: 'searchInText',
      values: [raw('apples')],
      config: raw(config),
    });
    expect(await matches(search('english'))).toEqual([1, 2]);
    expect(await matches(search('simple'))).toEqual([]);
  });
});

describe('what is refused', () => {
  const refused = (filter: Filter) =>
    matches(filter).then(
      () => 'accepted',
      (error: unknown) => error,
    );

  test('an unknown column, with what was meant', async () => {
    expect(await refused({ kind: 'compare', column: 'nmu', operator: 'eq', values: [json(1)] })).toMatchObject({
      status: 400,
      code: 'TW002',
      hint: 'Did you mean "num"?',
    });
  });

  test('an operator the column does not take', async () => {
    expect(await refused({ kind: 'compare', column: 'n', operator: 'like', values: [raw('1*')] })).toMatchObject({
      status: 400,
      code: 'TW003',
    });
    expect(await refused({ kind: 'compare', column: 'n', operator: 'nonsense', values: [] })).toMatchObject({
      status: 400,
      code: 'TW003',
    });
  });

  test.each([
    ['null', 'n', 'eq', json(null)],
    ['undefined', 'n', 'eq', json(undefined)],
    ['text that is not JSON', 'jb', 'jsonContains', raw('{')],
    ['[a,b] as an array', 'a', 'arrayContains', raw('[1,2]')],
    ['half an array', 'a', 'arrayContains', raw('{1,2')],
    ['no range', 'r', 'rangeOverlaps', raw('1-5')],
    ['a list for a single value', 'n', 'eq', json([1])],
    ['an object for a single value', 's', 'eq', json({})],
    ['a zero byte', 's', 'eq', raw('a\0b')],
    ['a length that is no number', 'a', 'length', raw('abc')],
    ['an unknown attribute', 'p', 'eq', json({ z: 1 })],
    ['an unknown key of a range', 'r', 'eq', json({ from: 1 })],
  ])('%s', async (_, column, operator, value) => {
    expect(await refused({ kind: 'compare', column, operator, values: [value] })).toMatchObject({
      status: 400,
      code: 'TW004',
    });
  });

  test('a value of the wrong type is the database error', async () => {
    expect(await refused({ kind: 'compare', column: 'n', operator: 'eq', values: [raw('abc')] })).toMatchObject({
      code: '22P02',
    });
    expect(await refused({ kind: 'compare', column: 'm', operator: 'eq', values: [raw('angry')] })).toMatchObject({
      code: '22P02',
    });
    expect(await refused({ kind: 'compare', column: 'tv', operator: 'rawSearch', values: [raw('a &')] })).toMatchObject(
      { code: '42601' },
    );
  });
});
