import { followingServer } from '../../support/following-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

/**
 * The functions and procedures that the configuration names are changed and dropped under a running
 * server.
 */
const schema = `
  create table items (id int primary key, n int not null);
  insert into items values (1, 5), (2, 7);
  create function label(n int) returns varchar(40) deterministic no sql return concat('item ', n);
  create function answer() returns int deterministic no sql return 42;
  create procedure listed(in least int) select * from items where n >= least order by n desc;
  create procedure sum_up(out total int) select sum(n) into total from items;
`;

const jsonBody = { 'content-type': 'application/json' };
const json = (text: string): unknown => JSON.parse(text);

describeMysql('a server whose configuration names functions of MariaDB that change', () => {
  let database: MysqlDatabase;
  let program: Transpiled;
  let server: RunningServer;
  beforeAll(async () => {
    database = await createMysqlDatabase('follow');
    await loadMysql(database.url, schema);
    const { name } = database;
    const config = {
      names: { schemaPrefix: 'never' },
      functions: [`${name}.answer`],
      computed: { [`${name}.items`]: { label: { function: `${name}.label`, columns: ['n'] } } },
      procedures: { [`${name}.listed`]: { returns: `${name}.items` } },
    };
    program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify(config) });
    server = await startServerHere(program.folder, {
      DATABASE_URL: database.url,
      APP_LOG_LEVEL: 'info',
      APP_DRIFT_PROBE_MS: '100',
    });
  });
  afterAll(async () => {
    await server.stop();
    await program.remove();
    await database.drop();
  });

  const migrate = (text: string): Promise<void> => loadMysql(database.url, text);
  const { ask, rest, ready, until, hasField, logged } = followingServer(() => server);
  const typeOf = async (type: string, field: string): Promise<unknown> => {
    const { data } = await ask(`{ __type(name: "${type}") { fields { name type { name ofType { name } } } } }`);
    const { __type } = data as { __type: { fields: readonly { name: string; type: { name: unknown } }[] } };
    return __type.fields.find(({ name }) => name === field)?.type.name;
  };
  const listed = (): Promise<unknown> => ask('mutation { rows: callListed(least: 0) { id label } }');

  test('REST calls no procedure, described or not, unless app.rest.procedures is on', async () => {
    for (const name of ['listed', 'sum_up']) {
      const { status, text } = await rest(`/rpc/${name}`, { method: 'POST', headers: jsonBody, body: '{"least":0}' });
      expect([status, text]).toEqual([404, expect.stringContaining('set app.rest.procedures to true')]);
    }
    const { paths } = json((await rest('')).text) as { readonly paths: object };
    expect(Object.keys(paths).filter((path) => path.startsWith('/rpc/'))).toEqual(['/rpc/answer']);
  });

  test('serves what was generated', async () => {
    expect(await ready()).toEqual({ status: 'ready' });
    expect(await typeOf('Items', 'label')).toBe('String');
    expect(await listed()).toEqual({
      data: {
        rows: [
          { id: 2, label: 'item 7' },
          { id: 1, label: 'item 5' },
        ],
      },
    });
    expect(json((await rest('/items?select=label&label=like.*7')).text)).toMatchObject({ data: [{ label: 'item 7' }] });
  });

  test('a computed function that returns another type, and takes another argument', async () => {
    await migrate(
      'create or replace function label(n int, factor int) returns bigint deterministic no sql return n * factor',
    );
    await until(async () => (await typeOf('Items', 'label')) === 'BigInt');
    expect(await ask('{ items(where: {label: {args: {factor: 3}, gt: "15"}}) { label(factor: 2) } }')).toEqual({
      data: { items: [{ label: '14' }] },
    });
    expect(json((await rest('/items?select=label&label(factor)=2&id=eq.1')).text)).toMatchObject({
      data: [{ label: 10 }],
    });
    await logged(`The computed field ${database.name}.items: label has another type.`);
    expect(await ready()).toMatchObject({ status: 'ready' });
  });

  test('a computed function that is dropped, or no longer fits, leaves the API as it is and says why', async () => {
    await migrate('drop function label');
    await logged(`the database has no function ${database.name}.label`);
    expect(await ready()).toMatchObject({ status: 'ready', schema: { state: 'stale' } });
    expect(await hasField('Items', 'label')).toBe(true);
    // Requests that do not call it are answered.
    expect((await rest('/items?select=id')).status).toBe(200);
    expect((await rest('/items?select=label&label(factor)=2')).status).toBeGreaterThanOrEqual(400);
    await migrate('create function label(n tinyint) returns varchar(40) deterministic no sql return n');
    await logged('and the argument n of');
    await migrate(
      "create or replace function label(n int) returns varchar(40) deterministic modifies sql data return 'x'",
    );
    await logged('is declared MODIFIES SQL DATA');
    await migrate(
      "create or replace function label(n int) returns varchar(40) deterministic no sql return concat('new ', n)",
    );
    await until(async () => (await typeOf('Items', 'label')) === 'String');
    expect(json((await rest('/items?select=label&id=eq.1')).text)).toMatchObject({ data: [{ label: 'new 5' }] });
    expect(await ready()).toMatchObject({ status: 'ready' });
  });

  test('a column of its arguments that is dropped', async () => {
    await migrate('alter table items change n m int not null');
    await logged('has no column n');
    expect(await hasField('Items', 'n')).toBe(true);
    await migrate('alter table items change m n int not null, add note varchar(10)');
    await until(() => hasField('Items', 'note'));
    expect(await listed()).toEqual({
      data: {
        rows: [
          { id: 2, label: 'new 7' },
          { id: 1, label: 'new 5' },
        ],
      },
    });
  });

  test('a listed function that changes, and is dropped', async () => {
    expect(await ask('{ answer }')).toEqual({ data: { answer: 42 } });
    await migrate("create or replace function answer() returns varchar(10) deterministic no sql return 'many'");
    await until(async () => (await typeOf('Query', 'answer')) === 'String');
    expect(json((await rest('/rpc/answer')).text)).toBe('many');
    await migrate('drop function answer');
    await until(async () => !(await hasField('Query', 'answer')));
    expect((await rest('/rpc/answer')).status).toBe(404);
  });

  test('a procedure that answers rows and takes another parameter, or is dropped', async () => {
    await migrate(
      'create or replace procedure listed(in least int, in most int) select * from items where n between least and most',
    );
    await until(async () =>
      JSON.stringify(await ask('mutation { rows: callListed(least: 0, most: 6) { id } }')).includes('{"id":1}'),
    );
    await migrate('drop procedure listed');
    await logged('no such procedure is served');
    expect(await hasField('Mutation', 'callListed')).toBe(true);
    expect(await ready()).toMatchObject({ schema: { state: 'stale' } });
    await migrate('create procedure listed(in least int) select * from items where n >= least');
    await until(async () =>
      JSON.stringify(await ask('mutation { rows: callListed(least: 6) { id } }')).includes('{"id":2}'),
    );
    expect(await ready()).toMatchObject({ status: 'ready' });
  });
});
