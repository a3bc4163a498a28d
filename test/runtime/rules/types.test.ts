import { variantsWhere } from '../../support/describe-where.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled, type Source } from './support/ruled.js';

/** Claims of every type that rules take, in a token and in columns. */
const columns: readonly (readonly [name: string, postgres: string, mysql: string])[] = [
  ['small', 'smallint', 'smallint'],
  ['whole', 'int', 'int unsigned'],
  ['big', 'bigint', 'bigint'],
  ['exact', 'numeric(10, 2)', 'decimal(10, 2)'],
  ['flag', 'boolean', 'boolean'],
  ['name', 'text', 'varchar(40)'],
  ['code', 'uuid', 'uuid'],
  ['mood', 'shop.mood', "enum('in good', 'bad')"],
];
const uuid = '6f0c8f2e-5a5c-4b7e-9d1f-3f4b8f5f0a11';

const tables = (at: 1 | 2): string =>
  columns.map((column) => `create table t_${column[0]} (id {id}, v ${column[at]});`).join('\n');
const rows = `
  insert into t_small (v) values (5), (6); insert into t_whole (v) values (5), (6);
  insert into t_big (v) values (9007199254740993), (9007199254740992);
  insert into t_exact (v) values (1.50), (2); insert into t_flag (v) values (true), (false);
  insert into t_name (v) values ('a'), ('5'); insert into t_code (v) values ('${uuid}'), ('00000000-0000-0000-0000-000000000000');
  insert into t_mood (v) values ('in good'), ('bad');`;

const source = (sql: string): Source => ({
  name: 'rules_types',
  sql,
  rules: (schema) =>
    Object.fromEntries(
      columns.flatMap(([name]) => {
        const claim = { claim: name };
        const list = { claim: `${name}s` };
        return [[`${schema}.t_${name}`, { read: { or: [{ v: { eq: claim } }, { v: { in: list } }] } }]];
      }),
    ),
});

const suites: readonly (readonly [string, OpenRuled, Source])[] = [
  ['PostgreSQL', onPostgres, source(`create type mood as enum ('in good', 'bad'); ${tables(1)} ${rows}`)],
  ...variantsWhere('mariadb', ['MariaDB', onMysql, source(`${tables(2)} ${rows}`)]),
];

describe.each(suites)('claims on %s', (database, open, given) => {
  let served: Ruled;
  beforeAll(async () => {
    served = await open(given);
  });
  afterAll(() => served.stop());

  const count = async (table: string, claims: object): Promise<unknown> => {
    const { status, body } = await served.rest({ sub: 'x', ...claims }, 'GET', `t_${table}?select=v`);
    return status === 200 ? (body as { readonly data: unknown[] }).data.length : status;
  };

  test.each<readonly [string, unknown, number]>([
    ['small', 5, 1],
    ['small', '5', 1],
    ['small', 5.5, 0],
    ['small', 99999, 0],
    ['small', true, 0],
    ['small', [5], 0],
    ['small', { a: 5 }, 0],
    ['small', '', 0],
    ['small', '5 or 1=1', 0],
    ['whole', 6, 1],
    ['whole', -1, 0],
    ['whole', 1e20, 0],
    ['big', '9007199254740993', 1],
    ['big', '99999999999999999999', 0],
    ['exact', 1.5, 1],
    ['exact', '2.00', 1],
    ['exact', '1e3', 0],
    ['exact', 'NaN', 0],
    ['name', 'a', 1],
    ['name', 'A', 0],
    ['name', 5, 1],
    ['name', true, 0],
    ['name', 'a\u0000', 0],
    ['code', uuid, 1],
    ['code', uuid.toUpperCase(), 1],
    ['code', 'x', 0],
    ['mood', 'in good', 1],
    ['mood', 'good', 0],
    ['mood', 1, 0],
  ])('%s is %j', async (table, value, found) => {
    expect(await count(table, { [table]: value })).toBe(found);
    expect(await count(table, { [`${table}s`]: [value] })).toBe(found);
    expect(await count(table, { [`${table}s`]: [value, null] })).toBe(0);
  });

  test('a boolean, where the database has one', async () => {
    expect(await count('flag', { flag: true })).toBe(database === 'PostgreSQL' ? 1 : 0);
    expect(await count('flag', { flag: 'true' })).toBe(0);
  });
});
