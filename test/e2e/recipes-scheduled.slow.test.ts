import { walSql } from '../../runtime/src/dialect/postgres/changes/sql.js';
import { createKey, sign } from '../runtime/auth/support.js';
import { openClient, untilLive, watch } from '../runtime/changes/support/live.js';
import { startCluster } from '../support/cluster.js';
import { describeOwnMariadb } from '../support/describe-own-mariadb.js';
import { describeWhere } from '../support/describe-where.js';
import { createMysqlDatabase, loadMysql } from '../support/mysql.js';
import { createOwnMariadb } from '../support/own-mariadb.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { recipe, recipeFile, withProject, type RecipeProject } from '../support/recipe-project.js';
import { startGeneratedServer, type ServerProcess } from '../support/running-server.js';
import { until } from '../support/until.js';

const late = `insert into tasks (id, owner, title, due) values (1, 'ada', 'tea', '2020-01-01')`;
const superuser = { APP_SECURITY_ALLOW_SUPERUSER: 'true' };

/** The settings of a file of the page, as `name=value`. */
const settingsOf = (name: string): readonly string[] =>
  [...recipeFile(name).matchAll(/^(\w[\w.]*) = '?([^'\n]*)'?$/gm)].map(([, key = '', value = '']) => `${key}=${value}`);

/** A new project of a database, as its newcomer makes it, and its server. */
const serving = (
  database: TestDatabase,
  environment: Readonly<Record<string, string>>,
  use: (server: ServerProcess, project: RecipeProject) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    const names = database.url.startsWith('postgres') ? ' --schemas public --names plain' : '';
    await project.run(`npx tablewright init --yes${names}\nnpm run generate\nnpm run build`);
    const server = await startGeneratedServer(project.folder, { DATABASE_URL: database.url, ...environment });
    try {
      await use(server, project);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  }, database);

const overdue = async ({ base }: ServerProcess, headers = {}): Promise<unknown> => {
  const { data } = (await (await fetch(`${base}/api/v1/tasks?select=id,overdue&order=id`, { headers })).json()) as {
    readonly data: unknown;
  };
  return data;
};

describeWhere('pgcron')('pg_cron', () => {
  test('changes rows at its time: a subscriber and a read see it', async () => {
    const cluster = await startCluster(['wal_level=logical', ...settingsOf('postgresql.conf')]);
    const url = new URL(cluster.url);
    url.pathname = '/shop';
    try {
      await loadSql(cluster.url, 'create database shop');
      for (const name of ['db/tasks.sql', 'db/pg-cron.sql']) await loadSql(url.href, recipeFile(name));
      await loadSql(url.href, walSql([{ schema: 'public', name: 'tasks', key: ['id'] }]));
      const database = { url: url.href, drop: () => Promise.resolve() };
      await serving(database, { ...superuser, APP_CHANGES_SOURCE: 'wal' }, async (server) => {
        await untilLive(server);
        const client = openClient(server);
        const watching = await watch(client, 'subscription { tasksChanges { operation data { title overdue } } }');
        await loadSql(url.href, late);
        // The time of the page is in the night; this one comes within a minute.
        await loadSql(url.href, `select cron.alter_job(jobid, schedule => '* * * * *') from cron.job`);
        const marked = { title: 'tea', overdue: true };
        await watching.until((events) => events.some(({ data }) => data?.['overdue'] === true));
        expect(watching.events.at(-1)).toEqual({ operation: 'UPDATE', data: marked });
        expect(await overdue(server)).toEqual([{ id: 1, overdue: true }]);
        await client.dispose();
      });
    } finally {
      await cluster.remove();
    }
  });
});

describeOwnMariadb('an event of MariaDB', () => {
  test('changes rows at its time, and a read sees it', async () => {
    const mariadb = await createOwnMariadb(settingsOf('my.cnf').map((setting) => `--${setting}`));
    await mariadb.start();
    try {
      const database = await createMysqlDatabase('tasks', mariadb.url);
      for (const name of ['db/tasks.sql', 'db/events.sql']) await loadMysql(database.url, recipeFile(name));
      await loadMysql(database.url, late);
      await serving(database, superuser, async (server) => {
        expect(await overdue(server)).toEqual([{ id: 1, overdue: false }]);
        // The time of the page is in the night.
        await loadMysql(database.url, 'alter event overdue_tasks on schedule every 1 second');
        await until(async () => JSON.stringify(await overdue(server)) === '[{"id":1,"overdue":true}]');
      });
    } finally {
      await mariadb.remove();
    }
  });
});

test('a job writes as an identity, and policies decide which', async () => {
  const database = await createTestDatabase('recipes');
  const role = `${new URL(database.url).pathname.slice(1)}_app`;
  const key = await createKey('EdDSA');
  const asRole = new URL(database.url);
  [asRole.username, asRole.password] = [role, 'tasks'];
  const environment = {
    DATABASE_URL: asRole.href,
    APP_SECURITY_ALLOW_SUPERUSER: 'false',
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
  };
  for (const name of ['db/tasks.sql', 'db/policies.sql']) await loadSql(database.url, recipeFile(name));
  await loadSql(
    database.url,
    `create role ${role} login password 'tasks'; grant select, update on tasks to ${role};
     ${late}, (2, 'bob', 'salt', '2020-01-01'), (3, 'bob', 'rice', '9999-01-01')`,
  );
  const dropped = {
    url: database.url,
    drop: async (): Promise<void> => {
      await loadSql(database.url, `drop owned by ${role}; drop role ${role}`);
      await database.drop();
    },
  };
  await serving(dropped, environment, async (server, project) => {
    await project.follow(recipe('A job as an identity').replace(/^```sh\n[^]*?^```\n/m, ''));
    await project.run('npm run build');
    const run = (file: string): Promise<string> => project.run(`node dist/jobs/${file}`, environment);
    await project.run(`sed 's/overdue-job/stranger/' dist/jobs/overdue.js > dist/jobs/stranger.js`);
    expect(await run('stranger.js')).toContain('0 tasks are overdue.');
    expect(await run('overdue.js')).toContain('2 tasks are overdue.');
    expect(await run('overdue.js')).toContain('0 tasks are overdue.');
    const as = async (sub: string): Promise<unknown> =>
      overdue(server, { authorization: `Bearer ${await sign(key, { sub })}` });
    expect(await as('ada')).toEqual([{ id: 1, overdue: true }]);
    expect(await as('bob')).toEqual([
      { id: 2, overdue: true },
      { id: 3, overdue: false },
    ]);
  });
});
