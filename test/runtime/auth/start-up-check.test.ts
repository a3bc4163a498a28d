import pg from 'pg';
import { checkAtStart } from '../../../runtime/src/dialect/postgres/start-up/check.js';
import type { TableDescriptor } from '../../../runtime/src/descriptor/descriptor.js';
import { createLogger } from '../../../runtime/src/observe/logger.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import { createRegistry, type Registry } from '../../../runtime/src/descriptor/registry.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { sameNames } from '../../../runtime/src/dialect/schema-names.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { describeDatabase } from '../../support/describe-database.js';
import { failureOf, settingsWith } from './support.js';

const schema = `
  create schema "kan""ban";
  create role auth_owner login; create role auth_app login; create role auth_guest; create role auth_member;
  create role auth_super superuser; create role auth_bypass bypassrls login; create role auth_stranger;
  create role auth_poor; create role "auth readers";
  grant auth_guest, auth_member, auth_poor, "auth readers" to auth_app;
  grant usage on schema "kan""ban" to public;
  set search_path to "kan""ban";
  create table issues (id int primary key, owner text);
  alter table issues enable row level security;
  create policy mine on issues using (owner = nullif(current_setting('request.user_id', true), ''));
  create table forgotten (id int primary key);
  create table disabled (id int primary key);
  create policy mine on disabled using (false);
  create view "all issues" as select * from issues;
  create view careful with (security_invoker) as select * from issues;
  create view outer_view with (security_invoker) as select * from "all issues";
  create view harmless as select * from forgotten;
  create materialized view numbers as select count(*) from issues;
  do $$ declare name text; begin
    for name in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'kan"ban' loop
      execute format('alter table %s owner to auth_owner', name);
    end loop;
  end $$;
  grant select on all tables in schema "kan""ban" to auth_owner, auth_app, auth_guest, auth_member;
  grant select on numbers to auth_owner;`;

const roles = [
  ...['auth_owner', 'auth_app', 'auth_guest', 'auth_member', 'auth_super', 'auth_bypass', 'auth_stranger'],
  ...['auth_poor', '"auth readers"'],
];
const tables = ['issues', 'forgotten', 'disabled', 'all issues', 'careful', 'outer_view', 'harmless', 'numbers'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('auth', 'embedded');
  await loadSql(database.url, schema);
});
afterAll(async () => {
  await loadSql(database.url, `drop schema "kan""ban" cascade; drop role ${roles.join(', ')}`);
  await database.drop();
});

/**
 * Checks with a driver on one connection that has taken a role. The driver returns rows as text, as
 * real drivers do.
 */
async function check(role: string, given: Partial<Settings> = {}, names = tables): Promise<readonly Observation[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const run: Driver['run'] = async (statements) => {
    const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;
    const results = [];
    for (const { text, values } of statements) {
      results.push(await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array', types }));
    }
    return results.at(-1)?.rows ?? [];
  };
  const noStatements = () => Promise.reject(new Error('there are no statements of the user’s own'));
  const driver: Driver = {
    run,
    transaction: (work) => work(run, { query: noStatements, savepoint: noStatements }),
    ping: () => Promise.resolve(),
    close: () => client.end(),
  };
  try {
    const registry = await registryOf(names);
    await client.query(`set session authorization ${pg.escapeIdentifier(role)}`);
    return await checkAtStart(driver, registry, settingsWith(given), sameNames);
  } finally {
    await driver.close();
  }
}

/** The registry of these tables, in this order. */
async function registryOf(names: readonly string[]): Promise<Registry> {
  if (names.some((name) => !described.has(name))) {
    const { descriptors } = await describeDatabase(database.url, { schemas: ['kan"ban'] });
    for (const table of descriptors.tables) described.set(table.name, table);
  }
  const tables = names.flatMap((name) => described.get(name) ?? []);
  expect(tables.map(({ name }) => name)).toEqual(names);
  return createRegistry({ tables });
}

/** The descriptors of the tables, by name. A test may create more tables. */
const described = new Map<string, TableDescriptor>();

/** The SQL of the findings. */
const hints = (found: readonly Observation[]): string[] =>
  found.flatMap((each) => (each.kind === 'warning' ? (each.sql ?? []) : []));

const switched: Partial<Settings> = {
  'app.security.anonymous-role': 'auth_guest',
  'app.security.default-role': 'auth_member',
};

describe('roles that bypass row level security', () => {
  it.each(['auth_super', 'auth_bypass'])('%s is refused', async (role) => {
    const error = await failureOf(() => check(role));
    expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining(role) as string });
    expect(error.hint).toContain('app.security.allow-superuser');
  });

  it('verification off: nothing is asked', async () => {
    await expect(check('auth_super', { 'app.security.jwt-enabled': false })).resolves.toEqual([]);
  });

  it('allowed by the explicit flag: a warning', async () => {
    const found = await check('auth_super', { 'app.security.allow-superuser': true }, []);
    expect(found).toMatchObject([{ kind: 'warning', message: expect.stringContaining('auth_super') as string }]);
  });

  it('a superuser whose every request is switched to a plain role is fine', async () => {
    await expect(check('auth_super', switched, [])).resolves.toEqual([]);
  });

  it.each(['app.security.anonymous-role', 'app.security.default-role'] as const)(
    'only %s is not enough',
    async (key) => {
      const error = await failureOf(() => check('auth_super', { [key]: 'auth_guest' }));
      expect(error.code).toBe('TW018');
    },
  );

  it('switching to a role that bypasses is refused', async () => {
    const error = await failureOf(() =>
      check('auth_super', {
        ...switched,
        'app.security.role-claim': 'role',
        'app.security.allowed-roles': ['auth_bypass'],
      }),
    );
    expect(error.message).toContain('auth_bypass');
  });
});

