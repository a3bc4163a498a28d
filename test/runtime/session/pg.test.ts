import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { createDriver } from '../../support/create-driver.js';
import type { Driver, Identity } from '../../../runtime/src/dialect/driver.js';
import { runStatement } from '../../../runtime/src/execute/run-statement.js';
import type { BoundStatement, Statement } from '../../../runtime/src/plan/statement.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

let database: TestDatabase;
const open: Driver[] = [];

beforeAll(async () => {
  database = await createTestDatabase('session_pg');
  await loadSql(
    database.url,
    `CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a');
     CREATE FUNCTION sneaky() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN INSERT INTO t VALUES (99, 'x'); RETURN 1; END $$;`,
  );
});

afterAll(async () => {
  await database.drop();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((driver) => driver.close()));
});

function driverWith(given: Partial<Settings> = {}, url = database.url): Driver {
  const driver = createDriver(settingsWith({ 'app.datasource.url': url, ...given }));
  open.push(driver);
  return driver;
}

const bound = (text: string, ...values: (string | null)[]): BoundStatement => ({ text, values });
const statement = (text: string): Statement => ({ text, slots: [] });
const who = statement(
  `select current_setting('request.user_id', true), current_setting('request.project_id', true), current_setting('request.jwt.claims', true)`,
);
const ada: Identity = { userId: 'ada', projectId: 'p1', claims: '{"sub":"ada"}' };

describe('run', () => {
  test('answers the rows of the last statement as text, undecoded', async () => {
    const driver = driverWith();
    const rows = await driver.run([
      bound('select 1 as ignored'),
      bound(
        `select 1::int8, 1.50::numeric, true, null, '{"a": 1}'::json, now() is not null, $1::text from generate_series(1, 2)`,
        'x',
      ),
    ]);
    expect(rows).toEqual([
      ['1', '1.50', 't', null, '{"a": 1}', 't', 'x'],
      ['1', '1.50', 't', null, '{"a": 1}', 't', 'x'],
    ]);
  });

  test('no rows, after a statement that had some', async () => {
    expect(await driverWith().run([bound('select 1'), bound('select 1 where false')])).toEqual([]);
  });

  test('values are bound, whatever they hold', async () => {
    const value = `'; drop table t; -- " \\ \u{1f600} $1`;
    expect(await driverWith().run([bound('select $1::text', value)])).toEqual([[value]]);
  });

  test('an error undoes what came before it and leaves the connection usable', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    const failed = driver.run([
      bound(`select set_config('request.user_id', 'ada', true)`),
      bound('select 1 / $1::int', '0'),
    ]);
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(await driver.run([bound(`select coalesce(current_setting('request.user_id', true), '')`)])).toEqual([['']]);
    for (let i = 0; i < 50; i++)
      await expect(driver.run([bound('select nonsense')])).rejects.toMatchObject({ code: '42703' });
    expect(await driver.run([bound('select pg_current_xact_id_if_assigned() is null')])).toEqual([['t']]);
  });

  test('is read only, even for a function that would write', async () => {
    await expect(driverWith().run([bound('select sneaky()')])).rejects.toMatchObject({ code: '25006' });
    await expect(
      driverWith({ 'app.datasource.pooler': 'transaction' }).run([bound('select sneaky()')]),
    ).rejects.toMatchObject({
      code: '25006',
    });
  });

  test.each(['none', 'transaction'] as const)('the session writes values our way, with pooler %s', async (pooler) => {
    const driver = driverWith({ 'app.datasource.pooler': pooler });
    const settings = ['TimeZone', 'IntervalStyle', 'jit', 'bytea_output', 'statement_timeout'];
    const [row] = await driver.run([
      bound(`select ${settings.map((name) => `current_setting('${name}')`).join(', ')}`),
    ]);
    expect(row).toEqual(['UTC', 'iso_8601', 'off', 'hex', '30s']);
  });

  test('a timeout of its own', async () => {
    const driver = driverWith();
    await expect(driver.run([bound('select pg_sleep(10)')], { timeout: 50 })).rejects.toMatchObject({ code: '57014' });
    expect(await driver.run([bound('show statement_timeout')])).toEqual([['30s']]);
  });

  test.each(['none', 'transaction'] as const)(
    'reads and writes have timeouts of their own, pooler %s',
    async (pooler) => {
      const driver = driverWith({
        'app.datasource.pooler': pooler,
        'app.datasource.pool-size': 1,
        'app.datasource.statement-timeout-ms': 2000,
        'app.datasource.write-timeout-ms': 7000,
      });
      const shown = [bound('show statement_timeout')];
      expect(await driver.run(shown)).toEqual([['2s']]);
      expect(await driver.run(shown, { write: true })).toEqual([['7s']]);
      expect(await driver.transaction((run) => run(shown))).toEqual([['7s']]);
      expect(await driver.run(shown)).toEqual([['2s']]);
    },
  );
});

