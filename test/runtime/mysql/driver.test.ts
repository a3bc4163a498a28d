import { setTimeout as sleep } from 'node:timers/promises';
import { createMysqlDriver } from '../../../runtime/src/dialect/mysql/driver/create.js';
import { failureOf } from '../../../runtime/src/dialect/mysql/failures/failure.js';
import type { Driver, RunOptions } from '../../../runtime/src/dialect/driver.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { settingsWith } from '../../support/settings.js';
import { until } from '../../support/until.js';

const statement = (text: string, ...values: readonly (string | null)[]) => ({ text, values });

describeMysql('the driver of MariaDB', () => {
  let database: MysqlDatabase;
  const drivers: Driver[] = [];

  beforeAll(async () => {
    database = await createMysqlDatabase('driver');
    await loadMysql(
      database.url,
      'create table counters (id int primary key, n int not null); insert into counters values (1, 0);',
    );
  });

  afterAll(() => database.drop());

  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()));
  });

  const create = (settings: Partial<Settings> = {}): Driver => {
    const driver = createMysqlDriver(database.url, settingsWith({ 'app.datasource.pool-size': 2, ...settings }));
    drivers.push(driver);
    return driver;
  };

  const failure = async (work: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return failureOf(error) ?? error;
  };

  describe('on one connection, counted by the server', () => {
    const sent = statement(
      `select concat_ws(' ', variable_name, variable_value) from information_schema.session_status
        where variable_name in ('COM_BEGIN', 'COM_COMMIT', 'COM_UPDATE', 'QUESTIONS') order by variable_name`,
    );

    /**
     * Counts the statements of each kind, and all sent statements: the statements of one block
     * count as one.
     */
    const counted = async (
      driver: Driver,
      work: () => Promise<unknown>,
      options?: RunOptions,
    ): Promise<Record<string, number>> => {
      const counts = async (): Promise<ReadonlyMap<string, number>> => {
        const rows = await driver.run([sent], options);
        return new Map(rows.map(([row]) => (row ?? '').split(' ')).map(([name = '', count]) => [name, Number(count)]));
      };
      // The first run prepares both the measured statements and the counting statement.
      await work();
      await counts();
      const before = await counts();
      await work();
      const after = await counts();
      return Object.fromEntries([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
    };

    const update = statement('update counters set n = n where id = ?', '1');

    test('a write that is known beforehand is one round trip, and the session reads only again', async () => {
      const driver = create({ 'app.datasource.pool-size': 1 });
      const write = () => driver.run([{ ...update, answers: 'count' }], { write: true });
      expect(await write()).toEqual([['1']]);
      expect(await counted(driver, write)).toEqual({
        COM_BEGIN: 1,
        COM_UPDATE: 1,
        COM_COMMIT: 1,
        // Includes the read of the counters.
        QUESTIONS: 2,
      });
      expect(await failure(driver.run([statement('update counters set n = 5')]))).toMatchObject({ code: '25006' });
      expect(await driver.run([statement('select @@session.tx_read_only, @@session.tx_isolation')])).toEqual([
        ['1', 'READ-COMMITTED'],
      ]);
    });

    test('other writes send their own statements and three around them', async () => {
      const driver = create({ 'app.datasource.pool-size': 1 });
      expect(await counted(driver, () => driver.run([update], { write: true }))).toEqual({
        COM_BEGIN: 1,
        COM_UPDATE: 1,
        COM_COMMIT: 1,
        QUESTIONS: 5,
      });
    });

    test('a read with a verified identity is one round trip', async () => {
      const driver = create({ 'app.datasource.pool-size': 1, 'app.security.jwt-enabled': true });
      const options = { identity: { userId: 'u1' } };
      const read = () => driver.run([statement('select @`request.user_id`')], options);
      expect(await read()).toEqual([['u1']]);
      expect(await counted(driver, read, options)).toMatchObject({ QUESTIONS: 2 });
    });
  });

  test('10,000 users on two connections: each statement sees its own, and all of it', async () => {
    const driver = create({ 'app.security.jwt-enabled': true, 'app.datasource.acquire-timeout-ms': 120_000 });
    const who = statement('select @`request.user_id`, @`request.project_id`, @`request.jwt.claims`');
    let wrong = 0;
    const ask = async (at: number): Promise<void> => {
      const userId = `u${String(at)}`;
      // Every third row has no user, and every third row has no project.
      const identity =
        at % 3 === 0 ? {} : at % 3 === 1 ? { userId } : { userId, projectId: 'p', claims: `{"sub":"${userId}"}` };
      const [row] = await driver.run([who], { identity });
      const expected = [
        'userId' in identity ? userId : null,
        'projectId' in identity ? 'p' : null,
        'claims' in identity ? identity.claims : null,
      ];
      if (JSON.stringify(row) !== JSON.stringify(expected)) wrong += 1;
    };
    for (let done = 0; done < 10_000; done += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, at) => ask(done + at)));
    }
    expect(wrong).toBe(0);
  });

  test('reads cannot write, writes are all or nothing, and a failed statement leaves nothing behind', async () => {
    const driver = create();
    const add = statement('update counters set n = n + ? where id = 1', '1');
    expect(await failure(driver.run([add]))).toMatchObject({ code: '25006' });
    const duplicate = statement('insert into counters values (?, ?)', '1', '0');
    expect(await failure(driver.run([add, duplicate], { write: true }))).toMatchObject({ kind: 'unique' });
    const passedOver = driver.transaction(async (run) => {
      await run([add]);
      await run([duplicate]).catch(() => undefined);
    });
    await expect(passedOver).rejects.toThrow('passed over');
    await driver.run([add], { write: true });
    expect(await driver.run([statement('select n from counters')])).toEqual([['1']]);
  });

  test('a statement after a deadlock that was passed over is not kept, though its transaction is gone', async () => {
    await loadMysql(database.url, 'insert into counters values (11, 0), (12, 0), (13, 0)');
    const driver = create();
    const add = (id: number) => statement(`update counters set n = n + 1 where id = ${String(id)}`);
    let waiting = 0;
    let bothHave: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (bothHave = resolve));
    const cross = (first: number, second: number): Promise<unknown> =>
      driver.transaction(async (run) => {
        await run([add(first)]);
        waiting += 1;
        if (waiting === 2) bothHave();
        await begun;
        const ended: unknown = await run([add(second)]).catch((error: unknown) => failureOf(error)?.code);
        if (ended === '40P01') await run([add(13)]);
      });
    const outcomes = await Promise.allSettled([cross(11, 12), cross(12, 11)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const rows = await driver.run([statement('select n from counters where id > 10 order by id')]);
    expect(rows).toEqual([['1'], ['1'], ['0']]);
  });

  test('what a procedure changes in its session is gone before the next request', async () => {
    await loadMysql(
      database.url,
      "create procedure meddle () begin set session sql_mode = '', time_zone = '+05:00', group_concat_max_len = 8; set @left = 1; end;",
    );
    const driver = create({ 'app.datasource.pool-size': 1 });
    const state = statement("select @@sql_mode like '%NO_BACKSLASH_ESCAPES%', @@time_zone, @@group_concat_max_len");
    const before = await driver.run([state]);
    await driver.run([statement('call meddle()')], { write: true });
    expect(await driver.run([state])).toEqual(before);
  });

  test('a statement that takes too long, and one whose client goes away, end at the database', async () => {
    const driver = create({ 'app.datasource.statement-timeout-ms': 2000 });
    // An interrupted SLEEP returns 1 instead of failing; an interrupted statement over rows fails.
    const slow = statement(
      'select count(*) from information_schema.columns a, information_schema.columns b, information_schema.columns c',
    );
    expect(await failure(driver.run([slow]))).toMatchObject({ kind: 'timeout', code: '57014' });
    const leaving = new AbortController();
    const given = driver.run([slow], { signal: leaving.signal, timeout: 60_000 });
    const ended = failure(given);
    await sleep(200);
    leaving.abort();
    expect(await ended).toMatchObject({ kind: 'timeout' });
    expect(await driver.run([statement('select 1')])).toEqual([['1']]);
  });

  test('a statement is told apart that leaves out its text because it is stopped', async () => {
    const driver = create({ 'app.datasource.statement-timeout-ms': 2000 });
    // BENCHMARK ends without an error when its statement is stopped: the number fails first.
    const stopped = statement("select if(benchmark(100000000000, md5('x')) = 0, ~0 + n + 1, n) from counters");
    const high = statement('select ~0 + n + 1 from counters');
    for (const options of [{}, { identity: { userId: 'ann' } }, { timeout: 3000 }]) {
      expect(await failure(driver.run([stopped], options))).toMatchObject({ kind: 'timeout', code: '57014' });
      expect(await failure(driver.run([high], options))).toMatchObject({ kind: 'limit', code: 'TW011' });
    }
    const unlimited = driver.transaction((run) => run([high]), { timeout: 0 });
    expect(await failure(unlimited)).toMatchObject({ kind: 'limit' });
    const long = driver.transaction((run) => run([stopped]));
    expect(await failure(long)).toMatchObject({ kind: 'timeout' });
  });

  test('connections that the database ends are replaced', async () => {
    const driver = create();
    const [row] = await driver.run([statement('select connection_id()')]);
    await loadMysql(database.url, `kill ${row?.[0] ?? ''}`);
    // The server reports the closed connection at once or on the next statement.
    let answer: unknown;
    for (let attempt = 0; attempt < 20 && answer === undefined; attempt += 1) {
      answer = await driver.run([statement('select 1')]).catch(() => undefined);
    }
    expect(answer).toEqual([['1']]);
  });

  test('requests wait for a connection as long as the setting says', async () => {
    const driver = create({ 'app.datasource.pool-size': 1, 'app.datasource.acquire-timeout-ms': 2000 });
    // A slow machine may need several attempts to open the connection in that time.
    await until(() =>
      driver.ping().then(
        () => true,
        () => false,
      ),
    );
    await driver.transaction(async (run) => {
      await run([statement('select n from counters for update')]);
      await expect(driver.run([statement('select 1')])).rejects.toMatchObject({ status: 503 });
    });
  });

  test('an answer that is longer than the setting says is refused', async () => {
    const driver = create({ 'app.limits.response-bytes': 1000 });
    await expect(driver.run([statement("select repeat('x', 1001)")])).rejects.toMatchObject({ status: 413 });
  });

  test('a database that is not there', async () => {
    const driver = createMysqlDriver('mysql://root@127.0.0.1:1/none', settingsWith({}));
    drivers.push(driver);
    await expect(driver.ping()).rejects.toMatchObject({ status: 503 });
  });
});
