import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variantsWhere } from '../support/describe-where.js';
import { tablewright } from '../support/cli.js';
import { followingServer } from '../support/following-server.js';
import { buildGenerated } from '../support/generated-program.js';
import { createMysqlDatabase, loadMysql } from '../support/mysql.js';
import { createTestDatabase, loadSql } from '../support/postgres.js';
import type { RunningServer } from '../support/running-server.js';
import { startServerHere } from '../support/server-here.js';
import type { Transpiled } from '../support/transpile.js';

interface Migrated {
  readonly url: string;
  readonly schema: string;
  readonly run: (sql: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

const onPostgres = async (): Promise<Migrated> => {
  const database = await createTestDatabase('rules_drift');
  const { url } = database;
  await loadSql(url, 'create schema app');
  return {
    url,
    schema: 'app',
    drop: () => database.drop(),
    run: (sql) => loadSql(url, `set search_path to app; ${sql}`),
  };
};
const onMysql = async (): Promise<Migrated> => {
  const database = await createMysqlDatabase('rules_drift');
  const { url, name } = database;
  return { url, schema: name, drop: () => database.drop(), run: (sql) => loadMysql(url, sql) };
};

const suites: readonly (readonly [string, () => Promise<Migrated>])[] = [
  ['PostgreSQL', onPostgres],
  ...variantsWhere('mariadb', ['MariaDB', onMysql]),
];

describe.each(suites)('rules on %s when the database changes', (_database, open) => {
  let database: Migrated;
  let program: Transpiled;
  let server: RunningServer;
  const { ask, rest, ready, until, logged } = followingServer(() => server);
  const isCurrent = async (): Promise<boolean> => !JSON.stringify(await ready()).includes('stale');
  const rules = () => ({
    [`${database.schema}.notes`]: {
      read: { hidden: { eq: 0 } },
      write: { owner: { eq: { claim: 'userId' } } },
      hide: ['secret'],
    },
  });
  const config = () => ({ names: { schemaPrefix: 'never' }, rules: rules() });

  beforeAll(async () => {
    database = await open();
    await database.run(`
      create table notes (id int primary key, owner varchar(20), hidden int not null default 0, secret varchar(20));
      insert into notes values (1, 'ada', 0, 'SECRET'), (2, 'ada', 1, 'SECRET')`);
    program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify(config()) });
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

  async function holds(): Promise<void> {
    const { text } = await rest('/notes');
    expect(text).toContain('"id":1');
    expect(text).not.toMatch(/"id":2|SECRET/);
    const body = JSON.stringify({ id: 3, owner: 'ada' });
    const headers = { 'content-type': 'application/json' };
    expect((await rest('/notes', { method: 'POST', headers, body })).status).toBe(403);
    expect((await rest('/notes?select=secret')).status).toBe(403);
  }

  test('hold before, and after a change that they fit', async () => {
    await holds();
    await database.run('alter table notes add extra int');
    await until(async () => (await rest('/notes?select=extra')).status === 200);
    await holds();
    expect((await rest('/openapi.json')).text).not.toContain('"secret"');
  });

  test('new tables and views wait for the next generate', async () => {
    const { schema, run } = database;
    await run('create table fresh (id int primary key); create view shown as select id from notes');
    await logged(`${schema}.fresh is new, and may be something protected under another name`);
    await logged(`${schema}.shown is new, and may be something protected under another name`);
    for (const name of ['fresh', 'shown']) expect((await rest(`/${name}`)).status).toBe(404);
    await run('alter table notes add more int');
    await until(async () => (await rest('/notes?select=more')).status === 200);
    expect((await rest('/fresh')).status).toBe(404);
    await run('drop table fresh; drop view shown; alter table notes drop more');
    await until(async () => (await rest('/notes?select=more')).status === 400);
    await holds();
  });

  test.each([
    [
      'a column of a condition',
      'notes rename column hidden to hid',
      'notes rename column hid to hidden',
      'has no field hidden',
    ],
    [
      'a column of a condition for writes',
      'notes rename column owner to who',
      'notes rename column who to owner',
      'has no field owner',
    ],
    [
      'a hidden column',
      'notes rename column secret to code',
      'notes rename column code to secret',
      'there is no column secret',
    ],
    ['the table', 'notes rename to papers', 'papers rename to notes', 'there is no such table'],
  ])('a change that takes %s away is not served', async (_what, change, undo, reason) => {
    await database.run(`alter table ${change}`);
    await logged(reason);
    expect(JSON.stringify(await ready())).toContain('"stale"');
    expect((await rest('/notes')).text).not.toContain('SECRET');
    await database.run(`alter table ${undo}`);
    await until(isCurrent);
    await holds();
  });

  test('check fails for such a change, and generate writes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rules-check-'));
    try {
      await writeFile(
        join(folder, 'tablewright.config.ts'),
        `import { claim, defineConfig } from 'tablewright';
export default defineConfig({
  names: { schemaPrefix: 'never' },
  rules: { '${database.schema}.notes': { read: { owner: { eq: claim('userId') } }, hide: ['secret'] } },
});`,
      );
      const run = (command: string) => tablewright([command, '--url', database.url], { cwd: folder });
      expect(await run('generate')).toMatchObject({ code: 0 });
      expect(await run('check')).toMatchObject({ code: 0 });
      await database.run('alter table notes rename column owner to who');
      for (const command of ['check', 'generate']) {
        const { code, stderr } = await run(command);
        expect(code).toBe(1);
        expect(stderr).toContain(`rules['${database.schema}.notes'].read cannot be used: Notes has no field owner.`);
      }
      await database.run('alter table notes rename column who to owner');
      expect((await ask('{ notes { id } }')).data).toEqual({ notes: [{ id: 1 }] });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
