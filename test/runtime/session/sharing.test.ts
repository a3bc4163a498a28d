import { jest } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { createDriver } from '../../support/create-driver.js';
import type { Driver, Identity } from '../../../runtime/src/dialect/driver.js';
import { runStatement } from '../../../runtime/src/execute/run-statement.js';
import type { BoundStatement, RawRow } from '../../../runtime/src/plan/statement.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { until } from './support/shop.js';

let database: TestDatabase;
const open: Driver[] = [];

beforeAll(async () => {
  database = await createTestDatabase('session_pipeline');
  await loadSql(database.url, `CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a');`);
});

afterAll(async () => {
  await database.drop();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((driver) => driver.close()));
});

/** The observations of a test's drivers. */
let observations: Observation[] = [];
beforeEach(() => {
  observations = [];
});

function driverWith(given: Partial<Settings> = {}): Driver {
  const settings = settingsWith({ 'app.datasource.url': database.url, ...given });
  const driver = createDriver(settings, 0, (observation) => observations.push(observation));
  open.push(driver);
  return driver;
}

const bound = (text: string, ...values: (string | null)[]): BoundStatement => ({ text, values });

/** Returns, after this many seconds, the connection that it ran on, and its argument. */
const slept = (seconds: string, given = ''): BoundStatement =>
  bound('select pg_backend_pid(), $2::text from pg_sleep($1::float8)', seconds, given);
const divided = (by: string): BoundStatement => bound('select pg_backend_pid(), 1 / $1::int', by);
const ofTable = bound('select * from t');

/**
 * Runs each statement often enough, one after the other, for the driver to know it as short, on the
 * connection that the driver chooses next.
 */
async function warm(driver: Driver, ...statements: readonly BoundStatement[]): Promise<void> {
  for (let times = 0; times < 30; times += 1) for (const statement of statements) await driver.run([statement]);
}

const together = (driver: Driver, ...statements: readonly BoundStatement[]): Promise<(readonly RawRow[])[]> =>
  Promise.all(statements.map((statement) => driver.run([statement])));

const first = (rows: readonly RawRow[]): string | null | undefined => rows[0]?.[0];

