import type { Dialect } from '../../../runtime/src/dialect/dialect.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { mysql } from '../../../runtime/src/dialect/mysql/dialect.js';
import { rolesOf } from '../../../runtime/src/dialect/mysql/catalog/grants.js';
import { chosenDatabases } from '../../../runtime/src/dialect/mysql/catalog/read.js';
import { catalogQueries, selectText } from '../../../runtime/src/dialect/mysql/catalog/queries.js';
import { serverVersion } from '../../../runtime/src/dialect/mysql/catalog/version.js';
import { sameNames } from '../../../runtime/src/dialect/schema-names.js';
import { sessionStart } from '../../../runtime/src/dialect/mysql/driver/session-settings.js';
import { plannedRows } from '../../../runtime/src/dialect/mysql/read/planned-rows.js';
import type { Statement } from '../../../runtime/src/plan/statement.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import { createCompiler } from '../../../runtime/src/request/graphql/compile.js';
import { createPrepare } from '../../../runtime/src/server/prepare.js';
import { describeCase } from '../../support/describe-database.js';
import { schemaOf } from '../../support/live-schema.js';
import { settingsWith } from '../../support/settings.js';

const settings = settingsWith();
const shop = describeCase('mysql');
const compile = createCompiler(schemaOf(shop), shop.registry, settings);

