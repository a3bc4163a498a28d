import { describeWhere } from '../../support/describe-where.js';
import { found } from '../../support/machine/machine.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { startPgbouncer, type Pgbouncer } from '../../support/pgbouncer.js';

/**
 * Runs an existing suite whose servers and drivers connect through PgBouncer, in transaction mode
 * and with two connections for the ten of a server. Without an installed PgBouncer the suite is
 * skipped and says so; in CI it fails.
 */
export async function throughPgbouncer(suite: () => Promise<unknown>): Promise<void> {
  if (found('pgbouncer') === undefined) {
    describeWhere('pgbouncer')('through PgBouncer', () => {
      test('the whole suite', () => undefined);
    });
    return;
  }
  let server: TestDatabase;
  let pgbouncer: Pgbouncer | undefined;
  beforeAll(async () => {
    server = await createTestDatabase('pooler');
    pgbouncer = await startPgbouncer({ server: server.url, poolSize: 2 });
    process.env['TEST_POOLER'] = pgbouncer.address;
  });

  await suite();

  test('PgBouncer was in between', () => {
    expect(pgbouncer?.log()).toMatch(/login attempt: db=(?!pooler)/);
  });
  afterAll(async () => {
    await pgbouncer?.stop();
    await server.drop();
  });
}
