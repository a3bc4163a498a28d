import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import type { ReadIntent, VectorOrder } from '../../../runtime/src/plan/intent.js';
import { graphqlForm, restForm } from '../../../runtime/src/plan/intent-form.js';
import { createPrepare } from '../../../runtime/src/server/prepare.js';
import type { Registry } from '../../../runtime/src/descriptor/registry.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { bindStatement, runStatement } from '../../../runtime/src/execute/run-statement.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { columns, compare, json, raw, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createPgliteFolder, type PgliteFolder } from '../../support/pglite-data.js';
import { tableOf } from '../../support/registry.js';

let database: PgliteFolder;
let registry: Registry;
let settings: Settings;
let driver: Driver;
let docs: Runner;

beforeAll(async () => {
  // The extension is outside the search path, so its operators need its schema.
  database = await createPgliteFolder(
    `create schema ext;
     create extension vector schema ext;
     create table docs (id int primary key, title text not null, v ext.vector(3), vs ext.vector[]);
     insert into docs values (1, 'a', '[1,0,0]', array['[1,2]'::ext.vector, '[3]']), (2, 'b', '[0,1,0]', '{}'), (3, 'c', '[5,5,0]', null), (4, 'd', null, null);
     insert into docs select i, 'filler', array[sin(i), cos(i), 0]::ext.vector from generate_series(100, 2000) as i;
     create index docs_v on docs using hnsw (v ext.vector_l2_ops);
     analyze docs`,
    { names: { schemaPrefix: 'never' } },
  );
  ({ registry } = database.described);
  settings = settingsWith({ 'app.datasource.url': database.url, 'app.security.jwt-enabled': true });
  driver = createDriver(settings);
  docs = runner(driver, registry, settings);
});

afterAll(async () => {
  await driver.close();
  await database.remove();
});

const small = { kind: 'compare', column: 'id', operator: 'lt', values: [json(100)] } as const;

const nearest = async (vector: Partial<VectorOrder>, rest: Partial<ReadIntent> = {}): Promise<readonly unknown[]> => {
  const intent: ReadIntent = {
    table: tableOf(registry, 'docs'),
    select: columns('id'),
    where: small,
    vector: { column: 'v', near: json([1, 0, 0]), distance: 'L2', ...vector },
    form: graphqlForm,
    ...rest,
  };
  return (await docs.list(intent)).map(({ id }) => id);
};

test('each distance has its own order, nulls last', async () => {
  expect(await nearest({ distance: 'L2' })).toEqual([1, 2, 3, 4]);
  expect(await nearest({ distance: 'COSINE' })).toEqual([1, 3, 2, 4]);
  expect(await nearest({ distance: 'IP' })).toEqual([3, 1, 2, 4]);
});

test('it wins over orderBy, combines with where, and its limit bounds the result', async () => {
  const orderBy = [{ by: { kind: 'column', column: 'id' }, direction: 'desc' }] as const;
  expect(await nearest({ limit: json(1) }, { orderBy })).toEqual([1]);
  expect(await nearest({}, { where: compare('id', 'in', json([2, 3])), orderBy })).toEqual([2, 3]);
  expect(await nearest({ limit: json(3) }, { limit: json(2) })).toEqual([1, 2]);
  expect(await nearest({ limit: raw('3') }, { limit: raw('2'), form: restForm })).toHaveLength(3);
  expect(await nearest({ limit: json(1000) }, { where: compare('id', 'gt', json(0)) })).toHaveLength(30);
});

test.each([
  ['too short', [1, 2]],
  ['too long', [1, 2, 3, 4]],
  ['empty', []],
  ['not finite', [1, 2, Infinity]],
  ['not a number', [1, 2, NaN]],
  ['text', ['1', 2, 3]],
  ['not a list', 'x'],
  ['null', null],
])('near: %s is 400', async (_, near) => {
  await expect(nearest({ near: json(near) })).rejects.toMatchObject({ status: 400, code: 'TW004' });
});

test('a column that is no vector is refused', async () => {
  await expect(nearest({ column: 'title' })).rejects.toMatchObject({ status: 400, hint: 'Vector columns: "v".' });
  await expect(nearest({ column: 'nope' })).rejects.toMatchObject({ status: 400, code: 'TW002' });
});

test('vectors are read and compared as lists of numbers', async () => {
  const rows = await docs.list({
    table: tableOf(registry, 'docs'),
    select: columns('id', 'v', 'vs'),
    where: { kind: 'or', filters: [compare('v', 'eq', json([1, 0, 0])), compare('v', 'eq', raw('[5,5,0]'))] },
    orderBy: [{ by: { kind: 'column', column: 'id' }, direction: 'asc' }],
    form: graphqlForm,
  });
  expect(rows).toEqual([
    { id: 1, v: [1, 0, 0], vs: [[1, 2], [3]] },
    { id: 3, v: [5, 5, 0], vs: null },
  ]);
});

test('the index is used', async () => {
  const prepare = createPrepare({ registry, settings, dialect: postgres });
  const statement = prepare({
    kind: 'rows',
    read: {
      table: tableOf(registry, 'docs'),
      select: columns('id'),
      vector: { column: 'v', near: raw([1, 0, 0]), distance: 'L2', limit: raw('5') },
      form: restForm,
    },
    count: 'none',
    format: 'json',
  });
  const { text, values } = bindStatement(statement, {});
  const plan = await driver.run([{ text: `explain ${text}`, values }]);
  expect(plan.map(([line]) => line).join('\n')).toContain('Index Scan using docs_v');
});

describe('the PGlite driver', () => {
  const variable = { text: `select current_setting('request.user_id', true)`, slots: [] };

  test('claims are local to the transaction, whoever comes next', async () => {
    const all = await Promise.all(
      ['ada', undefined, 'bob', undefined].map((userId) =>
        runStatement(driver, variable, {}, userId === undefined ? {} : { userId }),
      ),
    );
    expect(all).toEqual([[['ada']], [['']], [['bob']], [['']]]);
  });

  test('errors are the database’s and leave it usable', async () => {
    await expect(driver.run([{ text: 'select 1 / $1::int', values: ['0'] }])).rejects.toMatchObject({ code: '22012' });
    await expect(driver.run([{ text: 'create table x ()', values: [] }])).rejects.toMatchObject({ code: '25006' });
    await expect(
      driver.transaction(async (run) => {
        await run([{ text: `insert into docs values (7, 'x')`, values: [] }]);
        await run([{ text: 'select nonsense', values: [] }]);
      }),
    ).rejects.toMatchObject({ code: '42703' });
    expect(await driver.run([{ text: 'select count(*) from docs where id = $1::int', values: ['7'] }])).toEqual([
      ['0'],
    ]);
  });

  test('values are written our way', async () => {
    expect(await driver.run([{ text: `select current_setting('timezone'), interval '1 day'`, values: [] }])).toEqual([
      ['UTC', 'P1D'],
    ]);
  });

  test('requests take turns with a transaction', async () => {
    const slow = driver.transaction(async (run) => {
      await run([{ text: `insert into docs values (8, 'x')`, values: [] }]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await run([{ text: 'delete from docs where id = 8', values: [] }]);
    });
    const seen = driver.run([{ text: 'select count(*) from docs where id = 8', values: [] }]);
    expect(await seen).toEqual([['0']]);
    await slow;
  });
});
