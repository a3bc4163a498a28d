import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { bin, tablewright } from '../support/cli.js';
import { describeWhere } from '../support/describe-where.js';
import { temporaryFolder } from '../support/folders.js';
import { followingServer } from '../support/following-server.js';
import { buildGenerated } from '../support/generated-program.js';
import { startPgbouncer, type Pgbouncer } from '../support/pgbouncer.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { startGeneratedServer, type RunningServer } from '../support/running-server.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { generate } from '../support/served-database.js';
import { type Transpiled } from '../support/transpile.js';

/**
 * A server follows its database in every setup: with the generator, with a pooler, without a
 * server, with many tables.
 */
const sql = `
  create schema app;
  create table app.people (id int primary key, name text not null);
  insert into app.people values (1, 'Ada');
  create procedure app.migrate(step text) language plpgsql as $$ begin execute step; end $$;
`;

let database: TestDatabase;
let program: Transpiled;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase('drift_setups');
  await loadSql(database.url, sql);
  program = await buildGenerated(database.url);
});
afterEach(async () => {
  await server.stop();
  await loadSql(database.url, 'alter table app.people drop column if exists email');
});
afterAll(async () => {
  await program.remove();
  await database.drop();
});

const { ask, rest, ready, hasField, until, logged } = followingServer(() => server);

const start = async (environment: Readonly<Record<string, string>>, ...options: readonly string[]): Promise<void> => {
  server = await startGeneratedServer(
    program.folder,
    { DATABASE_URL: database.url, APP_LOG_LEVEL: 'info', ...environment },
    [process.execPath, ...options, 'dist/main.js'],
  );
};

const addEmail = `alter table app.people add email text default 'a@b'`;