/** A database server that reports its version, and that it has the tables. */
const server = (version: string): Driver => ({
  run: ([statement]) => {
    const tables = shop.registry.tables.map(({ schema, name }) => [schema, name]);
    return Promise.resolve(statement?.text.includes('information_schema') === true ? tables : [[version]]);
  },
  transaction: () => Promise.reject(new Error('Nothing is written.')),
  ping: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

const fresh = (): Dialect => mysql.forServer?.() ?? mysql;

async function checked(version: string): Promise<{ dialect: Dialect; told: readonly Observation[] }> {
  const dialect = fresh();
  return { dialect, told: await dialect.checkAtStart(server(version), shop.registry, settings) };
}

function statementOf(dialect: Dialect, query: string): Statement {
  const request = compile({ query });
  if ('errors' in request) throw new Error(request.errors.map(({ message }) => message).join());
  const { intent } = request.build();
  if (intent === undefined) throw new Error('no statement');
  return createPrepare({ registry: shop.registry, settings, dialect })(intent);
}

const textOn = async (version: string, query: string): Promise<string> =>
  statementOf((await checked(version)).dialect, query).text;

const nested = '{ shopCustomers { id shopOrders(limit: 3, orderBy: {id: DESC}) { id } } }';

test('a nested list is a derived table that refers to the row around it; on MariaDB its keys come first', async () => {
  const mysqlText = await textOn('8.4.2', nested);
  expect(mysqlText).toMatch(
    /from \(select concat\([^)]*`r1`\.`id`[^)]*\)+ as j, `r1`\.`id` as `k0` from `shop`\.`orders` as `r1` where `r1`\.`customer_id` = `r0`\.`id` order by `r1`\.`id` desc limit \?\) as t/,
  );
  expect(mysqlText).not.toMatch(/json_table|json_arrayagg|lateral/i);
  const mariadbText = await textOn('10.11.19-MariaDB', nested);
  expect(mariadbText).toMatch(/json_table\(\(select json_arrayagg\(/);
});

test('JSON is compared and shown as a type of its own, and regular expressions are functions', async () => {
  const query = `{ shopCustomers(where: {email: {regex: "a", iregex: "b"}, profile: {eq: {a: 1}, path: "$.a"}}) { profile } }`;
  const text = await textOn('8.0.19', query);
  expect(text).toContain("regexp_like(convert(`r0`.`email` using utf8mb4) collate utf8mb4_bin, ?, 'c')");
  expect(text).toContain("regexp_like(convert(`r0`.`email` using utf8mb4) collate utf8mb4_bin, ?, 'i')");
  expect(text).toContain('`r0`.`profile` = cast(? as json)');
  expect(text).toContain("json_contains_path(`r0`.`profile`, 'one', ?)");
  expect(text).toContain('cast(`r0`.`profile` as char)');
  expect(text).not.toMatch(/json_equals|json_exists|json_value| regexp /);
});

test('a statement that was compiled before the database answered is the one for the server that answers', async () => {
  const dialect = fresh();
  const statement = statementOf(dialect, nested);
  expect(statement.text).toContain('json_table');
  await dialect.checkAtStart(server('8.4.2'), shop.registry, settings);
  expect(statement.text).not.toContain('json_table');
  expect(statement.slots).toHaveLength(1);
  // Each dialect object has its own database, so another server of the same process is not
  // affected.
  expect(statementOf(fresh(), nested).text).toContain('json_table');
});

test('MySQL is told apart at the start, and said not to have been tried', async () => {
  expect((await checked('8.4.2')).told).toEqual([
    expect.objectContaining({ kind: 'warning', message: expect.stringContaining('MySQL 8.4.2') as string }),
  ]);
  expect((await checked('10.11.19-MariaDB')).told).toEqual([]);
  await expect(checked('8.0.18')).rejects.toThrow('The database server is 8.0.18');
  await expect(checked('10.6.18-MariaDB')).rejects.toThrow('The database server is 10.6.18-MariaDB');
});

test('a session begins with variables that each server takes for its own', () => {
  const text = sessionStart(settingsWith({ 'app.datasource.statement-timeout-ms': 1500 }));
  expect(text).toContain('/*M! max_statement_time = 1.500 */ /*!80000 max_execution_time = 1500 */');
  expect(text).toContain("/*M! , tx_isolation = 'READ-COMMITTED', tx_read_only = 1 */");
  expect(text).toContain("/*!80000 , transaction_isolation = 'READ-COMMITTED', transaction_read_only = 1 */");
});

test('the number of rows that a plan expects, in each form that it is told in', () => {
  const of = (explained: string): number => plannedRows([explained]);
  expect(of('{"table": {"rows": 42, "filtered": 50}}')).toBe(21);
  expect(of('{"rows_examined_per_scan": 40, "rows_produced_per_join": 4, "filtered": "10.00"}')).toBe(4);
  expect(of('{"rows_examined_per_scan": 7,\n "rows_produced_per_join": 7,\n "filtered": "100.00"}')).toBe(7);
  expect(of('{"query_plan": {"estimated_rows": 12.4}}')).toBe(12);
  expect(of('{}')).toBe(0);
});

test('roles, as each server names them', () => {
  expect(rolesOf('')).toEqual([]);
  expect(rolesOf('NONE')).toEqual([]);
  expect(rolesOf('clerk')).toEqual(['clerk']);
  expect(rolesOf('`clerk`@`%`,`odd``name`@`10.0.0.1`')).toEqual(['clerk@%', 'odd`name@10.0.0.1']);
});

test('a server without databases is not read, and says so', async () => {
  await expect(chosenDatabases(() => Promise.resolve([]), undefined, sameNames)).rejects.toMatchObject({
    code: 'SCHEMA_UNKNOWN',
    message: 'The server has no database.',
  });
});

test('the catalogue of MySQL is read from the tables that it has', () => {
  const queries = catalogQueries(serverVersion('8.4.2'), 1);
  const text = Object.values(queries).map(selectText).join('\n');
  expect(text).not.toMatch(/schema_comment/);
  expect(selectText(queries.checks)).toContain('join information_schema.table_constraints');
  expect(selectText(queries.indexes)).toContain('expression as `expression`');
});

describe('errors of MySQL', () => {
  const failure = (errno: number, message: string) =>
    mysql.failure(Object.assign(new Error(message), { errno, sqlState: 'HY000' }));

  test.each([
    [3819, "Check constraint 'positive' is violated.", { kind: 'check', code: '23514', constraint: 'positive' }],
    [3024, 'Query execution was interrupted, maximum statement execution time exceeded', { code: '57014' }],
    [3692, 'Incorrect description of a {min,max} interval.', { code: '2201B' }],
    [3140, 'Invalid JSON text: "Invalid value."', { code: '22P02' }],
    [3572, 'Statement aborted because lock(s) could not be acquired immediately', { code: '55P03' }],
    [1062, "Duplicate entry 'x' for key 'people.handle'", { code: '23505', constraint: 'handle' }],
    [4176, "Field 'tablewright_other_key' can't be set for JSON_TABLE 'j'.", { kind: 'unique', code: '23505' }],
    [3665, "Missing value for JSON_TABLE column 'tablewright_other_key'", { kind: 'unique', code: '23505' }],
    [4176, "Field 'price' can't be set for JSON_TABLE 'j'.", { kind: 'unknown' }],
  ])('%i', (errno, message, expected) => {
    expect(failure(errno, message)).toMatchObject(expected);
  });
});