describe('prepared statements', () => {
  test('are named, kept by connection, and bounded', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    for (let i = 0; i < 260; i++) await driver.run([bound(`select ${i}`)]);
    const [[count] = []] = await driver.run([bound('select count(*) from pg_prepared_statements')]);
    expect(Number(count)).toBe(250);
    for (let i = 0; i < 3; i++) await driver.run([bound('select 259')]);
    const [[again] = []] = await driver.run([bound('select count(*) from pg_prepared_statements')]);
    expect(Number(again)).toBe(250);
  });

  test('are more where there are many tables', async () => {
    const settings = settingsWith({ 'app.datasource.url': database.url, 'app.datasource.pool-size': 1 });
    const driver = createDriver(settings, 100);
    open.push(driver);
    for (let i = 0; i < 410; i++) await driver.run([bound(`select ${i}`)]);
    expect(await driver.run([bound('select count(*) from pg_prepared_statements')])).toEqual([['400']]);
  });

  test('an error at first use does not leave one behind without a name for it', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    for (let i = 0; i < 20; i++) await driver.run([bound('select $1::int', 'abc')]).catch(() => undefined);
    const [[count] = []] = await driver.run([
      bound(`select count(*) from pg_prepared_statements where statement = 'select $1::int'`),
    ]);
    expect(Number(count)).toBe(1);
  });

  test('that had to make room, and could not because of an error, make room later', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    for (let i = 0; i < 250; i++) await driver.run([bound(`select ${i}`)]);
    await driver.run([bound('select $1::int', '1')]);
    for (let i = 0; i < 20; i++) {
      const batch = [bound('select $1::int', 'abc'), bound(`select 'new ${i}'`)];
      await expect(driver.run(batch)).rejects.toMatchObject({ code: '22P02' });
    }
    await driver.run([bound(`select 'one more'`)]);
    const [[count] = []] = await driver.run([bound('select count(*) from pg_prepared_statements')]);
    expect(Number(count)).toBeLessThanOrEqual(250);
  });

  test('are prepared again when the server lost them', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    await driver.run([bound('select 42')]);
    await driver.run([bound('deallocate all')]);
    expect(await driver.run([bound('select 42')])).toEqual([['42']]);
  });

  test('are prepared again when the table changed under them', async () => {
    await loadSql(database.url, 'CREATE TABLE changing (a int); INSERT INTO changing VALUES (1)');
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    await driver.run([bound('select * from changing')]);
    await loadSql(database.url, `ALTER TABLE changing ADD b text DEFAULT 'new'`);
    expect(await driver.run([bound('select * from changing')])).toEqual([['1', 'new']]);
  });

  test('are not used behind a pooler', async () => {
    const driver = driverWith({ 'app.datasource.pooler': 'transaction', 'app.datasource.pool-size': 1 });
    await driver.run([bound('select 1')]);
    expect(await driver.run([bound('select count(*) from pg_prepared_statements')])).toEqual([['0']]);
  });
});