describe('app.drift.write', () => {
  test('has the generator, where it is installed, write what the server has followed', async () => {
    const folder = await scratchFolder('drift-write');
    try {
      await generate(database.url, folder);
      await cp(join(program.folder, 'dist'), join(folder, 'dist'), { recursive: true });
      await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
      await symlink(bin, join(folder, 'node_modules/.bin/tablewright'));
      server = await startGeneratedServer(folder, { DATABASE_URL: database.url, APP_DRIFT_WRITE: 'true' });
      await loadSql(database.url, `${addEmail}; notify tablewright`);
      await until(() => hasField('AppPeople', 'email'));
      const environment = { cwd: folder, env: { DATABASE_URL: database.url } };
      await until(async () => (await tablewright(['check'], environment)).code === 0);
      const schema = await readFile(join(folder, 'src/generated/schema.graphql'), 'utf8');
      expect(schema).toContain('email: String');
      expect(server.log()).not.toContain('were not written');
      expect(await ready()).toMatchObject({ schema: { state: 'followed' } });
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  });

  test('says that it is not installed, and follows all the same', async () => {
    await start({ APP_DRIFT_WRITE: 'true' });
    await loadSql(database.url, `${addEmail}; notify tablewright`);
    await logged('tablewright is not installed in the working directory');
    expect(await hasField('AppPeople', 'email')).toBe(true);
  });

  test('writes nothing in production', async () => {
    await start({ APP_DRIFT_WRITE: 'true', NODE_ENV: 'production' });
    await loadSql(database.url, `${addEmail}; notify tablewright`);
    await until(async () => (await rest('/people?select=email')).status === 200);
    expect(server.log()).not.toContain('tablewright is not installed');
  });
});

describe('a change that cannot be served', () => {
  /**
   * A minute lasts a quarter of a second in this server, so that the test need not wait for the
   * real pauses.
   */
  const hurried = `const { setTimeout: real } = globalThis;
globalThis.setTimeout = (run, milliseconds, ...rest) =>
  real(run, milliseconds >= 60_000 ? milliseconds / 240 : milliseconds, ...rest);
`;

  test('is tried again by itself, told once, and served when it can be', async () => {
    const preload = join(program.folder, 'hurried.mjs');
    await writeFile(preload, hurried);
    // Neither a timer nor a notification makes the server read its database again: only the failed
    // attempt does.
    await start({ APP_CACHE_SCHEMA_TTL_MINUTES: '0' }, '--import', preload);
    await loadSql(
      database.url,
      'create schema elsewhere; alter table app.people set schema elsewhere; notify tablewright',
    );
    await logged('The database no longer has tables.');
    expect(await ready()).toMatchObject({ schema: { state: 'stale' } });
    await loadSql(database.url, `alter table elsewhere.people set schema app; drop schema elsewhere; ${addEmail}`);
    await until(() => hasField('AppPeople', 'email'));
    expect(await ready()).toEqual({ status: 'ready', schema: { state: 'followed' } });
    await logged('the API matches the database again');
    expect(server.log().split('The database no longer has tables.')).toHaveLength(2);
  });
});

describeWhere('pgbouncer')('through PgBouncer', () => {
  let pooler: Pgbouncer;
  beforeAll(async () => {
    pooler = await startPgbouncer({ server: database.url, poolSize: 2 });
  });
  afterAll(() => pooler.stop());

  const startBehind = (environment: Readonly<Record<string, string>>): Promise<void> => {
    const url = new URL(database.url);
    url.host = pooler.address;
    return start({ DATABASE_URL: url.href, APP_DATASOURCE_POOLER: 'transaction', ...environment });
  };

  test('a change is followed when its time has come', async () => {
    await startBehind({ APP_DRIFT_PROBE_MS: '200' });
    await loadSql(database.url, addEmail);
    await until(() => hasField('AppPeople', 'email'));
    expect((await rest('/people?select=email')).text).toContain('{"email":"a@b"}');
    await loadSql(database.url, 'alter table app.people drop column email');
    await until(async () => !(await hasField('AppPeople', 'email')));
  });

  test('a read that fails has the server look, and is answered', async () => {
    await loadSql(database.url, addEmail);
    await startBehind({});
    await until(() => hasField('AppPeople', 'email'));
    await loadSql(database.url, 'alter table app.people drop column email');
    expect((await rest('/people/1')).text).toBe('{"id":1,"name":"Ada"}');
    expect(await ready()).toEqual({ status: 'ready' });
  });
});

test('on PGlite a change is followed, whose only session is the server’s own', async () => {
  const { folder, remove } = await temporaryFolder();
  try {
    const lite = new PGlite(join(folder, 'data'));
    await lite.exec(sql);
    await lite.close();
    await start({ DATABASE_URL: `pglite:${join(folder, 'data')}`, APP_DRIFT_PROBE_MS: '300' });
    const migrate = (step: string): Promise<unknown> =>
      ask(`mutation { callAppMigrate(step: ${JSON.stringify(step)}) }`);
    expect(await migrate(addEmail)).toEqual({ data: { callAppMigrate: '{"result":"OK"}' } });
    await until(() => hasField('AppPeople', 'email'));
    expect(await ask('{ appPeople { id email } }')).toEqual({ data: { appPeople: [{ id: 1, email: 'a@b' }] } });
    await migrate('alter table app.people drop column email');
    expect((await rest('/people/1')).text).toBe('{"id":1,"name":"Ada"}');
  } finally {
    await server.stop();
    await remove();
  }
});

test('a database of many tables is followed: its model is made in another thread', async () => {
  const many = await createTestDatabase('drift_many');
  let project: Transpiled | undefined;
  try {
    const columns = Array.from({ length: 12 }, (_, at) => `column_${String(at)} text`).join(', ');
    const tables = Array.from(
      { length: 80 },
      (_, at) => `create table many.t${String(at)} (id int primary key, ${columns})`,
    );
    await loadSql(many.url, `create schema many; ${tables.join(';')}; insert into many.t0 (id) values (1)`);
    project = await buildGenerated(many.url);
    server = await startGeneratedServer(project.folder, { DATABASE_URL: many.url, APP_LOG_LEVEL: 'info' });
    await loadSql(
      many.url,
      `create type many.mood as enum ('good', 'bad'); alter table many.t0 add mood many.mood default 'good'; notify tablewright`,
    );
    await until(() => hasField('ManyT0', 'mood'));
    expect(await ask('{ manyT0(where: {mood: {eq: good}}) { id mood } }')).toEqual({
      data: { manyT0: [{ id: 1, mood: 'good' }] },
    });
    expect((await rest('')).text).toContain('"ManyMood"');
    await logged('The column many.t0.mood is new.');
    await loadSql(many.url, 'drop table many.t79; notify tablewright');
    await until(async () => (await rest('/t79')).status === 404);
  } finally {
    await server.stop();
    await project?.remove();
    await many.drop();
  }
});
