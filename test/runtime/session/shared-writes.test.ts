import fc from 'fast-check';
import pg from 'pg';
import { createDriver } from '../../../templates/runtime/session/connect.js';
import type { Driver } from '../../../templates/runtime/session/driver.js';
import type { BoundStatement, RawRow } from '../../../templates/runtime/session/statement.js';
import type { Settings } from '../../../templates/runtime/settings.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { until } from './support/shop.js';

let database: TestDatabase;
let onlooker: pg.Client;
const open: Driver[] = [];

beforeAll(async () => {
  database = await createTestDatabase('shared_writes');
  // Commits that wait for a disk have a connection each: see below.
  await loadSql(
    database.url,
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`,
  );
  await loadSql(
    database.url,
    `CREATE TABLE parent (id int PRIMARY KEY);
     CREATE TABLE t (id int PRIMARY KEY, parent int REFERENCES parent, v text, backend int DEFAULT pg_backend_pid(), transaction xid8 DEFAULT pg_current_xact_id());
     CREATE TABLE other (id int PRIMARY KEY);
     CREATE FUNCTION sneaky() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN INSERT INTO t VALUES (-1); RETURN 1; END $$;
     CREATE FUNCTION patience() RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT current_setting('lock_timeout') $$;
     CREATE PROCEDURE patience_of_procedure(INOUT seen text) LANGUAGE plpgsql AS $$ BEGIN seen := current_setting('lock_timeout'); END $$;
     CREATE FUNCTION restore() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN SET default_transaction_read_only = on; RETURN 1; END $$;`,
  );
  onlooker = new pg.Client(database.url);
  await onlooker.connect();
});

afterAll(async () => {
  await onlooker.end();
  await database.drop();
});

beforeEach(async () => {
  await onlooker.query('TRUNCATE t, parent, other; INSERT INTO parent VALUES (1), (2)');
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((driver) => driver.close()));
});

function driverWith(given: Partial<Settings> = {}): Driver {
  const driver = createDriver(settingsWith({ 'app.datasource.url': database.url, ...given }));
  open.push(driver);
  return driver;
}

const bound = (text: string, ...values: (string | null)[]): BoundStatement => ({ text, values });
const oneRow = { write: true, oneRow: true } as const;

/** Ids that no other insert of a test has. */
let last = 0;
const insertInto = (text: string, id: number, parent = 1): BoundStatement => bound(text, String(id), String(parent));
const insertText = 'insert into t (id, parent) values ($1::int, $2::int) returning id';
const insert = (id = (last += 1), parent = 1): BoundStatement => insertInto(insertText, id, parent);
const write = (driver: Driver, statement: BoundStatement): Promise<readonly RawRow[]> =>
  driver.run([statement], oneRow);

/** Inserts often enough, one after the other, to be known as short, and from a connection that can be shared. */
async function warm(driver: Driver): Promise<void> {
  for (let times = 0; times < 30; times += 1) await write(driver, insert());
}

async function rows(where = 'true'): Promise<readonly { id: number; backend: number; transaction: string }[]> {
  const found = await onlooker.query<{ id: number; backend: number; transaction: string }>(
    `select id, backend, transaction::text from t where ${where} order by id`,
  );
  return found.rows;
}

const waiting = async (): Promise<number> => {
  const { rows: found } = await onlooker.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(found[0]?.count);
};

/** Holds a lock while something is done. */
async function holding(sql: string, work: (release: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const locker = new pg.Client(database.url);
  await locker.connect();
  try {
    await locker.query(`begin; ${sql}`);
    await work(() => locker.query('rollback'));
  } finally {
    await locker.end();
  }
}

describe('writes of one row that come together', () => {
  test('share a connection, and each is a transaction of its own', async () => {
    const driver = driverWith();
    await warm(driver);
    await until(async () => {
      const first = last + 1;
      const answers = await Promise.all(Array.from({ length: 4 }, () => write(driver, insert())));
      expect(answers).toEqual(Array.from({ length: 4 }, (_, at) => [[String(first + at)]]));
      const written = await rows(`id >= ${first}`);
      expect(new Set(written.map(({ transaction }) => transaction)).size).toBe(4);
      return new Set(written.map(({ backend }) => backend)).size === 1;
    });
  });

  test('the error of one is not that of others, before it or behind it', async () => {
    const driver = driverWith();
    await warm(driver);
    const known = last;
    const [a, b] = [(last += 1), (last += 1)];
    const settled = await Promise.allSettled(
      [insert(a), insert(known), insert(b), insert((last += 1), 3)].map((each) => write(driver, each)),
    );
    expect(settled).toMatchObject([
      { status: 'fulfilled', value: [[String(a)]] },
      { status: 'rejected', reason: { code: '23505' } },
      { status: 'fulfilled', value: [[String(b)]] },
      { status: 'rejected', reason: { code: '23503' } },
    ]);
    expect(await rows(`id in (${a}, ${b}, ${last})`)).toHaveLength(2);
  });

  test('those of many rows, of unknown extent and procedures have a connection each', async () => {
    const driver = driverWith();
    for (let times = 0; times < 30; times += 1) await driver.run([insert()], { write: true });
    const first = last + 1;
    await Promise.all(Array.from({ length: 4 }, () => driver.run([insert()], { write: true })));
    expect(new Set((await rows(`id >= ${first}`)).map(({ backend }) => backend)).size).toBe(4);
  });

  test('and such as take the database long have a connection each', async () => {
    const driver = driverWith();
    const slow = (): BoundStatement =>
      bound('insert into t (id) select $1::int from pg_sleep(0.001) returning id', String((last += 1)));
    await until(async () => {
      const first = last + 1;
      await Promise.all(Array.from({ length: 4 }, () => write(driver, slow())));
      return new Set((await rows(`id >= ${first}`)).map(({ backend }) => backend)).size === 4;
    });
  });

  test('reads among them stay read only', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    const sneaky = bound('select case when $1::bool then sneaky() end', 'false');
    await warm(driver);
    for (let times = 0; times < 30; times += 1) await driver.run([sneaky]);
    for (let times = 0; times < 20; times += 1) {
      const settled = await Promise.allSettled([
        write(driver, insert()),
        driver.run([{ ...sneaky, values: ['true'] }]),
        write(driver, insert()),
        driver.run([{ ...sneaky, values: ['true'] }]),
      ]);
      const refused = { status: 'rejected', reason: { code: '25006' } };
      expect(settled).toMatchObject([{ status: 'fulfilled' }, refused, { status: 'fulfilled' }, refused]);
    }
    expect(await rows('id = -1')).toEqual([]);
  });

  test('are written though a function of the database makes the session read only', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    await warm(driver);
    const restores = bound('insert into t (id, v) select $1::int, restore()::text');
    for (let times = 0; times < 10; times += 1) {
      const ids = [(last += 1), (last += 1), (last += 1)] as const;
      await Promise.all([
        write(driver, insert(ids[0])),
        write(driver, { ...restores, values: [String(ids[1])] }),
        write(driver, insert(ids[2])),
      ]);
      expect(await rows(`id >= ${ids[0]}`)).toHaveLength(3);
    }
  });
});

describe('one that has to wait for a lock', () => {
  test('does not keep those behind it, and is done once when the lock is free', async () => {
    const driver = driverWith();
    await warm(driver);
    await holding('select from parent where id = 2 for update', async (release) => {
      const held = (last += 1);
      const done: string[] = [];
      const locked = write(driver, insert(held, 2)).then(() => done.push('held'));
      await Promise.all(Array.from({ length: 5 }, () => write(driver, insert()).then(() => done.push('other'))));
      expect(done).toEqual(Array.from({ length: 5 }, () => 'other'));
      await until(async () => (await waiting()) === 1);
      await release();
      await locked;
      expect(await rows(`id = ${held}`)).toHaveLength(1);
    });
  });

  test('is not sent with others for a while', async () => {
    const driver = driverWith();
    await warm(driver);
    await holding('select from parent where id = 2 for update', async (release) => {
      const locked = [1, 2, 3].map(() => write(driver, insert((last += 1), 2)));
      await until(async () => (await waiting()) === 3);
      const first = last + 1;
      await Promise.all([1, 2, 3].map(() => write(driver, insert())));
      expect(new Set((await rows(`id >= ${first}`)).map(({ backend }) => backend)).size).toBe(3);
      await release();
      await Promise.all(locked);
    });
  });

  test('is stopped when its client goes away, and writes nothing', async () => {
    const driver = driverWith();
    await warm(driver);
    await holding('select from parent where id = 2 for update', async () => {
      const client = new AbortController();
      const held = (last += 1);
      const locked = driver.run([insert(held, 2)], { ...oneRow, signal: client.signal });
      await until(async () => (await waiting()) === 1);
      client.abort();
      await expect(locked).rejects.toBeDefined();
      await until(async () => (await waiting()) === 0);
      expect(await rows(`id = ${held}`)).toEqual([]);
    });
  });

  test('waits as long as its user is set to, no longer', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c lock_timeout=300');
    const driver = driverWith({ 'app.datasource.url': url.href });
    await warm(driver);
    await holding('select from parent where id = 2 for update', async () => {
      const since = performance.now();
      await expect(write(driver, insert((last += 1), 2))).rejects.toMatchObject({ code: '55P03' });
      expect(performance.now() - since).toBeGreaterThanOrEqual(300);
    });
  });
});

describe('a connection that was shared', () => {
  const patient = ['0', '5min'] as const;

  test.each(patient)('waits for locks as before in all else that it does: %s', async (patience) => {
    const url = new URL(database.url);
    url.searchParams.set('options', `-c lock_timeout=${patience}`);
    const driver = driverWith({ 'app.datasource.url': url.href, 'app.datasource.pool-size': 1 });
    // At the latest when this machine is not too busy for them to be short.
    const shared = (): Promise<void> =>
      until(async () => {
        await warm(driver);
        const [row] = await write(driver, bound('select patience()'));
        expect(['25ms', patience]).toContain(row?.[0]);
        return row?.[0] === '25ms';
      });
    for (let times = 0; times < 30; times += 1) await write(driver, bound('select patience()'));
    const asks = bound('select patience() as alone');
    await shared();
    expect(await driver.run([asks], { write: true })).toEqual([[patience]]);
    await shared();
    expect(await driver.run([asks])).toEqual([[patience]]);
    await shared();
    expect(await driver.transaction((run) => run([asks]))).toEqual([[patience]]);
    await shared();
    const calls = bound(`call patience_of_procedure('')`);
    expect(await driver.run([calls], { write: true, procedure: true })).toEqual([[patience]]);
    await shared();
    for (let times = 0; times < 30; times += 1) expect(await driver.run([asks])).toEqual([[patience]]);
  });

  test('and is ended has written what it has answered, and nothing else', async () => {
    const driver = driverWith();
    const text = `insert into t (id, v) select $1::int, case when $2::bool then pg_terminate_backend(pg_backend_pid())::text end returning id`;
    const ends = (whether: boolean): BoundStatement => bound(text, String((last += 1)), String(whether));
    const isEnded = { status: 'rejected', reason: { code: '57P01' } };
    await until(async () => {
      for (let times = 0; times < 30; times += 1) await write(driver, ends(false));
      const first = last + 1;
      const [before, ended, behind] = await Promise.allSettled(
        [false, true, false].map((each) => write(driver, ends(each))),
      );
      const written = (await rows(`id >= ${first}`)).map(({ id }) => id);
      expect(before).toEqual({ status: 'fulfilled', value: [[String(first)]] });
      expect(ended).toMatchObject(isEnded);
      // A machine that is too busy for them to be short runs them side by side.
      if (behind?.status === 'fulfilled') return false;
      // The database says that it has ended the one, and so has not begun the other.
      expect(behind).toMatchObject(isEnded);
      expect(written).toEqual([first]);
      return true;
    });
    expect(await write(driver, insert())).toHaveLength(1);
  });
});

test('whatever comes together, each is done once or not at all, and says which', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 3 });
  const count = bound('select count(*) from t where id = $1::int', '0');
  await warm(driver);
  for (let times = 0; times < 30; times += 1) await driver.run([count]);
  const kind = fc.constantFrom('write', 'write', 'write', 'read', 'fails', 'other', 'transaction', 'hot' as const);
  await onlooker.query('insert into other values (0)');
  await fc.assert(
    fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 40 }), async (kinds) => {
      const before = last;
      const expected = new Set<number>();
      await Promise.all(
        kinds.map(async (each) => {
          const id = (last += 1);
          if (each === 'fails') await expect(write(driver, insert(id, 3))).rejects.toMatchObject({ code: '23503' });
          else if (each === 'read') expect(await driver.run([{ ...count, values: [String(id)] }])).toEqual([['0']]);
          else if (each === 'hot')
            expect(await write(driver, bound('update other set id = id where id = 0 returning id'))).toEqual([['0']]);
          else {
            expected.add(id);
            if (each === 'write') expect(await write(driver, insert(id))).toEqual([[String(id)]]);
            else if (each === 'transaction') await driver.transaction((run) => run([insert(id)]));
            else await driver.run([insert(id)], { write: true });
          }
        }),
      );
      expect(new Set((await rows(`id > ${before}`)).map(({ id }) => id))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
