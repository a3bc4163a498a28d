import type { PGlite } from '@electric-sql/pglite';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { createPglite } from '../support/pglite-data.js';

const script = (name: string): Promise<string> => readFile(join(import.meta.dirname, '../../demo', name), 'utf8');

type Rows = readonly Record<string, unknown>[];

const tables = [
  'kanban.users',
  'kanban.projects',
  'kanban.project_members',
  'kanban.issues',
  'kanban.comments',
  'kanban.labels',
  'kanban.issue_labels',
  'kanban.notifications',
  'kanban.open_issues',
  'shop.customers',
  'shop.products',
  'shop.orders',
  'shop.order_items',
  'shop.product_sales',
];

/** One line per table: how many rows, and a digest of all of them. */
const digests = (columns: (table: string) => string): string =>
  tables
    .map(
      (table) =>
        `SELECT '${table}' AS table, count(*)::int AS rows, md5(string_agg(line, chr(10) ORDER BY line COLLATE "C")) AS digest
         FROM (SELECT (${columns(table)})::text AS line FROM ${table} t) AS row`,
    )
    .join(' UNION ALL ');

describe('the demo database', () => {
  let lite: PGlite;
  let real: pg.Client;
  let database: TestDatabase;

  beforeAll(async () => {
    lite = await createPglite();
    for (const name of ['schema.sql', 'vector.sql', 'seed.sql']) await lite.exec(await script(name));
    database = await createTestDatabase('demo_sql');
    for (const name of ['schema.sql', 'seed.sql']) await loadSql(database.url, await script(name));
    real = new pg.Client({ connectionString: database.url });
    await real.connect();
    await real.query("SET TimeZone = 'UTC'");
    await lite.exec("SET TimeZone = 'UTC'");
  });

  afterAll(async () => {
    await lite.close();
    await real.end();
    await database.drop();
  });

  /**
   * Runs a query as a request does: as the demo's role, with claims that are set for the
   * transaction.
   */
  async function as(claims: Readonly<Record<string, string>>, query: string): Promise<Rows> {
    return lite.transaction(async (transaction) => {
      await transaction.exec('SET LOCAL ROLE tablewright_demo');
      for (const [name, value] of Object.entries(claims)) {
        await transaction.query('SELECT set_config($1, $2, true)', [name, value]);
      }
      const { rows } = await transaction.query<Record<string, unknown>>(query);
      await transaction.rollback();
      return rows;
    });
  }

  const count = async (claims: Readonly<Record<string, string>>, table: string): Promise<unknown> =>
    (await as(claims, `SELECT count(*)::int AS rows FROM ${table}`))[0]?.['rows'];

  test('has a few hundred rows, the same ones on PostgreSQL and on PGlite', async () => {
    // The column `embedding` exists only with pgvector.
    const columns = (table: string): string => (table === 'kanban.issues' ? "to_jsonb(t) - 'embedding'" : 't');
    const expected = (await real.query(digests(columns))).rows as Rows;
    const found = (await lite.query<Record<string, unknown>>(digests(columns))).rows;
    expect(found).toEqual(expected);
    const total = found.reduce((sum, row) => sum + Number(row['rows']), 0);
    expect(total).toBeGreaterThan(500);
    expect(found.every((row) => Number(row['rows']) > 0)).toBe(true);
  });

  test('every issue has an embedding of length 1, and its own title is nearest to it', async () => {
    const { rows } = await lite.query<{ off: number }>(
      'SELECT max(abs(vector_norm(embedding) - 1))::float8 AS off FROM kanban.issues',
    );
    expect(rows[0]?.off).toBeLessThan(0.001);
    const near = await lite.query<{ title: string }>(
      "SELECT title FROM kanban.issues ORDER BY embedding <-> kanban.embed('Login page times out on slow connections') LIMIT 3",
    );
    expect(near.rows[0]?.title).toBe('Login page times out on slow connections');
    expect(near.rows.map((row) => row.title)).toEqual(Array(3).fill(expect.stringMatching(/login|times out on slow/i)));
  });

  test('the search indexes serve their queries', async () => {
    await lite.transaction(async (transaction) => {
      await transaction.exec('SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off');
      const plan = async (query: string): Promise<string> =>
        JSON.stringify((await transaction.query(`EXPLAIN ${query}`)).rows);
      expect(await plan("SELECT id FROM kanban.issues ORDER BY embedding <-> '[1,0,0,0,0,0,0,0]' LIMIT 3")).toContain(
        'issues_embedding',
      );
      expect(
        await plan("SELECT id FROM kanban.issues WHERE search_vector @@ plainto_tsquery('english', 'login')"),
      ).toContain('issues_search_vector');
    });
  });

  describe('row level security', () => {
    test('anonymous requests see the public projects and nothing personal', async () => {
      expect(await as({}, 'SELECT key FROM kanban.projects ORDER BY id')).toEqual([
        { key: 'WEB' },
        { key: 'APP' },
        { key: 'DOC' },
      ]);
      expect(await count({}, 'kanban.issues')).toBe(120);
      for (const table of ['kanban.notifications', 'kanban.project_members', 'shop.customers', 'shop.orders']) {
        expect([table, await count({}, table)]).toEqual([table, 0]);
      }
    });

    test('an empty variable, which is what a warm connection has, is anonymous too', async () => {
      const empty = { 'request.user_id': '', 'request.project_id': '' };
      expect(await count(empty, 'kanban.issues')).toBe(120);
      expect(await count(empty, 'kanban.notifications')).toBe(0);
    });

    test('by user: members see their private projects, and each their own notifications and orders', async () => {
      const dalia = { 'request.user_id': '4' };
      expect(await as(dalia, "SELECT key FROM kanban.projects WHERE visibility = 'private'")).toEqual([{ key: 'PAY' }]);
      expect(await count(dalia, 'kanban.issues')).toBe(160);
      expect(await as(dalia, 'SELECT DISTINCT user_id FROM kanban.notifications')).toEqual([{ user_id: 4 }]);
      expect(await as(dalia, 'SELECT name FROM shop.customers')).toEqual([{ name: 'Dalia Haddad' }]);
      expect(await count(dalia, 'shop.orders')).toBeGreaterThan(0);
    });

    test('by project: a token for one project opens that project', async () => {
      expect(await count({ 'request.project_id': '5' }, 'kanban.issues')).toBe(160);
      expect(await count({ 'request.project_id': '5' }, 'kanban.notifications')).toBe(0);
    });

    test('a subject that is no number of ours is nobody', async () => {
      expect(await count({ 'request.user_id': 'auth0|1f2e' }, 'kanban.notifications')).toBe(0);
    });

    test('writes: editors in their projects, others nowhere', async () => {
      const insert =
        "INSERT INTO kanban.issues (project_id, number, title, reporter_id) VALUES (4, 99, 'New', 4) RETURNING id";
      expect(await as({ 'request.user_id': '4' }, insert)).toHaveLength(1);
      await expect(as({ 'request.user_id': '2' }, insert)).rejects.toMatchObject({ code: '42501' });
      await expect(as({}, insert)).rejects.toMatchObject({ code: '42501' });
    });
  });

  test('procedures answer their OUT parameters', async () => {
    const [quote] = await as({}, 'CALL shop.quote(3, 2, 50, NULL, NULL)');
    expect(quote).toEqual({ discount_percent: '20', unit_price: '749.90', total: '1199.84' });
    const [order] = await as({ 'request.user_id': '4' }, 'CALL shop.place_order(4, 22, 3, NULL, NULL)');
    expect(order).toMatchObject({ total: '48.00' });
    expect(await as({}, 'CALL shop.refresh_product_sales()')).toEqual([]);
  });

  test('what the database computes', async () => {
    expect(await as({}, 'SELECT kanban.issues_reference(i) AS reference FROM kanban.issues i WHERE id = 2')).toEqual([
      { reference: 'APP-1' },
    ]);
  });
});
