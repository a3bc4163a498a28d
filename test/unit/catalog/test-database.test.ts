import pg from 'pg';
import { createTestDatabase, loadSql } from '../../support/postgres.js';

describe('createTestDatabase', () => {
  it.each(['any', 'embedded'] as const)('creates and drops a database (%s)', async (server) => {
    const database = await createTestDatabase('support', server);
    await loadSql(database.url, 'create table t (); create table u ()');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ n: number; encoding: string }>(
      "select count(*)::int n, current_setting('server_encoding') encoding from pg_class where relname in ('t', 'u')",
    );
    expect(rows).toEqual([{ n: 2, encoding: 'UTF8' }]);
    await client.end();
    await database.drop();
    await expect(loadSql(database.url, 'select 1')).rejects.toThrow();
  });
});
