import { createDriver } from '../../../templates/runtime/session/connect.js';
import type { Driver } from '../../../templates/runtime/session/driver.js';
import { AccessMode } from '../../../templates/runtime/session/drivers/pg/access-mode.js';
import type { BoundStatement } from '../../../templates/runtime/session/statement.js';
import type { Settings } from '../../../templates/runtime/settings.js';
import { settingsWith } from '../../support/intents.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

let database: TestDatabase;
const open: Driver[] = [];

beforeAll(async () => {
  database = await createTestDatabase('access_mode');
  await loadSql(
    database.url,
    `CREATE TABLE t (id int PRIMARY KEY);
     CREATE FUNCTION sneaky() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN INSERT INTO t VALUES (-1); RETURN 1; END $$;
     CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (-2); COMMIT; INSERT INTO t VALUES (-3); END $$;
     CREATE FUNCTION restore() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN SET default_transaction_read_only = on; RETURN 1; END $$;`,
  );
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  await loadSql(database.url, 'TRUNCATE t');
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((driver) => driver.close()));
});

/** On one connection, so that what one request leaves is what the next one finds. */
function oneConnection(given: Partial<Settings> = {}): Driver {
  const settings = { 'app.datasource.url': database.url, 'app.datasource.pool-size': 1, ...given };
  const driver = createDriver(settingsWith(settings));
  open.push(driver);
  return driver;
}

const bound = (text: string, ...values: string[]): BoundStatement => ({ text, values });
const insert = (id: number): BoundStatement => bound('insert into t values ($1::int) returning id', String(id));
const readOnly = [
  bound(`select current_setting('transaction_read_only'), current_setting('default_transaction_read_only')`),
];
const refused = { code: '25006' };

/** Enough of them that the connection's default is turned round. */
async function writeMuch(driver: Driver, from = 0): Promise<void> {
  for (let id = from; id < from + 10; id += 1) await driver.run([insert(id)], { write: true });
}

const defaultInWrite = async (driver: Driver): Promise<unknown> =>
  (await driver.run(readOnly, { write: true }))[0]?.[1];

