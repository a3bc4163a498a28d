import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, openPool, type TestDatabase } from '../../support/postgres.js';
import { until } from './support/shop.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('session_lifetime');
});
afterAll(() => database.drop());

/** Runs work with a driver whose connections live this long. */
async function withDriver(milliseconds: number, work: (driver: Driver) => Promise<void>): Promise<void> {
  const driver = createDriver(
    settingsWith({ 'app.datasource.url': database.url, 'app.datasource.max-lifetime-ms': milliseconds }),
  );
  try {
    await work(driver);
  } finally {
    await driver.close();
  }
}

const backend = async (driver: Driver, seconds = 0): Promise<string | null | undefined> => {
  const [row] = await driver.run([{ text: 'select pg_backend_pid() from pg_sleep($1)', values: [String(seconds)] }]);
  return row?.[0];
};

/** The number of the drivers' sessions. */
async function sessions(): Promise<number> {
  const pool = openPool({ connectionString: database.url, max: 1 });
  try {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'tablewright'`,
    );
    return rows[0]?.count ?? 0;
  } finally {
    await pool.end();
  }
}

test('a connection that is old is replaced', () =>
  withDriver(300, async (driver) => {
    const old = await backend(driver);
    await until(async () => (await backend(driver)) !== old);
  }));

test('one that nobody uses is closed when it is old', () =>
  withDriver(300, async (driver) => {
    await backend(driver);
    await until(async () => (await sessions()) === 0);
    expect(await backend(driver)).toBeDefined();
  }));

test('never under a request: what runs on it is run to its end', () =>
  withDriver(300, async (driver) => {
    const [old, other] = await Promise.all([
      backend(driver, 1),
      driver.transaction(async (run) => {
        const pid = async (seconds: string): Promise<string | null | undefined> => {
          const [row] = await run([{ text: 'select pg_backend_pid() from pg_sleep($1)', values: [seconds] }]);
          return row?.[0];
        };
        const before = await pid('0.6');
        expect(await pid('0.4')).toBe(before);
        return before;
      }),
    ]);
    expect(await backend(driver)).not.toBe(old);
    expect(await backend(driver)).not.toBe(other);
  }));

test('with 0 a connection is kept', () =>
  withDriver(0, async (driver) => {
    const kept = await backend(driver);
    await backend(driver, 0.5);
    expect(await backend(driver)).toBe(kept);
  }));