describe('identity', () => {
  const jwt = { 'app.security.jwt-enabled': true, 'app.datasource.pool-size': 1 } as const;

  test('claims are set for the read and gone after it', async () => {
    const driver = driverWith(jwt);
    expect(await runStatement(driver, who, {}, ada)).toEqual([['ada', 'p1', '{"sub":"ada"}']]);
    expect(await runStatement(driver, who, {}, { userId: 'bob' })).toEqual([['bob', '', '']]);
    expect(await runStatement(driver, who, {}, {})).toEqual([['', '', '']]);
  });

  test.each(['none', 'transaction'] as const)(
    'an anonymous request sees the same on a cold and a warm connection, pooler %s',
    async (pooler) => {
      const driver = driverWith({ ...jwt, 'app.datasource.pooler': pooler });
      const cold = await runStatement(driver, who, {}, {});
      await runStatement(driver, who, {}, ada);
      expect(await runStatement(driver, who, {}, {})).toEqual(cold);
      expect(cold).toEqual([['', '', '']]);
    },
  );

  test('with verification off no variable is set', async () => {
    expect(await runStatement(driverWith(), who, {}, {})).toEqual([[null, null, null]]);
  });

  test('nothing leaks when many users share two connections, errors among them', async () => {
    const driver = driverWith({ ...jwt, 'app.datasource.pool-size': 2 });
    const bad = statement('select 1 / 0');
    const results = await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const identity: Identity = i % 3 === 0 ? {} : { userId: `user${i}`, claims: `{"n":${i}}` };
        if (i % 7 === 0) await runStatement(driver, bad, {}, identity).catch(() => undefined);
        const rows = await runStatement(driver, who, {}, identity);
        return rows[0]?.[0] === (identity.userId ?? '') && rows[0][2] === (identity.claims ?? '');
      }),
    );
    expect(results.every(Boolean)).toBe(true);
  });

  test('a role is switched to for the transaction only', async () => {
    await loadSql(
      database.url,
      `DO $$ BEGIN CREATE ROLE session_reader NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    );
    const driver = driverWith(jwt);
    const current = statement('select current_user');
    expect(await runStatement(driver, current, {}, { ...ada, role: 'session_reader' })).toEqual([['session_reader']]);
    expect(await runStatement(driver, current, {}, { role: 'session_reader' })).toEqual([['session_reader']]);
    expect(await runStatement(driver, current, {}, {})).not.toEqual([['session_reader']]);
    await loadSql(database.url, 'DROP ROLE session_reader');
  });
});

describe('transaction', () => {
  test('commits what several runs did', async () => {
    const driver = driverWith();
    const id = await driver.transaction(async (run) => {
      await run([bound(`insert into t values (2, 'b')`)]);
      return (await run([bound('select max(id) from t')]))[0]?.[0];
    });
    expect(id).toBe('2');
    expect(await driver.run([bound('select v from t where id = 2')])).toEqual([['b']]);
  });

  test('rolls back when the work throws, or passes over an error', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    const thrown = driver.transaction(async (run) => {
      await run([bound(`insert into t values (3, 'c')`)]);
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    const passedOver = driver.transaction(async (run) => {
      await run([bound(`insert into t values (3, 'c')`)]);
      await run([bound('select 1 / 0')]).catch(() => undefined);
    });
    await expect(passedOver).rejects.toThrow();
    expect(await driver.run([bound('select count(*) from t where id = 3')])).toEqual([['0']]);
  });

  test.each(['none', 'transaction'] as const)(
    'keeps nothing after its first statement failed and was passed over (pooler: %s)',
    async (pooler) => {
      const driver = driverWith({ 'app.datasource.pool-size': 1, 'app.datasource.pooler': pooler });
      const insert = `insert into t values (4, 'd') returning id`;
      const work = driver.transaction(async (run) => {
        await run([bound('select 1 / 0')]).catch(() => undefined);
        await run([bound(insert)]);
      });
      await expect(work).rejects.toThrow('passed over');
      const custom = driver.transaction(async (_run, session) => {
        await session.query({ text: 'select 1 / 0', values: [] }).catch(() => undefined);
        await session.query({ text: insert, values: [] });
      });
      await expect(custom).rejects.toThrow('passed over');
      expect(await driver.run([bound('select count(*) from t where id = 4')])).toEqual([['0']]);
    },
  );
});

describe('the pool', () => {
  test('a probe is answered at once while every connection is taken', async () => {
    const driver = driverWith({
      'app.datasource.pool-size': 1,
      'app.datasource.acquire-timeout-ms': 3000,
      'app.datasource.statement-timeout-ms': 0,
    });
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    const lock = 'select pg_advisory_xact_lock(1)';
    await holder.query(`begin; ${lock}`);
    const slow = driver.run([bound(lock)]);
    await until(async () => (await sleeping(lock)) === 1);
    await driver.ping();
    let refusal: unknown;
    await until(async () => {
      refusal = await driver.ping().catch((error: unknown) => error);
      return refusal !== undefined;
    });
    expect(refusal).toMatchObject({ status: 503, code: 'TW013' });
    expect(await sleeping(lock)).toBe(1);
    await holder.end();
    await slow;
    await driver.ping();
  });

  test('no free connection in time is 503 with Retry-After', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1, 'app.datasource.acquire-timeout-ms': 2000 });
    // A slow machine may need several attempts to open the connection in that time.
    await until(() =>
      driver.ping().then(
        () => true,
        () => false,
      ),
    );
    await driver.transaction(async (run) => {
      await run([bound('select 1')]);
      await expect(driver.run([bound('select 2')])).rejects.toMatchObject({
        status: 503,
        code: 'TW013',
        message: 'The server is busy: no connection to the database is free.',
        headers: { 'retry-after': '1' },
      });
    });
    expect(await driver.run([bound('select 3')])).toEqual([['3']]);
  });

  test('a queue that is full refuses at once', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    await driver.ping();
    const all = await Promise.allSettled(
      Array.from({ length: 150 }, () => driver.run([bound('select pg_sleep(0.001)')])),
    );
    const refused = all.filter((each) => each.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'TW013' });
  });

  test('a database that is not there, or refuses us, is 503', async () => {
    const nowhere = driverWith({}, 'postgres://postgres@127.0.0.1:1/none');
    await expect(nowhere.ping()).rejects.toMatchObject({ status: 503, code: 'TW013' });
    const unknown = new URL(database.url);
    unknown.pathname = '/does_not_exist';
    await expect(driverWith({}, unknown.href).ping()).rejects.toMatchObject({ status: 503, code: 'TW013' });
  });

  test('a connection that is killed fails its request and is replaced', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    const [[pid] = []] = await driver.run([bound('select pg_backend_pid()')]);
    const slow = driver.run([bound('select pg_sleep(10)')]);
    const outcome = slow.catch((error: unknown) => error);
    await until(async () => {
      await loadSql(
        database.url,
        `select pg_terminate_backend(${pid ?? 0}) from pg_stat_activity where pid = ${pid ?? 0} and state = 'active'`,
      );
      return (await Promise.race([outcome, Promise.resolve(undefined)])) !== undefined;
    });
    expect(await outcome).toMatchObject({ code: expect.stringMatching(/^(57P01|TW013)$/) as string });
    expect(await driver.run([bound('select 1')])).toEqual([['1']]);
  });

  test('username and password of the settings are used', async () => {
    await loadSql(
      database.url,
      `DO $$ BEGIN CREATE ROLE session_login LOGIN PASSWORD 'secret word'; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    );
    const address = new URL(database.url);
    address.password = '';
    const driver = driverWith(
      { 'app.datasource.username': 'session_login', 'app.datasource.password': 'secret word' },
      address.href,
    );
    expect(await driver.run([bound('select current_user')])).toEqual([['session_login']]);
    await driver.close();
    open.length = 0;
    await loadSql(database.url, 'DROP ROLE session_login');
  });
});

