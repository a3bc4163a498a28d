import { readFile } from 'node:fs/promises';
import { createMysqlDriver } from '../../../runtime/src/dialect/mysql/driver/create.js';
import { variantsWhere } from '../../support/describe-where.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { createMysqlDatabase, loadMysql } from '../../support/mysql.js';
import { settingsWith } from '../../support/settings.js';
import { until } from '../../support/until.js';
import { wireTo, type Wire } from '../../support/wire-to.js';

const insert = (id: number): string => `insert into t values (${id})`;
const bound = (text: string) => ({ text, values: [] });

interface Tried {
  readonly create: () => Promise<TestDatabase>;
  readonly load: (url: string, sql: string) => Promise<void>;
  readonly open: (settings: Settings) => Driver;
}

const postgres: Tried = {
  create: () => createTestDatabase('silence'),
  load: loadSql,
  open: (settings) => createDriver(settings),
};
const mariadb: Tried = {
  create: () => createMysqlDatabase('silence'),
  load: loadMysql,
  open: (settings) => createMysqlDriver(settings['app.datasource.url'] ?? '', settings),
};

const tried: readonly (readonly [string, Tried])[] = [
  ['PostgreSQL', postgres],
  ...variantsWhere('mariadb', ['MariaDB', mariadb]),
];

/**
 * The seconds until the system probes each connection to this port; Infinity: never.
 * Source: https://docs.kernel.org/networking/proc_net_tcp.html
 */
async function keepAliveSeconds(port: number): Promise<readonly number[]> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, , remote = '', state, , timer = ''] = line.trim().split(/\s+/);
    if (!remote.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`) || state !== '01') return [];
    const [kind, ticks = ''] = timer.split(':');
    // The timer of kind 2 is that of keep-alive; there are 100 ticks in a second.
    return [kind === '02' ? Number.parseInt(ticks, 16) / 100 : Infinity];
  });
}

describe.each(tried)('a network to %s that forwards nothing', (_name, { create, load, open: createFor }) => {
  let database: TestDatabase;
  let wire: Wire;
  let driver: Driver;

  beforeAll(async () => {
    database = await create();
    await load(database.url, 'create table t (id int primary key)');
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    wire = await wireTo(database.url);
  });
  afterEach(async () => {
    await driver.close(0);
    await wire.close();
  });

  const open = (settings: Partial<Settings> = {}): Driver => {
    driver = createFor(
      settingsWith({
        'app.datasource.url': wire.url,
        'app.datasource.pool-size': 2,
        'app.datasource.statement-timeout-ms': 1000,
        'app.datasource.acquire-timeout-ms': 20_000,
        ...settings,
      }),
    );
    return driver;
  };

  const both = async (run: () => Promise<unknown>): Promise<readonly unknown[]> => {
    const settled = await Promise.allSettled([run(), run()]);
    return settled.map((each) => (each.status === 'rejected' ? each.reason : each.value) as unknown);
  };

  test('reads are answered 503, and their places are taken by new connections', async () => {
    open();
    await both(() => driver.run([bound('select 1')]));
    wire.silence();
    const answers = await both(() => driver.run([bound('select 1')]));
    const unavailable = { status: 503, code: 'TW013', message: 'The database is not available.' };
    // The second one may have got a new connection, as idle ones are given up with the first.
    expect(answers).toContainEqual(expect.objectContaining(unavailable));
    expect(await both(() => driver.run([bound('select 2')]))).toEqual([[['2']], [['2']]]);
    await driver.ping();
  });

  (process.platform === 'linux' ? test : test.skip)(
    'the system probes idle connections from ten seconds on',
    async () => {
      open();
      await both(() => driver.run([bound('select 1')]));
      // A byte that is not confirmed yet has a timer of its own.
      await until(async () => {
        const timers = await keepAliveSeconds(Number(new URL(wire.url).port));
        return timers.length > 0 && timers.every((seconds) => seconds <= 10);
      });
    },
  );

  test('the outcome of a write is unknown', async () => {
    open({ 'app.datasource.pool-size': 1 });
    await driver.run([bound(insert(1))], { write: true });
    // Behind what resets the session after a write.
    await driver.run([bound('select 1')]);
    wire.silence();
    await expect(driver.run([{ ...bound(insert(2)), answers: 'count' }], { write: true })).rejects.toMatchObject({
      status: 503,
      message: 'The connection to the database was lost during a write: the outcome is unknown.',
    });
    await driver.run([bound(insert(3))], { write: true });
    expect(await driver.run([bound('select id from t order by id')])).toEqual([['1'], ['3']]);
  });

  test('a transaction that falls silent while it commits has an unknown outcome, and its place is free', async () => {
    open({ 'app.datasource.pool-size': 1 });
    const work = driver.transaction(async (run) => {
      await run([bound(insert(10))]);
      wire.silence();
    });
    await expect(work).rejects.toMatchObject({
      status: 503,
      message: 'The connection to the database was lost during a write: the outcome is unknown.',
    });
    expect(await driver.run([bound('select id from t where id = 10')])).toEqual([]);
  });

  test('a transaction may be idle between its statements for longer', async () => {
    open({ 'app.datasource.pool-size': 1, 'app.datasource.statement-timeout-ms': 100 });
    await driver.transaction(async (run) => {
      await run([bound(insert(20))]);
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      await run([bound(insert(21))]);
    });
    expect(await driver.run([bound('select id from t where id >= 20 order by id')])).toEqual([['20'], ['21']]);
  });

  test('a close gives statements their time, and then ends their connections', async () => {
    open({ 'app.datasource.statement-timeout-ms': 600_000 });
    await driver.run([bound('select 1')]);
    wire.silence('and new');
    const lost = driver.run([bound('select 1')]).catch((error: unknown) => error);
    await driver.close(100);
    expect(await lost).toMatchObject({ status: 503 });
  });
});
