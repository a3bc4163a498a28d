import type { RelationDescriptor } from '../../../runtime/src/descriptor/descriptor.js';
import type { Selection } from '../../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';
import type { Table } from '../../../runtime/src/descriptor/registry.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { json, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

/** Names with a meaning in SQL, in our own statements, in JSON or in JavaScript. */
const names = [
  'a"b',
  `it's`,
  'semi;colon',
  'dollar$1',
  'back\\slash',
  'back`tick',
  '${x}',
  '*/',
  '-- x',
  'select',
  'constructor',
  '__proto__',
  't',
  'r0',
  'r1',
  'q',
  'p',
  'n',
  'g',
  'o',
  'row',
  'key',
  'value',
  'UPPER',
  'with space',
  'عربي',
  '🚀',
  'line\nbreak',
  '\u2028',
  'e'.repeat(63),
  'oid',
  'rows',
  '~row',
  'a0',
  'e0',
  'v0',
];
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const schema = 's"1';
const table = 't"; drop table x; --';

let database: TestDatabase;
let driver: Driver;
let hostileTable: Table;
let hostile: Runner;

beforeAll(async () => {
  database = await createTestDatabase('core_hostile');
  const qualified = `${quote(schema)}.${quote(table)}`;
  await loadSql(
    database.url,
    `CREATE SCHEMA ${quote(schema)};
     CREATE TABLE ${qualified} (id int, ${names.map((name) => `${quote(name)} text`).join(', ')}, "up a" int, "up""b" text, PRIMARY KEY (id, "a""b"),
       FOREIGN KEY ("up a", "up""b") REFERENCES ${qualified});
     CREATE FUNCTION ${quote(schema)}."f""n"(${qualified}) RETURNS text LANGUAGE sql STABLE AS $$ SELECT $1."a""b" || '!' $$;
     INSERT INTO ${qualified} (id, "a""b", "up a", "up""b") VALUES (1, 'x', NULL, NULL), (2, 'y', 1, 'x'), (3, 'y', 1, 'x');
     UPDATE ${qualified} SET ${names
       .filter((name) => name !== 'a"b')
       .map((name) => `${quote(name)} = 'v'`)
       .join(', ')};`,
  );
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  const { registry } = await describeDatabase(database.url);
  const described = registry.schemas.get(schema)?.get(table);
  if (described === undefined) throw new Error('The table is not in the registry.');
  hostileTable = described;
  hostile = runner(driver, registry);
});

afterAll(async () => {
  await driver.close();
  await database.drop();
});

const all: readonly Selection[] = names.map((name) => ({ kind: 'column', as: name, column: name }));
const identity = () => ({ table: hostileTable, form: graphqlForm }) as const;
const byAll = names.map((column) => ({ by: { kind: 'column', column }, direction: 'asc' }) as const);

test('every name is selected, filtered and ordered by', async () => {
  for (const name of names) {
    const rows = await hostile.list({
      ...identity(),
      select: [{ kind: 'column', as: name, column: name }],
      where: { kind: 'compare', column: name, operator: 'isNotNull', values: [] },
      orderBy: [{ by: { kind: 'column', column: name }, direction: 'desc' }],
    });
    expect(rows.map((row) => Object.entries(row))).toEqual(
      (name === 'a"b' ? ['y', 'y', 'x'] : ['v', 'v', 'v']).map((value) => [[name, value]]),
    );
  }
});

test('all of them at once, distinct, with relations over two columns and computed fields', async () => {
  const [computed = ''] = (hostileTable.computed ?? []).map(({ name }) => name);
  const relation = (direction: RelationDescriptor['direction']): string =>
    hostileTable.relations?.find((each) => each.direction === direction)?.name ?? '';
  const child: readonly Selection[] = [{ kind: 'column', as: 'id', column: 'id' }];
  const rows = await hostile.list({
    ...identity(),
    select: [
      ...all,
      { kind: 'computed', as: 'first', name: computed },
      { kind: 'relation', as: 'parent', relation: relation('forward'), read: { ...identity(), select: all } },
      {
        kind: 'relation',
        as: 'children',
        relation: relation('reverse'),
        read: { ...identity(), select: child, orderBy: byAll },
      },
      {
        kind: 'aggregate',
        as: 'number',
        relation: relation('reverse'),
        aggregate: { ...identity(), select: [{ kind: 'count', as: 'count' }] },
      },
    ],
    distinctOn: ['a"b'],
    orderBy: [{ by: { kind: 'column', column: 'id' }, direction: 'asc' }],
  });
  expect(rows).toMatchObject([
    {
      'a"b': 'x',
      'with space': 'v',
      first: 'x!',
      parent: null,
      children: [{ id: 2 }, { id: 3 }],
      number: { count: 2 },
    },
    { 'a"b': 'y', UPPER: 'v', first: 'y!', parent: { 'a"b': 'x', oid: 'v' }, children: [], number: { count: 0 } },
  ]);
});

test('aggregates and connections over them', async () => {
  const answer = await hostile.document([
    {
      kind: 'aggregate',
      as: 'a',
      aggregate: {
        ...identity(),
        groupBy: names,
        select: [
          {
            kind: 'groups',
            as: 'groups',
            select: [
              { kind: 'count', as: 'count' },
              { kind: 'key', as: 'key', columns: names.map((name) => ({ as: name, column: name })) },
            ],
          },
        ],
      },
    },
    {
      kind: 'connection',
      as: 'c',
      connection: {
        ...identity(),
        orderBy: byAll,
        first: json(2),
        select: [
          { kind: 'nodes', as: 'nodes', select: all },
          { kind: 'totalCount', as: 'totalCount' },
        ],
      },
    },
  ]);
  expect(answer).toMatchObject({
    a: { groups: [{ count: 1, key: { 'a"b': 'x', "it's": 'v' } }, { count: 2 }] },
    c: { nodes: [{ 'a"b': 'x' }, { 'a"b': 'y' }], totalCount: 3 },
  });
});
