import type pg from 'pg';
import { createDriver } from '../../support/create-driver.js';
import type { Driver, Identity } from '../../../runtime/src/dialect/driver.js';
import { runStatement } from '../../../runtime/src/execute/run-statement.js';
import type { BoundStatement, Statement } from '../../../runtime/src/plan/statement.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, openPool, type TestDatabase } from '../../support/postgres.js';
import { wireTo, type Wire } from '../../support/wire-to.js';
import { until } from '../../support/until.js';

/** Number of connections of each driver. */
const size = 4;
/** Number of faults with each pooler setting. */
const most = 5_000;

let database: TestDatabase;
let wire: Wire;
let admin: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase('session_faults');
  await loadSql(
    database.url,
    `create table t (id bigint generated always as identity primary key, owner text not null, tag text);
     create table parents (id int primary key);
     create table children (parent int references parents deferrable initially deferred);`,
  );
  wire = await wireTo(database.url);
  admin = openPool({ connectionString: database.url, max: 2, application_name: 'admin' });
});
afterAll(async () => {
  await admin.end();
  await wire.close();
  await database.drop();
});

const bound = (text: string, ...values: (string | null)[]): BoundStatement => ({ text, values });
const statement = (text: string, ...values: (string | null)[]): Statement => ({
  text,
  slots: values.map((value) => ({ bind: () => value })),
});

/**
 * Random numbers below a bound, always the same for a seed, so that a failing run can be repeated.
 * Source: mulberry32.
 */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Scene {
  readonly driver: Driver;
  readonly identity: Identity;
  /** Unique to the fault. It marks the fault's rows, and none of them may remain. */
  readonly tag: string;
  readonly below: (bound: number) => number;
}

type Fault = (scene: Scene) => Promise<unknown>;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const claims: BoundStatement = bound(`select set_config('request.user_id', 'thief', true)`);
const insert = (tag: string): BoundStatement => bound(`insert into t (owner, tag) values ('x', $1)`, tag);

/** Runs work that is aborted 0 to 5 milliseconds after its begin. */
async function givenUp(below: Scene['below'], work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const controller = new AbortController();
  const running = work(controller.signal);
  const timer = setTimeout(
    () => {
      controller.abort();
    },
    below(20) / 4,
  );
  return running.finally(() => {
    clearTimeout(timer);
  });
}

/** The faults, with the weight of each in percent. */
const kinds: readonly (readonly [string, number, Fault])[] = [
  [
    'an error while a statement runs',
    15,
    ({ driver, identity }) => runStatement(driver, statement('select 1 / $1::int', '0'), {}, identity),
  ],
  [
    'a value that cannot be bound',
    15,
    ({ driver, identity }) => runStatement(driver, statement('select $1::int', 'abc'), {}, identity),
  ],
  [
    'a statement that cannot be parsed',
    5,
    ({ driver, identity, below }) => runStatement(driver, statement(`select nonsense_${below(1000)}`), {}, identity),
  ],
  [
    'a setting that is refused',
    5,
    ({ driver, identity }) => runStatement(driver, statement('select 1'), {}, { ...identity, role: 'no_such_role' }),
  ],
  [
    'a value that we cannot make',
    5,
    ({ driver, identity }) =>
      runStatement(
        driver,
        {
          text: 'select $1',
          slots: [
            {
              bind: () => {
                throw new TypeError('no');
              },
            },
          ],
        },
        {},
        identity,
      ),
  ],
  [
    'a statement that takes too long',
    8,
    ({ driver }) => driver.run([claims, bound('select pg_sleep(5)')], { timeout: 3 }),
  ],
  [
    'a write that is refused',
    8,
    ({ driver, tag }) => driver.run([insert(tag), bound('select 1 / 0')], { write: true }),
  ],
  [
    'a read that writes',
    4,
    ({ driver, tag, identity }) =>
      runStatement(driver, statement(`insert into t (owner, tag) values ('x', $1)`, tag), {}, identity),
  ],
  [
    'a commit that is refused',
    5,
    ({ driver, tag }) => driver.run([claims, insert(tag), bound('insert into children values (1)')], { write: true }),
  ],
  [
    'a transaction that fails in its middle',
    8,
    ({ driver, tag }) =>
      driver.transaction(async (run) => {
        await run([claims, insert(tag)]);
        await run([bound('select 1 / 0')]);
      }),
  ],
  [
    'a transaction whose work throws',
    6,
    ({ driver, tag }) =>
      driver.transaction(async (run) => {
        await run([claims, insert(tag)]);
        throw new Error('no');
      }),
  ],
  [
    'a request that is given up',
    7,
    ({ driver, below, tag }) =>
      givenUp(below, (signal) =>
        driver.run([claims, insert(tag), bound('select pg_sleep(1)')], { signal, write: true }),
      ),
  ],
  [
    'a transaction that is given up',
    5,
    ({ driver, below, tag }) =>
      givenUp(below, (signal) =>
        driver.transaction(
          async (run) => {
            await run([claims, insert(tag)]);
            for (let n = 0; n < 50; n += 1) await run([bound('select pg_sleep(0.001)')]);
          },
          { signal },
        ),
      ),
  ],
  [
    'a backend that is terminated',
    2,
    ({ driver, tag, below }) =>
      driver.transaction(async (run) => {
        const [[pid] = []] = await run([claims, insert(tag), bound('select pg_backend_pid()')]);
        const work = run([bound('select pg_sleep(1)')]);
        // The work may fail before the `await` below, which handles the error.
        work.catch(() => undefined);
        await pause(below(3));
        await admin.query('select pg_terminate_backend($1)', [pid]);
        await work;
      }),
  ],
  [
    'a connection that is cut',
    2,
    ({ driver, tag, below }) =>
      driver.transaction(async (run) => {
        await run([claims, insert(tag)]);
        const work = run([bound(`select pg_sleep(1) /* ${tag}. */`)]);
        work.catch(() => undefined);
        await pause(below(3));
        while (!wire.cut(`/* ${tag}. */`)) await pause(1);
        await work;
      }),
  ],
];

