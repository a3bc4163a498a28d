import fc from 'fast-check';
import pg from 'pg';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import type { BoundStatement, RawRow } from '../../../runtime/src/plan/statement.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { until } from './support/shop.js';

let database: TestDatabase;
let onlooker: pg.Client;
const open: Driver[] = [];

beforeAll(async () => {
  database = await createTestDatabase('session_writes');
  await loadSql(
    database.url,
    `CREATE TABLE parent (id int PRIMARY KEY);
     CREATE TABLE t (id int PRIMARY KEY, parent int REFERENCES parent, v text, backend int DEFAULT pg_backend_pid(), transaction xid8 DEFAULT pg_current_xact_id());
     CREATE TABLE later (id int PRIMARY KEY, parent int REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
     CREATE TABLE other (id int PRIMARY KEY);
     CREATE FUNCTION sneaky() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN INSERT INTO t VALUES (-1); RETURN 1; END $$;
     CREATE FUNCTION lose() RETURNS text LANGUAGE plpgsql VOLATILE AS $$ BEGIN DEALLOCATE ALL; RETURN 'lost'; END $$;
     CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (-2); COMMIT; INSERT INTO t VALUES (-3); END $$;`,
  );
  onlooker = new pg.Client(database.url);
  await onlooker.connect();
});

afterAll(async () => {
  await onlooker.end();
  await database.drop();
});

beforeEach(async () => {
  await onlooker.query('TRUNCATE t, parent, later, other; INSERT INTO parent VALUES (1), (2)');
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

/** Ids that no other insert of a test uses. */
let last = 0;
const insertText = 'insert into t (id, parent) values ($1::int, $2::int) returning id';
const insert = (id = (last += 1), parent = 1): BoundStatement => bound(insertText, String(id), String(parent));
const write = (driver: Driver, statement: BoundStatement): Promise<readonly RawRow[]> =>
  driver.run([statement], { write: true });

/** Inserts often enough, one after the other, for the driver to have complete timings. */
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

/** Holds a lock during the work. */
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

describe('writes that come together', () => {
  test('have a connection and a transaction each', async () => {
    const driver = driverWith();
    await warm(driver);
    // Opens as many connections as there are writes: a write that waited for a new connection could
    // get one that another write has just released.
    await Promise.all(Array.from({ length: 4 }, () => driver.run([{ text: 'select pg_sleep(0.5)', values: [] }])));
    const first = last + 1;
    const answers = await Promise.all(Array.from({ length: 4 }, () => write(driver, insert())));
    const ids = answers.map(([row]) => Number(row?.[0])).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 4 }, (_, at) => first + at));
    const written = await rows(`id >= ${first}`);
    expect(new Set(written.map(({ transaction }) => transaction)).size).toBe(4);
    expect(new Set(written.map(({ backend }) => backend)).size).toBe(4);
  });

  test('the error of one is not that of others, and its connection serves the next', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 2 });
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
    await warm(driver);
  });

  test('one that fails as it commits is not written, and its connection serves the next', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    const later = (parent: string) => bound('insert into later values ($1::int, $1::int) returning id', parent);
    const pid = await driver.run([bound('select pg_backend_pid()')]);
    for (let times = 0; times < 3; times += 1)
      await expect(write(driver, later('3'))).rejects.toMatchObject({ code: '23503' });
    expect(await write(driver, later('1'))).toEqual([['1']]);
    expect(await driver.run([bound('select pg_backend_pid() from later')])).toEqual(pid);
  });
});

