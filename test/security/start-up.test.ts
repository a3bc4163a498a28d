import pg from 'pg';
import { loadSql } from '../support/postgres.js';
import { createSecuredProject, type SecuredProject } from './support/secured-project.js';

/**
 * The findings of a generated server about its database at start, as its operator sees them.
 * Decision 007.
 */
let project: SecuredProject;

const holes = `
  create schema shop;
  create table shop.orders (id int primary key, owner text);
  alter table shop.orders enable row level security;
  create policy own on shop.orders using (owner = nullif(current_setting('request.user_id', true), ''));
  create table shop.asleep (id int primary key, owner text);
  create policy own on shop.asleep using (owner = nullif(current_setting('request.user_id', true), ''));
  create table shop.open (id int primary key);
  create view shop.all_orders as select * from shop.orders;
  create materialized view shop.totals as select count(*) as n from shop.orders;
  insert into shop.orders values (1, 'ada'), (2, 'bob');
  insert into shop.asleep values (1, 'ada');
  insert into shop.open values (1);
  refresh materialized view shop.totals;`;

beforeAll(async () => {
  project = await createSecuredProject('startup', { sql: [holes], schemas: ['shop'] });
  await loadSql(project.database.url, `alter table shop.orders owner to ${project.role}`);
});
afterAll(async () => {
  await project.remove();
});

interface LogLine {
  readonly level: string | number;
  readonly msg: string;
  readonly hint?: string;
  readonly sql?: readonly string[];
}

/** The server's log lines until it is ready, and then the answers to a user. */
async function start(environment: Readonly<Record<string, string>> = {}): Promise<{
  warnings: readonly LogLine[];
  /** The SQL that removes the findings, from the log at level `debug`. */
  sql: readonly string[];
  log: string;
  statuses: Readonly<Record<string, number>>;
}> {
  const server = await project.start(environment);
  const headers = { authorization: `Bearer ${await project.token('ada')}` };
  const statuses: Record<string, number> = {};
  for (const table of ['orders', 'asleep', 'open', 'all_orders', 'totals']) {
    for (let at = 0; at < 3; at += 1) {
      statuses[table] = (await fetch(`${server.base}/api/v1/${table}`, { headers })).status;
    }
  }
  const log = server.log();
  await server.stop();
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  const parsed = lines.map((line) => JSON.parse(line) as LogLine);
  const warnings = parsed.filter(({ level, hint }) => Number(level) >= 40 && hint !== undefined);
  return { warnings, sql: parsed.flatMap(({ sql = [] }) => sql), log, statuses };
}

const superuser = (): Record<string, string> => ({ DATABASE_URL: project.database.url });

describe('a role that no policy applies to', () => {
  test('a superuser: the server does not start, and says what to do', async () => {
    const refused = await project.start(superuser()).catch((error: unknown) => String(error));
    expect(refused).toContain('no row level security policy applies to the role postgres');
    expect(refused).toContain('create role app login nosuperuser nobypassrls');
    expect(refused).toContain('app.security.allow-superuser');
    expect(refused).not.toContain(project.password);
  });

  test('BYPASSRLS: the same', async () => {
    await loadSql(project.database.url, `alter role ${project.role} bypassrls`);
    const refused = await project.start().catch((error: unknown) => String(error));
    await loadSql(project.database.url, `alter role ${project.role} nobypassrls`);
    expect(refused).toContain(`applies to the role ${project.role}`);
    expect(refused).not.toContain(project.password);
  });

  test('the explicit flag starts it, with a warning', async () => {
    const { warnings } = await start({ ...superuser(), APP_SECURITY_ALLOW_SUPERUSER: 'true' });
    expect(warnings[0]?.msg).toBe(
      'No row level security policy applies to the role postgres: it is a superuser or has BYPASSRLS.',
    );
  });

  test('without verification there is nothing to bypass', async () => {
    const { warnings } = await start({ ...superuser(), APP_SECURITY_JWT_ENABLED: 'false' });
    expect(warnings).toEqual([]);
  });
});

describe('holes in row level security', () => {
  const about = (text: string): RegExp => new RegExp(`shop\\.${text}\\b`);

  test('are warned of once each, with SQL; and once that has run, no more', async () => {
    const first = await start({ APP_LOG_LEVEL: 'debug' });
    expect(first.statuses).toEqual({ orders: 200, asleep: 200, open: 200, all_orders: 200, totals: 200 });
    const messages = first.warnings.map(({ msg }) => msg);
    expect(messages).toEqual([
      expect.stringMatching(about('orders')),
      expect.stringMatching(about('asleep')),
      expect.stringMatching(about('open')),
      expect.stringMatching(about('all_orders')),
      expect.stringMatching(about('totals')),
    ]);
    expect(first.log).not.toContain(project.password);

    for (const { hint } of first.warnings) expect(hint).toContain('npx tablewright doctor');

    await loadSql(project.database.url, first.sql.join('\n'));
    const second = await start();
    expect(second.warnings).toEqual([]);
    // The view totals is no longer readable; the other tables are, under their policies.
    expect(second.statuses).toEqual({ orders: 200, asleep: 200, open: 200, all_orders: 200, totals: 403 });
    expect(await seenBy(project, 'ada')).toEqual([1, 1, 1, 1]);
    expect(await seenBy(project, 'bob')).toEqual([1, 0, 1, 1]);
    expect(await seenBy(project, '')).toEqual([0, 0, 1, 0]);
  });
});

/**
 * The number of rows of orders, asleep, open and all_orders that a user sees, with queries of the
 * server's role.
 */
async function seenBy({ database, role }: SecuredProject, user: string): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`set session authorization ${role}`);
    await client.query("select set_config('request.user_id', $1, false)", [user]);
    const { rows } = await client.query<{ seen: number[] }>(
      `select array[(select count(*) from shop.orders), (select count(*) from shop.asleep),
         (select count(*) from shop.open), (select count(*) from shop.all_orders)]::int[] as seen`,
    );
    return rows[0]?.seen ?? [];
  } finally {
    await client.end();
  }
}