const deck: readonly (readonly [string, Fault])[] = kinds.flatMap(([name, weight, fault]) =>
  Array.from({ length: weight }, () => [name, fault] as const),
);

const who: Statement = statement(
  `select coalesce(current_setting('request.user_id', true), ''), current_user = session_user,
     current_setting('transaction_read_only'), current_setting('statement_timeout')`,
);

/**
 * The expected state of every connection. The sleep makes the connections run it concurrently, so
 * that each of them is checked.
 */
const state = statement(
  `select pg_backend_pid(), current_setting('request.user_id', true), current_setting('request.jwt.claims', true),
     current_setting('role'), current_setting('statement_timeout'), current_setting('transaction_read_only'),
     pg_current_xact_id_if_assigned() is null, pg_sleep(0.2)`,
);

test.each(['none', 'transaction'] as const)(
  'ten thousand faults leave no transaction, no setting and no broken connection, pooler %s',
  async (pooler) => {
    const settings = {
      'app.datasource.pool-size': size,
      'app.security.jwt-enabled': true,
      'app.datasource.pooler': pooler,
    } as const;
    const direct = createDriver(settingsWith({ ...settings, 'app.datasource.url': database.url }));
    const wired = createDriver(settingsWith({ ...settings, 'app.datasource.url': wire.url }));
    const below = random(pooler === 'none' ? 1 : 2);
    const seen = new Map<string, number>();
    let begun = 0;
    let kept = 0;

    /**
     * Makes one fault after the other, and after some of them an honest request, which must find a
     * clean session.
     */
    async function suffer(): Promise<void> {
      while (begun < most) {
        const number = (begun += 1);
        const [name, fault] = deck[below(deck.length)] ?? deck[0] ?? fail('no faults');
        const driver = name.includes('cut') || below(2) === 0 ? wired : direct;
        const identity: Identity = { userId: `user${number}`, claims: `{"n":${number}}` };
        const tag = `${pooler} ${number}`;
        await fault({ driver, identity, tag, below }).then(
          () => fail(`${name} did not fail`),
          () => seen.set(name, (seen.get(name) ?? 0) + 1),
        );
        if (number % 5 === 0) await honest(driver, number % 10 === 0 ? {} : identity);
      }
    }
    async function honest(driver: Driver, identity: Identity): Promise<void> {
      // Another fault may just have cut or terminated this connection: then the request fails with
      // that error.
      const rows = await runStatement(driver, who, {}, identity).catch(onlyLost);
      if (rows !== undefined) expect(rows).toEqual([[identity.userId ?? '', 't', 'on', '30s']]);
      const written = await driver
        .transaction(async (run) => run([bound(`insert into t (owner) values ('honest') returning 1`)]))
        .catch(onlyLost);
      if (written !== undefined) kept += 1;
    }

    const suffering = await Promise.allSettled(Array.from({ length: 2 * size }, suffer));
    expect(suffering.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect([...seen.keys()].sort()).toEqual(kinds.map(([name]) => name).sort());
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(most);

    // A backend notices its cut or closed connection only after its statement has ended. An
    // abandoned transaction would remain open, and this would never come about.
    await until(async () => (await states()).every((each) => each === 'idle'));
    expect(new Set(await states())).toEqual(new Set(['idle']));
    for (const driver of [direct, wired]) {
      // Statements at once need not meet on all connections: one may end before the next begins.
      const connections = new Set<string | null | undefined>();
      await until(async () => {
        const answers = await Promise.all(Array.from({ length: size }, () => runStatement(driver, state, {}, {})));
        for (const [row] of answers) expect(row?.slice(1)).toEqual(['', '', 'none', '30s', 'on', 't', '']);
        for (const [row] of answers) connections.add(row?.[0]);
        return connections.size === size;
      });
    }
    const { rows: found } = await admin.query(`select tag from t where tag is not null`);
    expect(found).toEqual([]);
    const { rows: honestOnes } = await admin.query<{ count: number }>(
      `select count(*)::int from t where owner = 'honest'`,
    );
    expect(honestOnes[0]?.count).toBeGreaterThanOrEqual(kept);
    expect(kept).toBeGreaterThan(0);
    await loadSql(database.url, 'truncate t');
    await Promise.all([direct.close(), wired.close()]);
  },
);

/** The states of the drivers' connections. */
async function states(): Promise<readonly string[]> {
  const { rows } = await admin.query<{ state: string }>(
    `select state from pg_stat_activity where datname = current_database() and application_name = 'tablewright'`,
  );
  return rows.map(({ state: each }) => each);
}

function onlyLost(error: unknown): undefined {
  expect(error).toMatchObject({ code: expect.stringMatching(/^(TW013|57P01)$/) as string });
  return undefined;
}

function fail(message: string): never {
  throw new Error(message);
}