describe('what code of the database leaves in the session is gone, and the connection serves the next', () => {
  const leaves = "select 'left', pg_advisory_lock(7), set_config('lock_timeout', '7s', false)";
  const loses = 'select lose()';
  const fails = 'insert into later values (9, 9)';
  const cases = [[leaves], [leaves, loses], [leaves, fails], [leaves, loses, fails], [loses], [loses, fails]];
  const ways: Readonly<Record<string, (driver: Driver, statements: readonly BoundStatement[]) => Promise<unknown>>> = {
    'written at once': (driver, statements) => driver.run(statements, { write: true }),
    'written in turn': (driver, statements) =>
      driver.transaction(async (run) => {
        for (const each of statements) await run([each]);
      }),
    'rolled back': (driver, statements) =>
      driver.transaction(async (run) => {
        await run(statements);
        throw Object.assign(new Error('never mind'), { code: 'never mind' });
      }),
  };
  test.each(Object.keys(ways).flatMap((way) => cases.map((texts) => [way, texts] as const)))(
    '%s: %j',
    async (way, texts) => {
      const driver = driverWith({ 'app.datasource.pool-size': 1 });
      await warm(driver);
      const session = () =>
        driver.run([
          bound(
            "select pg_backend_pid(), current_setting('lock_timeout'), (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())",
          ),
        ]);
      const before = await session();
      const written = ways[way]?.(
        driver,
        texts.map((text) => bound(text)),
      );
      const code = way === 'rolled back' ? 'never mind' : texts.includes(fails) ? '23503' : undefined;
      if (code === undefined) await written;
      else await expect(written).rejects.toMatchObject({ code });
      expect(await session()).toEqual(before);
      expect(before[0]?.slice(1)).toEqual(['0', '0']);
      await warm(driver);
    },
  );
});