describe('a request that is given up', () => {
  test('is stopped at the database, and the next one on the connection is not', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController();
      const slow = driver.run([bound('select pg_sleep(30)')], { signal: controller.signal });
      await until(async () => (await sleeping()) === 1);
      controller.abort();
      await expect(slow).rejects.toMatchObject({ code: '57014' });
      expect(await driver.run([bound('select pg_sleep(0.01), 7')])).toEqual([['', '7']]);
    }
    expect(await sleeping()).toBe(0);
  });

  test('in a transaction is undone, whenever it is given up, and its connection serves the next', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    const [[pid] = []] = await driver.run([bound('select pg_backend_pid()')]);
    for (let i = 0; i < 200; i++) {
      const controller = new AbortController();
      const work = driver.transaction(
        async (run) => {
          await run([bound(`insert into t values (4, 'd')`)]);
          for (let n = 0; n < 10; n++) await run([bound('select pg_sleep(0.001)')]);
        },
        { signal: controller.signal },
      );
      setTimeout(
        () => {
          controller.abort();
        },
        (i % 20) / 4,
      );
      await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^(57014|TW013)$/) as string });
      expect(await driver.run([bound('select count(*), pg_backend_pid() from t where id = 4')])).toEqual([['0', pid]]);
    }
  });

  test('between two statements of a transaction runs no other', async () => {
    const driver = driverWith({ 'app.datasource.pool-size': 1 });
    const controller = new AbortController();
    const work = driver.transaction(
      async (run) => {
        await run([bound(`insert into t values (5, 'e')`)]);
        controller.abort();
        await run([bound('select pg_sleep(30)')]);
      },
      { signal: controller.signal },
    );
    await expect(work).rejects.toMatchObject({ status: 503, message: 'The request was aborted.' });
    expect(await driver.run([bound('select count(*) from t where id = 5')])).toEqual([['0']]);
  });

  test('before it begins it runs nothing', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(driverWith().run([bound('select 1')], { signal: controller.signal })).rejects.toMatchObject({
      status: 503,
    });
  });
});

