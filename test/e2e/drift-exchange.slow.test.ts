import {
  exchangeColumns,
  exchangeConfig,
  exchangedNames,
  exchangeSchema,
  exchangeTables,
  lossyExchanges,
} from '../support/exchanged-names.js';
import { variantsWhere } from '../support/describe-where.js';
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
  readonly empty: string;
  readonly drop: () => Promise<void>;
}

const onPostgres = async (): Promise<Migrated> => {
  const database = await createTestDatabase('exchange');
  const { url } = database;
  return {
    url,
    schema: 'app',
    empty: 'drop schema if exists app cascade; create schema app; set search_path to app;',
    drop: () => database.drop(),
    run: (sql) => loadSql(url, `set search_path to app; ${sql}`),
  };
};

const onMysql = async (): Promise<Migrated> => {
  const database = await createMysqlDatabase('exchange');
  const { url, name } = database;
  const empty = `drop view if exists staff; drop table if exists ${exchangeTables.join(', ')};`;
  return { url, schema: name, empty, drop: () => database.drop(), run: (sql) => loadMysql(url, sql) };
};

const suites: readonly (readonly [string, () => Promise<Migrated>])[] = [
  ['PostgreSQL', onPostgres],
  ...variantsWhere('mariadb', ['MariaDB', onMysql]),
];

/**
 * Names that a migration exchanges show nothing that `exclude`, `hide` or a rule names: after the
 * server has noticed it, and from the first request of a server that starts after it.
 */
describe.each(suites)('exchanged names on %s', (kind, open) => {
  let database: Migrated;
  let program: Transpiled;
  let server: RunningServer;
  const { ask, rest, ready, until } = followingServer(() => server);

  const begin = (): Promise<void> => database.run(`${database.empty} ${exchangeSchema}`);
  const start = async (): Promise<void> => {
    server = await startServerHere(program.folder, {
      DATABASE_URL: database.url,
      APP_LOG_LEVEL: 'info',
      APP_DRIFT_PROBE_MS: '100',
    });
  };
  const state = async (): Promise<string> => JSON.stringify(await ready());

  beforeAll(async () => {
    database = await open();
    await begin();
    program = await buildGenerated(database.url, {
      'tablewright.config.json': JSON.stringify(exchangeConfig(database.schema)),
    });
  });
  afterAll(async () => {
    await program.remove();
    await database.drop();
  });

  /** Everything that clients can read, or learn by a filter. */
  async function everything(): Promise<string> {
    const answers = await Promise.all([
      ...exchangeTables.map((table) => rest(`/${table}`)),
      ...exchangeColumns.map((column) => rest(`/staff?select=id,${column}`)),
    ]);
    const filtered = await Promise.all(exchangeColumns.map((column) => rest(`/staff?select=id&${column}=like.SEC*`)));
    const found = filtered.filter(({ text }) => text.includes('"id":1')).map(() => 'SECRET by a filter');
    const graphql = await ask('{ staff { id name bonus room desk } logs { body } papers { body } board { line } }');
    return JSON.stringify([answers.map(({ text }) => text), found, graphql]);
  }

  async function showsNothing(change: string): Promise<void> {
    await start();
    try {
      expect(await everything()).toContain('mine');
      await database.run(change);
      await until(async () => (await state()).includes('"schema"'));
      expect(await everything()).not.toContain('SECRET');
    } finally {
      await server.stop();
    }
    await start();
    try {
      expect(await everything()).not.toContain('SECRET');
      expect(await state()).toContain('"schema"');
    } finally {
      await server.stop();
    }
  }

  const known = exchangedNames.filter(({ unknownTo = [] }) => !unknownTo.includes(kind));
  test.each(known.map((each) => [each.what, each] as const))('%s', async (_what, { change, undo }) => {
    await begin();
    await showsNothing(change);
    await start();
    try {
      await database.run(undo);
      await until(async () => !(await state()).includes('"schema"'));
      expect(await everything()).toContain('mine');
      expect((await rest('/staff?select=name,bonus')).text).toContain('{"name":"Ada","bonus":"b"}');
    } finally {
      await server.stop();
    }
  });

  test.each(lossyExchanges.map((each) => [each.what, each] as const))('%s', async (_what, { change }) => {
    await begin();
    await showsNothing(change);
  });
});
