import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followingServer } from '../../support/following-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

const schema = `
  create table people (id int primary key, name varchar(50) not null, salary int not null default 1, owner varchar(50) not null default 'ada');
  create table secrets (id int primary key, value varchar(50));
  create table notes (id int primary key, body varchar(50));
  create procedure pay_out (in amount int) select amount;
  insert into people (id, name, salary) values (1, 'Ada', 4000);`;

describeMysql('what is protected on MariaDB, when the database changes', () => {
  let database: MysqlDatabase;
  let program: Transpiled;
  let server: RunningServer;

  const { rest, ready, until, logged } = followingServer(() => server);
  const migrate = (text: string): Promise<void> => loadMysql(database.url, text);
  const isCurrent = async (): Promise<boolean> => !JSON.stringify(await ready()).includes('stale');

  beforeAll(async () => {
    database = await createMysqlDatabase('protected');
    await migrate(schema);
    const { name } = database;
    const config = {
      exclude: [`${name}.people.salary`, `${name}.secrets`, `${name}.pay_*`],
      names: { schemaPrefix: 'never' },
    };
    program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify(config) });
    await writeFile(
      join(program.folder, 'dist/custom/index.js'),
      `export const custom = { hooks: { '${name}.people': { onRead: () => ({ owner: { eq: 'ada' } }) } } };`,
    );
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

  test.each<readonly [what: string, change: string, undo: string, gone: string, fresh: string]>([
    [
      'a column',
      'alter table people rename column salary to pay',
      'alter table people rename column pay to salary',
      'people.salary',
      'people.pay',
    ],
    ['a table', 'rename table secrets to hints', 'rename table hints to secrets', 'secrets', 'hints'],
    [
      'a procedure',
      'drop procedure pay_out; create procedure spend (in amount int) select amount',
      'drop procedure spend; create procedure pay_out (in amount int) select amount',
      'pay_out',
      'spend',
    ],
  ])('%s that exclude names is not served under another name', async (_what, change, undo, gone, fresh) => {
    const { name } = database;
    const reason = `The excluded ${name}.${gone} is gone, and ${name}.${fresh} is new: it may be the excluded object under another name.`;
    await migrate(change);
    await logged(reason);
    expect(await ready()).toEqual({ status: 'ready', schema: { state: 'stale', reason } });
    expect((await rest('/people')).text).toContain('Ada');
    expect((await rest('/people')).text).not.toContain('4000');
    await migrate(undo);
    await until(isCurrent);
  });

  test('a column that an onRead hook names is not dropped from the API', async () => {
    expect((await rest('/people?select=name')).text).toContain('Ada');
    await migrate('alter table people drop owner');
    await until(async () => !(await isCurrent()));
    expect(JSON.stringify(await ready())).toContain('onRead answered a condition that cannot be used');
    expect((await rest('/notes')).status).toBe(200);
    await migrate("alter table people add owner varchar(50) not null default 'ada'");
    await until(isCurrent);
    expect((await rest('/people?select=name')).text).toContain('Ada');
  });
});
