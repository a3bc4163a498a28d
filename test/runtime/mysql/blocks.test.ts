import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { createMysqlDriver } from '../../../runtime/src/dialect/mysql/driver/create.js';
import { failureOf } from '../../../runtime/src/dialect/mysql/failures/failure.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import type { BoundStatement } from '../../../runtime/src/plan/statement.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { createMysqlDatabase, describeMariadb, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { settingsWith } from '../../support/settings.js';
import { until } from '../../support/until.js';

const counting = (text: string, ...values: readonly (string | null)[]): BoundStatement => ({
  text,
  values,
  answers: 'count',
});
const answering = (text: string, ...values: readonly (string | null)[]): BoundStatement => ({
  text,
  values,
  answers: 'rows',
});

describeMariadb('transactions of MariaDB that are sent as one statement', () => {
  let database: MysqlDatabase;
  let other: Connection;
  const drivers: Driver[] = [];

  beforeAll(async () => {
    database = await createMysqlDatabase('blocks');
    await loadMysql(
      database.url,
      `create table notes (id int primary key, body varchar(100) not null, author varchar(20), had_transaction int);
       create table refused (id int primary key);
       create table impatient (id int primary key);`,
    );
    other = await createConnection({ uri: database.url, rowsAsArray: true });
    await other.query(
      `create trigger notes_before before insert on notes for each row begin
         set new.had_transaction = @@in_transaction;
         set session time_zone = '+05:00', group_concat_max_len = 8, max_statement_time = 0;
       end`,
    );
    await other.query(
      "create trigger refused_after after insert on refused for each row signal sqlstate '45000' set message_text = 'Never.'",
    );
    await other.query(
      'create trigger impatient_before before insert on impatient for each row set innodb_lock_wait_timeout = 1',
    );
  });

  afterAll(async () => {
    await other.end();
    await database.drop();
  });

  beforeEach(async () => {
    await other.query('delete from notes');
    await other.query("insert into notes (id, body) values (1, 'first')");
  });

  afterEach(async () => {
    await other.query('rollback');
    await Promise.all(drivers.splice(0).map((driver) => driver.close()));
  });

  const create = (settings: Partial<Settings> = {}): Driver => {
    const driver = createMysqlDriver(database.url, settingsWith({ 'app.datasource.pool-size': 1, ...settings }));
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

  const write = (driver: Driver, ...statements: readonly BoundStatement[]) => driver.run(statements, { write: true });

  const bodies = async (): Promise<unknown> => {
    const [rows] = await other.query('select id, body from notes order by id');
    return rows;
  };

  /** Expects the session in its initial state and without a transaction. */
  const expectClean = async (driver: Driver): Promise<void> => {
    expect(
      await driver.run([
        {
          text: 'select @@in_transaction, @@tx_read_only, @@time_zone, @@group_concat_max_len, round(@@max_statement_time)',
          values: [],
        },
      ]),
    ).toEqual([['0', '1', '+00:00', '1073741824', '30']]);
  };

  const add = (id: number, body: string) =>
    answering('insert into notes (id, body) values (?, ?) returning id, had_transaction', String(id), body);

  test('the rows that it returns; a trigger sees a transaction, and leaves nothing in the session', async () => {
    const driver = create();
    expect(await write(driver, add(2, 'second'))).toEqual([['2', '1']]);
    expect(await bodies()).toEqual([
      [1, 'first'],
      [2, 'second'],
    ]);
    await expectClean(driver);
  });

  test('the numbers of rows that it found, also where they have these values already', async () => {
    const driver = create();
    await other.query("insert into notes (id, body) values (2, 'second')");
    expect(await write(driver, counting("update notes set body = 'first' where id > ?", '0'))).toEqual([['2']]);
    expect(await write(driver, counting('delete from notes where id > ?', '1'))).toEqual([['1']]);
    expect(await write(driver, counting('delete from notes where id > ?', '1'))).toEqual([['0']]);
  });

  test('a statement that fails ends it: nothing of it is kept, and what follows is not run', async () => {
    const driver = create();
    const change = counting("update notes set body = 'changed' where id = 1");
    expect(await failure(write(driver, change, add(1, 'again'), add(3, 'third')))).toMatchObject({
      kind: 'unique',
      code: '23505',
    });
    expect(await bodies()).toEqual([[1, 'first']]);
    await expectClean(driver);
    await write(driver, add(2, 'second'));
    expect(await bodies()).toHaveLength(2);
  });

  test("a trigger's SIGNAL undoes the row", async () => {
    const driver = create();
    const refused = failure(write(driver, answering('insert into refused values (?) returning id', '1')));
    expect(await refused).toMatchObject({ kind: 'raised' });
    const [rows] = await other.query('select * from refused');
    expect(rows).toEqual([]);
    await expectClean(driver);
  });

  test('a row of the answer that cannot be made undoes its write', async () => {
    const driver = create();
    const made = answering("insert into notes (id, body) values (?, 'x') returning ~0 + id", '2');
    expect(await failure(write(driver, made))).toBeDefined();
    expect(await bodies()).toEqual([[1, 'first']]);
    await expectClean(driver);
  });

  test('waiting for a lock ends as it does otherwise, and the transaction with it', async () => {
    const driver = create();
    await other.query('start transaction');
    await other.query('insert into impatient values (1)');
    const waiting = write(
      driver,
      add(2, 'second'),
      answering('insert into impatient values (?), (?) returning id', '2', '1'),
    );
    expect(await failure(waiting)).toMatchObject({ kind: 'locked' });
    await other.query('rollback');
    expect(await bodies()).toEqual([[1, 'first']]);
    await expectClean(driver);
  });

  describe('while a row is locked', () => {
    const locked = counting("update notes set body = 'late' where id = 1");

    beforeEach(async () => {
      await other.query('start transaction');
      await other.query('select * from notes where id = 1 for update');
    });

    test('a time limit stops it, and it is known that nothing was written', async () => {
      const driver = create({ 'app.datasource.statement-timeout-ms': 2000 });
      expect(await failure(write(driver, add(2, 'second'), locked))).toMatchObject({ kind: 'timeout', code: '57014' });
      await other.query('rollback');
      expect(await bodies()).toEqual([[1, 'first']]);
    });

    test('a client that goes away stops it', async () => {
      const driver = create();
      const leaving = new AbortController();
      const given = driver.run([add(2, 'second'), locked], { write: true, signal: leaving.signal });
      const ended = failure(given);
      await until(async () => (await waitingId()) !== undefined);
      leaving.abort();
      expect(await ended).toMatchObject({ kind: 'timeout' });
      await other.query('rollback');
      await sleep(100);
      expect(await bodies()).toEqual([[1, 'first']]);
      await expectClean(driver);
    });

    test('a connection that is killed says nothing of the outcome', async () => {
      const driver = create();
      const ended = failure(write(driver, add(2, 'second'), locked));
      await until(async () => (await waitingId()) !== undefined);
      await other.query(`kill ${String(await waitingId())}`);
      expect(await ended).toMatchObject({
        status: 503,
        message: expect.stringContaining('outcome is unknown') as string,
      });
      await other.query('rollback');
      expect(await bodies()).toEqual([[1, 'first']]);
      await expectClean(driver);
    });

    const waitingId = async (): Promise<unknown> => {
      const [rows] = await other.query(
        "select id from information_schema.processlist where info like '%late%' and id <> connection_id()",
      );
      return (rows as readonly (readonly unknown[])[])[0]?.[0];
    };
  });

  test('stopped behind its commit: the outcome is said to be unknown', async () => {
    const driver = create({ 'app.datasource.statement-timeout-ms': 2000 });
    const slow = answering('select count(*) from seq_1_to_100000 a, seq_1_to_100000 b');
    expect(await failure(write(driver, add(2, 'second'), counting('commit'), slow))).toMatchObject({
      status: 503,
      message: expect.stringContaining('outcome is unknown') as string,
    });
    expect(await bodies()).toHaveLength(2);
  });

  test('users by turns on two connections, some of whose writes fail: each row has its author', async () => {
    const driver = create({ 'app.datasource.pool-size': 2, 'app.security.jwt-enabled': true });
    let wrong = 0;
    const ask = async (at: number): Promise<void> => {
      // Every fourth request has no user, and the row of every fifth request already exists.
      const identity = at % 4 === 0 ? {} : { userId: `u${String(at)}` };
      const id = at % 5 === 0 ? '1' : String(at);
      const text = 'insert into notes (id, body, author) values (?, ?, @`request.user_id`) returning author';
      const rows = await driver.run([answering(text, id, 'x')], { write: true, identity }).catch(() => 'failed');
      const expected = id === '1' ? 'failed' : [[at % 4 === 0 ? null : `u${String(at)}`]];
      const [seen] = await driver.run([{ text: 'select @`request.user_id`', values: [] }], { identity });
      if (JSON.stringify(rows) !== JSON.stringify(expected) || seen?.[0] !== (identity.userId ?? null)) wrong += 1;
    };
    for (let from = 2; from < 2002; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, at) => ask(from + at)));
    expect(wrong).toBe(0);
    const [rows] = await other.query(
      "select count(*) from notes where id > 1 and coalesce(author, '') <> if(id % 4 = 0, '', concat('u', id))",
    );
    expect(rows).toEqual([[0]]);
  });
});