describe('one that has to wait for a lock', () => {
  test('does not keep others, and is done once when the lock is free', async () => {
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

  test('is stopped when its client goes away, and writes nothing', async () => {
    const driver = driverWith();
    await warm(driver);
    await holding('select from parent where id = 2 for update', async () => {
      const client = new AbortController();
      const held = (last += 1);
      const locked = driver.run([insert(held, 2)], { write: true, signal: client.signal });
      await until(async () => (await waiting()) === 1);
      client.abort();
      await expect(locked).rejects.toMatchObject({ code: '57014' });
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

test.each(['none', 'transaction'] as const)('what is written leaves reads read only, pooler %s', async (pooler) => {
  const driver = driverWith({ 'app.datasource.pool-size': 1, 'app.datasource.pooler': pooler });
  const mode = [bound(`select current_setting('transaction_read_only')`)];
  for (let times = 0; times < 3; times += 1) {
    await warm(driver);
    expect(await driver.run(mode, { write: true })).toEqual([['off']]);
    await expect(driver.run([bound('select sneaky()')])).rejects.toMatchObject({ code: '25006' });
    expect(await driver.run(mode)).toEqual([['on']]);
    await driver.transaction((run) => run([insert()]));
    await expect(driver.run([bound('select sneaky()')])).rejects.toMatchObject({ code: '25006' });
    await expect(write(driver, insert(1, 7))).rejects.toBeDefined();
    expect(await driver.run(mode)).toEqual([['on']]);
  }
});

test('a procedure cannot commit: nothing of it is kept', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 1 });
  await expect(write(driver, bound('call commits()'))).rejects.toMatchObject({ code: '2D000' });
  expect(await rows()).toEqual([]);
  await warm(driver);
});

test('nothing of it is a warning in the log of the database', async () => {
  const notices: unknown[] = [];
  const emitted = Reflect.get(pg.Connection.prototype, 'emit') as (this: unknown, ...given: unknown[]) => boolean;
  Reflect.set(pg.Connection.prototype, 'emit', function (this: unknown, ...given: unknown[]) {
    if (given[0] === 'notice') notices.push(given[1]);
    return emitted.apply(this, given);
  });
  try {
    const driver = driverWith();
    await warm(driver);
    await driver.run([bound('select 1')]);
    await driver.transaction((run) => run([insert()]));
    await expect(write(driver, insert(1, 7))).rejects.toBeDefined();
  } finally {
    Reflect.set(pg.Connection.prototype, 'emit', emitted);
  }
  expect(notices).toEqual([]);
});

test('a transaction goes on after a function has lost everything that was prepared, and runs nothing twice', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 1 });
  const loses = bound('insert into t (id, v) select $1::int, lose() returning id');
  for (let times = 0; times < 10; times += 1) {
    const ids = [(last += 1), (last += 1), (last += 1)] as const;
    await driver.transaction(async (run) => {
      await run([insert(ids[0])]);
      await run([{ ...loses, values: [String(ids[1])] }]);
      await run([insert(ids[2])]);
    });
    expect(await rows(`id >= ${ids[0]}`)).toHaveLength(3);
    const both = [insert((last += 1)), { ...loses, values: [String((last += 1))] }, insert((last += 1))];
    expect(await driver.run(both, { write: true })).toEqual([[String(last)]]);
    expect(await rows(`id > ${ids[2]}`)).toHaveLength(3);
  }
});

describe('a write whose result has other columns by now', () => {
  const returned = bound('insert into changing (a) values (1) returning *');
  const attempts: readonly (readonly [string, (driver: Driver) => Promise<readonly RawRow[]>])[] = [
    ['alone', (driver) => write(driver, returned)],
    ['in a transaction', (driver) => driver.transaction((run) => run([returned]))],
    ['behind another', (driver) => driver.transaction((run) => run([insert()]).then(() => run([returned])))],
  ];

  test.each(attempts)('is parsed again and done once, %s', async (_name, attempt) => {
    await onlooker.query('drop table if exists changing; create table changing (a int)');
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    for (let times = 0; times < 3; times += 1) expect(await attempt(driver)).toEqual([['1']]);
    await onlooker.query('alter table changing add b int default 7');
    for (let times = 0; times < 3; times += 1) expect(await attempt(driver)).toEqual([['1', '7']]);
    const { rowCount } = await onlooker.query('select from changing');
    expect(rowCount).toBe(6);
  });

  test('an error of the same code from code of the database is no reason to do it twice', async () => {
    await onlooker.query('create sequence if not exists times');
    await loadSql(
      database.url,
      `create or replace function complains(code text) returns int language plpgsql as $$
       begin perform nextval('times'); raise exception 'no' using errcode = code; end $$`,
    );
    const driver = driverWith();
    for (const code of ['0A000', '26000']) {
      const complains = bound('insert into t (id) select complains($1)', code);
      for (const attempt of [() => write(driver, complains), () => driver.transaction((run) => run([complains]))]) {
        await onlooker.query(`alter sequence times restart`);
        await expect(attempt()).rejects.toMatchObject({ code });
        expect((await onlooker.query('select last_value, is_called from times')).rows).toEqual([
          { last_value: '1', is_called: true },
        ]);
      }
    }
  });
});

describe('a connection that is ended', () => {
  const text = `insert into t (id, v) select $1::int, case when $2::bool then pg_terminate_backend(pg_backend_pid())::text end returning id`;
  const ends = (whether: boolean): BoundStatement => bound(text, String((last += 1)), String(whether));
  const known = { status: 503, code: '57P01', message: 'The database ended the connection: nothing was written.' };

  test('while it writes has written nothing, and says so', async () => {
    const driver = driverWith();
    for (let times = 0; times < 10; times += 1) {
      const first = last + 1;
      const [before, ended, behind] = await Promise.allSettled(
        [false, true, false].map((each) => write(driver, ends(each))),
      );
      expect([before?.status, behind?.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(ended).toMatchObject({ status: 'rejected', reason: known });
      expect((await rows(`id >= ${first}`)).map(({ id }) => id)).toEqual([first, first + 2]);
    }
  });

  test('in a transaction has written nothing, and says so', async () => {
    const driver = driverWith();
    const work = driver.transaction(async (run) => {
      await run([insert()]);
      await run([ends(true)]);
    });
    await expect(work).rejects.toMatchObject(known);
    expect(await rows()).toEqual([]);
    expect(await write(driver, insert())).toHaveLength(1);
  });
});

test('whatever comes together, each is done once or not at all, and says which', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 3 });
  const count = bound('select count(*) from t where id = $1::int', '0');
  await warm(driver);
  for (let times = 0; times < 30; times += 1) await driver.run([count]);
  const kind = fc.constantFrom('write', 'write', 'write', 'read', 'fails', 'transaction', 'hot' as const);
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
            else await driver.transaction((run) => run([insert(id)]));
          }
        }),
      );
      expect(new Set((await rows(`id > ${before}`)).map(({ id }) => id))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
