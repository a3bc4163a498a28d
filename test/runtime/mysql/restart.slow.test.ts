import { setTimeout as sleep } from 'node:timers/promises';
import { createMysqlDriver } from '../../../runtime/src/dialect/mysql/driver/create.js';
import { failureOf } from '../../../runtime/src/dialect/mysql/failures/failure.js';
import { outageOf } from '../../../runtime/src/dialect/mysql/failures/outage.js';
import type { Outage } from '../../../runtime/src/plan/failure.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { ServerError } from '../../../runtime/src/errors.js';
import { loadMysql } from '../../support/mysql.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import { settingsWith } from '../../support/settings.js';
import { until } from '../../support/until.js';

describeOwnMariadb('a MariaDB that goes away', () => {
  let server: OwnMariadb;
  let driver: Driver;

  beforeAll(async () => {
    server = await createOwnMariadb();
    await server.start();
    await loadMysql(
      server.url,
      `create database app; create table app.notes (id int primary key) engine = innodb;
       create user app@'127.0.0.1' identified by 'secret'; grant select, insert on app.* to app@'127.0.0.1';`,
    );
    const url = new URL(server.url);
    Object.assign(url, { username: 'app', password: 'secret', pathname: '/app' });
    driver = createMysqlDriver(url.href, settingsWith({ 'app.datasource.pool-size': 4 }));
  });

  afterAll(async () => {
    await driver.close();
    await server.remove();
  });

  const insert = (id: number): Promise<unknown> =>
    driver.run([{ text: 'insert into app.notes values (?)', values: [String(id)] }], { write: true });

  /**
   * Readiness's reason for an unavailable database: the workers hold all connections, or wait for a
   * new one.
   */
  const reasonOfProbe = (): Promise<Outage | undefined> => driver.ping().then(() => undefined, outageOf);

  const ids = async (): Promise<ReadonlySet<string | null>> =>
    new Set((await driver.run([{ text: 'select id from app.notes', values: [] }])).map(([id]) => id ?? null));

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    '%s under load: what was said to be written is there, the rest is 503',
    async (signal) => {
      const first = signal === 'SIGTERM' ? 0 : 1_000_000;
      const written: number[] = [];
      const refused: unknown[] = [];
      const state = { next: first, stopped: false };
      const work = async (): Promise<void> => {
        while (!state.stopped) {
          const id = (state.next += 1);
          await insert(id).then(
            () => written.push(id),
            async (error: unknown) => {
              refused.push(error);
              await sleep(20);
            },
          );
        }
      };
      const workers = Array.from({ length: 8 }, work);
      await until(() => written.length >= 50);
      await server.stop(signal);
      // The driver discovers one by one that its open connections are lost.
      await until(async () => (await reasonOfProbe()) === 'connection refused');
      for (let probe = 0; probe < 50; probe += 1) expect(await reasonOfProbe()).toBe('connection refused');
      await server.start();
      const before = written.length;
      await until(() => written.length >= before + 50);
      state.stopped = true;
      await Promise.all(workers);
      expect(refused.length).toBeGreaterThan(0);
      for (const error of refused) {
        expect(error instanceof ServerError ? error.status : failureOf(error)?.kind).toBe(
          error instanceof ServerError ? 503 : 'unavailable',
        );
      }
      const there = await ids();
      expect(written.filter((id) => !there.has(String(id)))).toEqual([]);
    },
  );

  test('a server that only reads refuses writes as one that may take them again, and answers reads', async () => {
    await loadMysql(server.url, 'set global read_only = 1');
    try {
      const error: unknown = await insert(9).catch((reason: unknown) => reason);
      expect(failureOf(error)).toMatchObject({ kind: 'readOnly', code: '25006' });
      expect((await ids()).size).toBeGreaterThan(0);
    } finally {
      await loadMysql(server.url, 'set global read_only = 0');
    }
    await insert(9_000_000);
  });
});