describe('round trips', () => {
  let proxy: Server;
  let syncs = 0;

  /** Counts the client's round trips: each Sync (`S`) and each simple query (`Q`) is one. */
  beforeAll(async () => {
    const target = new URL(database.url);
    proxy = createServer((client: Socket) => {
      const server = connect(Number(target.port || 5432), target.hostname);
      let pending = Buffer.alloc(0);
      let greeted = false;
      client.on('data', (chunk: Buffer) => {
        server.write(chunk);
        pending = Buffer.concat([pending, chunk]);
        for (;;) {
          const header = greeted ? 1 : 0;
          if (pending.length < header + 4) return;
          const length = pending.readUInt32BE(header) + header;
          if (pending.length < length) return;
          const kind = greeted ? String.fromCharCode(pending[0] ?? 0) : '';
          if (kind === 'S' || kind === 'Q') syncs += 1;
          greeted = true;
          pending = pending.subarray(length);
        }
      });
      server.on('data', (chunk) => client.write(chunk));
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('close', () => other.destroy());
        one.on('error', () => other.destroy());
      }
    });
    await new Promise<void>((resolve) =>
      proxy.listen(0, '127.0.0.1', () => {
        resolve();
      }),
    );
  });

  afterAll(() => {
    proxy.close();
  });

  function proxied(settings: Partial<Settings> = {}): Driver {
    const url = new URL(database.url);
    url.hostname = '127.0.0.1';
    url.port = String((proxy.address() as AddressInfo).port);
    return driverWith({ 'app.datasource.pool-size': 1, 'app.security.jwt-enabled': true, ...settings }, url.href);
  }

  test.each(['none', 'transaction'] as const)(
    'a read with claims is one, a connection costs none, pooler %s',
    async (pooler) => {
      const driver = proxied({ 'app.datasource.pooler': pooler });
      syncs = 0;
      await runStatement(driver, who, {}, { ...ada, role: 'pg_read_all_data' });
      expect(syncs).toBe(1);
      await runStatement(driver, who, {}, {});
      expect(syncs).toBe(2);
    },
  );

  test('a transaction begins along with its first run', async () => {
    const driver = proxied();
    syncs = 0;
    await driver.transaction(async (run) => {
      await run([bound('select 1')]);
      await run([bound('select 2')]);
    });
    expect(syncs).toBe(3);
  });
});

async function sleeping(query = 'select pg_sleep(30)'): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and query = $1`,
      [query],
    );
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}