describe('a connection that only writes', () => {
  test('stops saying so', async () => {
    const driver = oneConnection();
    expect(await driver.run(readOnly, { write: true })).toEqual([['off', 'on']]);
    await writeMuch(driver);
    expect(await driver.run(readOnly, { write: true })).toEqual([['off', 'off']]);
  });

  test('reads in a transaction that is read only, the first time and later', async () => {
    const driver = oneConnection();
    await writeMuch(driver);
    await expect(driver.run([bound('select sneaky()')])).rejects.toMatchObject(refused);
    // It turns the default back itself.
    expect(await driver.run(readOnly)).toEqual([['on', 'on']]);
    await expect(driver.run([bound('select sneaky()')])).rejects.toMatchObject(refused);
    expect(await driver.run([bound('select count(*) from t where id < 0')])).toEqual([['0']]);
  });

  test('reads and writes by turns, and never turns its default round', async () => {
    const driver = oneConnection();
    for (let id = 0; id < 20; id += 1) {
      await driver.run([insert(id)], { write: true });
      expect(await driver.run(readOnly)).toEqual([['on', 'on']]);
    }
  });

  test('finds its default as it was after a write that failed, whichever it was', async () => {
    const driver = oneConnection();
    await writeMuch(driver);
    for (let times = 0; times < 3; times += 1) {
      await expect(driver.run([insert(1)], { write: true })).rejects.toMatchObject({ code: '23505' });
      expect(await defaultInWrite(driver)).toBe('off');
    }
    const other = oneConnection();
    // The one that would turn it round is among them, and fails.
    for (let times = 0; times < 20; times += 1) {
      await expect(other.run([insert(1)], { write: true })).rejects.toMatchObject({ code: '23505' });
    }
    expect(await other.run(readOnly)).toEqual([['on', 'on']]);
    await expect(other.run([bound('select sneaky()')])).rejects.toMatchObject(refused);
  });

  test('finds it as it was after a read that failed', async () => {
    const driver = oneConnection();
    await writeMuch(driver);
    await expect(driver.run([bound('select 1 / 0')])).rejects.toMatchObject({ code: '22012' });
    expect(await defaultInWrite(driver)).toBe('off');
    await expect(driver.run([bound('select sneaky()')])).rejects.toMatchObject(refused);
  });

  test('finds it as it was after a read that was given up', async () => {
    const driver = oneConnection();
    await writeMuch(driver);
    const departure = new AbortController();
    const reading = driver.run([bound('select pg_sleep(10)')], { signal: departure.signal });
    setTimeout(() => {
      departure.abort();
    }, 50);
    await expect(reading).rejects.toMatchObject({ code: '57014' });
    await expect(driver.run([bound('select sneaky()')])).rejects.toMatchObject(refused);
    expect(await defaultInWrite(driver)).toBe('off');
  });

  test('takes part in transactions, kept and undone', async () => {
    const driver = oneConnection();
    await writeMuch(driver);
    await driver.transaction((run) => run([insert(100)]));
    const undone = driver.transaction(async (run) => {
      await run([insert(101)]);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await driver.run([bound('select id from t where id > 99')])).toEqual([['100']]);
    expect(await driver.run(readOnly)).toEqual([['on', 'on']]);
  });

  test('lets a procedure that commits write no further, as on any other connection', async () => {
    for (const driver of [oneConnection(), oneConnection()]) {
      await loadSql(database.url, 'TRUNCATE t');
      if (driver === open[1]) await writeMuch(driver);
      const called = driver.run([bound('call commits()')], { write: true, procedure: true });
      await expect(called).rejects.toMatchObject({ code: expect.stringMatching(/^(25006|2D000)$/) as string });
      expect(await driver.run([bound('select id from t where id = -3')])).toEqual([]);
      expect(await driver.run(readOnly)).toEqual([['on', 'on']]);
    }
  });

  test('hears of it when a function of the database sets the default', async () => {
    const driver = oneConnection();
    await writeMuch(driver);
    await driver.run([bound('select restore()')], { write: true });
    await writeMuch(driver, 20);
    expect(await driver.run([bound('select count(*) from t')])).toEqual([['20']]);
  });

  test('behind a pooler says so every time, and leaves nothing in the session', async () => {
    const driver = oneConnection({ 'app.datasource.pooler': 'transaction' });
    await writeMuch(driver);
    expect(await driver.run(readOnly, { write: true })).toEqual([['off', 'off']]);
    expect(await driver.run(readOnly)).toEqual([['on', 'off']]);
    await expect(driver.run([bound('select sneaky()')])).rejects.toMatchObject(refused);
    expect(
      await driver.run([bound(`select source from pg_settings where name = 'default_transaction_read_only'`)]),
    ).toEqual([['default']]);
  });
});

describe('the mode of a server that does not report it', () => {
  const texts = (mode: AccessMode, access: 'read' | 'write' | 'procedure'): readonly string[] => {
    const opening = mode.opening(access);
    mode.committed(opening);
    return opening.statements.map(({ text }) => text);
  };
  const turned = (): AccessMode => {
    const mode = new AccessMode();
    for (let times = 0; times < 8; times += 1) texts(mode, 'write');
    return mode;
  };

  test('is what was set and committed', () => {
    const mode = turned();
    expect(texts(mode, 'write')).toEqual([]);
    expect(texts(mode, 'read')).toEqual([
      'set local transaction_read_only = on',
      'set default_transaction_read_only = on',
    ]);
    expect(texts(mode, 'read')).toEqual([]);
    expect(texts(mode, 'write')).toEqual(['set local transaction_read_only = off']);
  });

  test('is what it was as long as nothing is committed', () => {
    const mode = turned();
    expect(mode.opening('read').statements).toHaveLength(2);
    expect(mode.opening('read').statements).toHaveLength(2);
    expect(texts(mode, 'write')).toEqual([]);
  });

  test('is unknown after a write was refused: whatever comes next says what it is', () => {
    const mode = turned();
    mode.refused();
    expect(mode.opening('write').statements).toHaveLength(1);
    expect(mode.opening('read').statements).toHaveLength(2);
  });
});