describe('roles to switch to', () => {
  it('must exist', async () => {
    const error = await failureOf(() => check('auth_app', { 'app.security.default-role': 'auth_absent' }));
    expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining('no role auth_absent') as string });
  });

  it('must be granted', async () => {
    const error = await failureOf(() => check('auth_app', { 'app.security.default-role': 'auth_stranger' }));
    expect(error.hint).toContain('grant "auth_stranger" to');
  });

  it('a role claim without allowed roles is a warning', async () => {
    const found = await check('auth_app', { 'app.security.role-claim': 'role' }, []);
    expect(found).toMatchObject([{ message: expect.stringContaining('allowed-roles is empty') as string }]);
  });
});

describe('holes, each with the SQL that fixes it', () => {
  it('every one of them, for the owner', async () => {
    expect(hints(await check('auth_owner'))).toEqual([
      'alter table "kan""ban".issues force row level security;',
      expect.stringContaining('alter table "kan""ban".disabled enable row level security;'),
      expect.stringContaining('create policy readable on "kan""ban".forgotten for select'),
      expect.stringContaining('alter view "kan""ban"."all issues" set (security_invoker = true);'),
      expect.stringContaining('alter view "kan""ban"."all issues" set (security_invoker = true);'),
      expect.stringContaining('revoke select on "kan""ban".numbers from auth_owner;'),
    ]);
  });

  it('who does not own the table needs no FORCE; an invoker view is fine, but not one above an owner view', async () => {
    expect(hints(await check('auth_app', {}, ['issues', 'careful']))).toEqual([]);
    expect(hints(await check('auth_app', {}, ['issues', 'outer_view']))).toHaveLength(1);
  });

  it('the roles that requests are switched to count, not the connecting one', async () => {
    expect(hints(await check('auth_super', switched, ['issues']))).toEqual([]);
  });

  it('what no request may touch is no hole', async () => {
    const poor: Partial<Settings> = {
      'app.security.anonymous-role': 'auth_poor',
      'app.security.default-role': 'auth_poor',
    };
    expect(hints(await check('auth_app', poor))).toEqual([]);
    await loadSql(database.url, 'grant delete on "kan""ban".forgotten to auth_poor');
    expect(hints(await check('auth_app', poor))).toHaveLength(1);
  });

  it('a materialised view is revoked from whoever reads it, public and groups among them', async () => {
    await loadSql(
      database.url,
      `create materialized view "kan""ban".groups as select id from "kan""ban".issues;
       grant select on "kan""ban".groups to public; grant select (id) on "kan""ban".groups to "auth readers"`,
    );
    const [hint = ''] = hints(await check('auth_app', {}, ['issues', 'groups']));
    expect(hint).toContain('revoke select on "kan""ban".groups from "auth readers", public;');
    await loadSql(database.url, hint);
    expect(hints(await check('auth_app', {}, ['issues', 'groups']))).toEqual([]);
  });

  it('nothing is protected: nothing is said', async () => {
    expect(await check('auth_owner', {}, ['forgotten', 'harmless'])).toEqual([]);
  });

  it('the SQL of the findings mends them', async () => {
    await loadSql(database.url, hints(await check('auth_owner')).join('\n'));
    // The table is now protected, so its view, which was harmless before, is a finding.
    const found = hints(await check('auth_owner'));
    expect(found).toEqual([expect.stringContaining('alter view "kan""ban".harmless set (security_invoker = true);')]);
    await loadSql(database.url, found.join('\n'));
    expect(hints(await check('auth_owner'))).toEqual([]);
  });
});

describe('a thousand of one sort', () => {
  it('are one short line with their number; the SQL is in the log at level debug', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `t${at}`);
    const sql = names
      .map((name) => `create table "kan""ban".${name} (); grant select on "kan""ban".${name} to auth_app`)
      .join(';');
    await loadSql(database.url, sql);
    const found = await check('auth_app', {}, ['issues', ...names]);
    expect(found).toHaveLength(1);
    const [warning] = found;
    if (warning?.kind !== 'warning') throw new Error('no warning');
    expect(warning.message).toMatch(/\(30 in all\)\.$/);
    expect(warning.message.length + (warning.hint?.length ?? 0)).toBeLessThan(500);
    expect(warning.hint).toContain('APP_LOG_LEVEL=debug');
    expect(hints(found)).toHaveLength(30);
    const written = (level: 'info' | 'debug'): string[] => {
      const lines: string[] = [];
      createLogger({ 'app.log.level': level }, { write: (line) => lines.push(line) })(warning);
      return lines;
    };
    expect(written('info')).toHaveLength(1);
    expect(written('debug')[1]).toContain('enable row level security');
  });
});