/** The number of other sessions of the database that run a statement. */
async function active(): Promise<number> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`,
    );
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

describe('short reads that come together', () => {
  test('share a connection, and each gets its own answer', async () => {
    const driver = driverWith();
    await warm(driver, slept('0'));
    // A busy machine may take longer to show them as short.
    await until(async () => {
      const answers = await together(driver, ...['a', 'b', 'c', 'd'].map((each) => slept('0', each)));
      expect(answers.map(([row]) => row?.[1])).toEqual(['a', 'b', 'c', 'd']);
      return new Set(answers.map(first)).size === 1;
    });
    expect(observations).toContainEqual({ kind: 'shared', runs: expect.any(Number) as number });
  });

  test('have a connection each with app.datasource.share-reads=false', async () => {
    const driver = driverWith({ 'app.datasource.share-reads': false });
    await warm(driver, slept('0'));
    for (let times = 0; times < 20; times += 1) {
      const answers = await together(driver, ...['a', 'b', 'c', 'd'].map((each) => slept('0', each)));
      expect(answers.map(([row]) => row?.[1])).toEqual(['a', 'b', 'c', 'd']);
    }
    expect(observations.filter(({ kind }) => kind !== 'waited')).toEqual([]);
  });

  test('use as many connections as there are when they have never been run: nobody knows what they take', async () => {
    const driver = driverWith();
    // Long enough for the third connection to begin before the first is free.
    const answers = await together(driver, ...['a', 'b', 'c'].map((each) => slept('0.5', each)));
    expect(new Set(answers.map(first)).size).toBe(3);
  });

  test('and such as take long have a connection each', async () => {
    const driver = driverWith();
    for (let times = 0; times < 3; times += 1) await driver.run([slept('0.02')]);
    const answers = await together(driver, slept('0.5'), slept('0.5'), slept('0.5'));
    expect(new Set(answers.map(first)).size).toBe(3);
  });

  test('the error of one is not that of others, before it or behind it', async () => {
    const driver = driverWith();
    await warm(driver, divided('1'));
    await until(async () => {
      const [before, failed, behind] = await Promise.allSettled(['1', '0', '1'].map((by) => driver.run([divided(by)])));
      const divides = { status: 'fulfilled', value: [[expect.any(String), '1']] };
      expect([before, behind]).toMatchObject([divides, divides]);
      expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      // A busy machine may not run them as short, and then they run concurrently.
      return JSON.stringify(behind) === JSON.stringify(before);
    });
    expect(await driver.run([divided('1')])).toHaveLength(1);
  });

  test('each is run as the one who asks, and nothing of that is left for the next', async () => {
    const driver = driverWith();
    const text = `select coalesce(current_setting('request.user_id', true), ''), pg_backend_pid()`;
    const asks = (userId: string | undefined): Promise<readonly RawRow[]> => {
      const identity: Identity = userId === undefined ? {} : { userId };
      return runStatement(driver, { text, slots: [] }, undefined, identity);
    };
    for (let times = 0; times < 30; times += 1) await asks('warm');
    await until(async () => {
      const answers = await Promise.all(['ada', undefined, 'bob', undefined].map(asks));
      expect(answers.map(first)).toEqual(['ada', '', 'bob', '']);
      return new Set(answers.map(([row]) => row?.[1])).size === 1;
    });
  });

  test('are read only', async () => {
    const driver = driverWith();
    const text = 'select set_config($1, $2, true), current_setting($3)';
    const reads = bound(text, 'request.user_id', '', 'transaction_read_only');
    await warm(driver, reads);
    for (const rows of await together(driver, reads, reads)) expect(rows[0]?.[1]).toBe('on');
  });
});

test('no more than three of eight connections are shared at a time: the others are for what takes longer', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 8 });
  await warm(driver, slept('0'));
  await until(async () => {
    const answers = await together(driver, ...Array.from({ length: 60 }, (_, at) => slept('0', String(at))));
    expect(answers.map(([row]) => row?.[1])).toEqual(Array.from({ length: 60 }, (_, at) => String(at)));
    return new Set(answers.map(first)).size <= 3;
  });
});

describe('one that takes unexpectedly long', () => {
  test('does not keep those behind it', async () => {
    const driver = driverWith();
    await warm(driver, slept('0'));
    const order: string[] = [];
    const run = async (seconds: string, name: string): Promise<string | null | undefined> => {
      const rows = await driver.run([slept(seconds, name)]);
      order.push(name);
      return first(rows);
    };
    const [slow, ...others] = await Promise.all([run('1', 'slow'), run('0', 'b'), run('0', 'c')]);
    expect(order[2]).toBe('slow');
    expect(others).not.toContain(slow);
    expect(observations).toContainEqual({ kind: 'stalled', milliseconds: expect.any(Number) as number });
    // The driver no longer treats it as short.
    expect(new Set((await together(driver, slept('0'), slept('0'))).map(first)).size).toBe(2);
  });

  test('is stopped when nobody waits for it, and no other read with it', async () => {
    const driver = driverWith();
    await warm(driver, slept('0'));
    const client = new AbortController();
    const slow = driver.run([slept('60')], { signal: client.signal });
    const other = driver.run([slept('0', 'other')]);
    await until(async () => (await active()) === 1);
    client.abort();
    await expect(slow).rejects.toMatchObject({ code: '57014' });
    expect((await other)[0]?.[1]).toBe('other');
    await until(async () => (await active()) === 0);
  });

  test('leaves no connection behind that does what nobody waits for', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 2 });
    await warm(driver, ofTable);
    const locker = new pg.Client(database.url);
    await locker.connect();
    await locker.query('begin; lock table t in access exclusive mode');
    try {
      const clients = Array.from({ length: 6 }, () => new AbortController());
      const reads = clients.map(({ signal }) => driver.run([ofTable], { signal }));
      const settled = Promise.allSettled(reads);
      await until(async () => (await active()) === 2);
      for (const client of clients) client.abort();
      for (const { status } of await settled) expect(status).toBe('rejected');
      await until(async () => (await active()) === 0);
    } finally {
      await locker.end();
    }
    expect(await driver.run([ofTable])).toEqual([['1', 'a']]);
  });
});

describe('a connection', () => {
  test('whose plans went stale parses them anew, and nobody is told', async () => {
    const driver = driverWith();
    await warm(driver, ofTable);
    await loadSql(database.url, 'alter table t add column w int');
    try {
      for (const rows of await together(driver, ofTable, ofTable, ofTable)) expect(rows).toEqual([['1', 'a', null]]);
    } finally {
      await loadSql(database.url, 'alter table t drop column w');
    }
  });

  test('that is lost fails what was to be read over it, and the next read has another', async () => {
    const driver = driverWith();
    const ends = (whether: string): BoundStatement =>
      bound('select case when $1::bool then pg_terminate_backend(pg_backend_pid()) end', whether);
    await until(async () => {
      await warm(driver, ends('false'));
      for (let times = 0; times < 10; times += 1)
        await together(driver, ...Array.from({ length: 3 }, () => ends('false')));
      const settled = await Promise.allSettled(['false', 'true', 'false'].map((each) => driver.run([ends(each)])));
      expect(settled[0]).toEqual({ status: 'fulfilled', value: [[null]] });
      expect(settled[1]?.status).toBe('rejected');
      // A busy machine may not run them as short, and then they run concurrently.
      return settled[2]?.status === 'rejected';
    });
    expect(await driver.run([ends('false')])).toEqual([[null]]);
  });

  test('that has other things to do is waited for, as is one that is not to be had', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1, 'app.datasource.acquire-timeout-ms': 1000 });
    await warm(driver, slept('0'));
    const writing = driver.run([slept('4')], { write: true });
    await expect(together(driver, slept('0'), slept('0'))).rejects.toMatchObject({ status: 503 });
    await writing;
    expect(await together(driver, slept('0', 'a'), slept('0', 'b'))).toHaveLength(2);
  });
});

test('different reads are sent together, too, once the connection has all of them', async () => {
  // With several connections, each may have prepared other reads, and then separate connections are
  // correct.
  const driver = driverWith({ 'app.datasource.pool-size': 1 });
  const reads = Array.from({ length: 4 }, (_, at) => bound(`select ${at}`));
  await until(async () => {
    observations.length = 0;
    expect(await together(driver, ...reads)).toEqual(reads.map((_, at) => [[String(at)]]));
    return observations.some((each) => each.kind === 'shared' && each.runs === reads.length);
  });
});

test('more different reads than a connection keeps are spread over the connections, until none is parsed any more', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 4 });
  const reads = Array.from({ length: 600 }, (_, at) => bound(`select ${at} from t`));
  const askAll = async (): Promise<void> => {
    for (const [at, read] of reads.entries()) expect(await driver.run([read])).toEqual([[String(at)]]);
  };
  await until(async () => {
    await Promise.all(Array.from({ length: 4 }, (_, at) => driver.run([bound(`select ${at} from pg_sleep(0.2)`)])));
    return driver.stats?.()?.open === 4;
  });
  // A connection that has space prepares what others have, so the four are full after four turns.
  for (let turn = 0; turn < 4; turn += 1) await askAll();
  const parsed = jest.spyOn(pg.Connection.prototype as unknown as { parse: () => void }, 'parse');
  try {
    await askAll();
    expect(parsed.mock.calls).toHaveLength(0);
  } finally {
    parsed.mockRestore();
  }
});

test('what a connection has prepared that is long busy is soon prepared on another', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 2 });
  const reads = Array.from({ length: 500 }, (_, at) => bound(`select ${at} from t`));
  for (let at = 0; at < reads.length; at += 2) await together(driver, ...reads.slice(at, at + 2));
  const lately = reads.slice(-40);
  for (let times = 0; times < 10; times += 1) await together(driver, ...lately);
  const order: string[] = [];
  const slow = driver.run([slept('2')]).then(() => order.push('slow'));
  await until(async () => (await active()) === 1);
  await together(driver, ...lately);
  order.push('others');
  await slow;
  expect(order).toEqual(['others', 'slow']);
});

test('answers are never mixed up, whatever fails, takes long or is given up', async () => {
  const driver = driverWith({ 'app.datasource.pool-size': 3 });
  const text = 'select $1::text, 1 / $2::int from pg_sleep($3::float8)';
  await warm(driver, bound(text, '', '1', '0'));
  const kind = fc.oneof(
    { weight: 12, arbitrary: fc.constant('short' as const) },
    { weight: 3, arbitrary: fc.constant('fails' as const) },
    { weight: 1, arbitrary: fc.constant('long' as const) },
    { weight: 1, arbitrary: fc.constant('given up' as const) },
  );
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 40 }), async (kinds) => {
      await Promise.all(
        kinds.map(async (each) => {
          const given = String((number += 1));
          const client = new AbortController();
          const statement = bound(text, given, each === 'fails' ? '0' : '1', each === 'long' ? '0.04' : '0');
          const answer = driver.run([statement], { signal: client.signal });
          if (each === 'given up')
            setImmediate(() => {
              client.abort();
            });
          if (each === 'fails') await expect(answer).rejects.toMatchObject({ code: '22012' });
          else if (each === 'given up')
            await answer.then(
              (rows) => {
                expect(first(rows)).toBe(given);
              },
              () => undefined,
            );
          else expect(await answer).toEqual([[given, '1']]);
        }),
      );
    }),
    { numRuns: 60 },
  );
});
