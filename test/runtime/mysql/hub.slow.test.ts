import type { Client } from 'graphql-ws';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type ConnectionOptions, type RowDataPacket } from 'mysql2/promise';
import { inTurn } from '../../../runtime/src/dialect/feed-turn.js';
import { turnConnection } from '../../../runtime/src/dialect/mysql/changes/turn.js';
import { describeWhere } from '../../support/describe-where.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { buildGenerated } from '../../support/generated-program.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import { startGeneratedServer, type RunningServer } from '../../support/running-server.js';
import type { Transpiled } from '../../support/transpile.js';
import { allTold, openClient, watch, type Watching } from '../changes/support/live.js';
import { until } from '../../support/until.js';

const redisUrl = 'redis://127.0.0.1:6379';

describeOwnMariadb('one process at a time reads the binary log', () => {
  let mariadb: OwnMariadb;
  let options: ConnectionOptions;

  beforeAll(async () => {
    mariadb = await createOwnMariadb(['--log-bin', '--binlog-format=ROW', '--server-id=8']);
    await mariadb.start();
    await loadMysql(mariadb.url, 'create database hub; use hub; create table issues (id int primary key, title text)');
    options = { uri: `${mariadb.url}hub` };
  });

  afterAll(() => mariadb.remove());

  test('the turn is a named lock of a connection: free when that is left, or killed', async () => {
    const [first, second, other] = await Promise.all(
      ['a', 'a', 'b'].map((name) => turnConnection(options, `turn of ${name}`)),
    );
    if (first === undefined || second === undefined || other === undefined) throw new Error('no connections');
    expect(await first.hasTurn()).toBe(true);
    expect(await second.hasTurn()).toBe(false);
    expect(await other.hasTurn()).toBe(true);
    first.leave();
    await until(() => second.hasTurn());
    const third = await turnConnection(options, 'turn of a');
    expect(await third.hasTurn()).toBe(false);
    const [row] = await ask<{ id: number }>("select is_used_lock(sha1('turn of a')) as id");
    const ended = expect(second.lost).rejects.toThrow();
    await ask(`kill ${String(row?.id)}`);
    await ended;
    await until(() => third.hasTurn());
    third.leave();
    other.leave();
  });

  test('a session waits for its turn, and gives it up when it ends or is no longer wanted', async () => {
    const opened: string[] = [];
    const listener = {} as Parameters<ReturnType<typeof inTurn>>[0];
    const feed = (name: string): ReturnType<typeof inTurn> => {
      const open = inTurn(
        () => {
          opened.push(name);
          return Promise.resolve({
            ended: new Promise<never>(() => undefined),
            check: () => Promise.resolve(),
            close: () => opened.push(`${name} closed`),
          });
        },
        () => turnConnection(options, 'turn of feeds'),
      );
      return async (...given) => {
        const session = await open(...given);
        // The session ends when its feed gives up its turn.
        session.ended.catch(() => undefined);
        return session;
      };
    };
    const never = new AbortController();
    const one = await feed('one')(listener, never.signal);
    const impatient = new AbortController();
    const waiting = expect(feed('two')(listener, impatient.signal)).rejects.toThrow();
    const third = feed('three')(listener, never.signal);
    await sleep(700);
    expect(opened).toEqual(['one']);
    impatient.abort();
    await waiting;
    one.close();
    (await third).close();
    expect(opened).toEqual(['one', 'one closed', 'three', 'three closed']);
  });

  describeWhere('redis')('three servers with a hub', () => {
    const subject = `tablewright.test.${randomBytes(4).toString('hex')}`;
    let program: Transpiled;
    let servers: RunningServer[];
    let clients: Client[];
    let watchings: Watching[];

    beforeAll(async () => {
      program = await buildGenerated(`${mariadb.url}hub`);
      const environment = {
        DATABASE_URL: `${mariadb.url}hub`,
        APP_LOG_LEVEL: 'silent',
        APP_CHANGES_SOURCE: 'binlog',
        APP_CHANGES_HUB: 'redis',
        APP_CHANGES_HUB_URL: redisUrl,
        APP_CHANGES_HUB_SUBJECT: subject,
      };
      servers = await Promise.all([1, 2, 3].map(() => startGeneratedServer(program.folder, environment)));
      clients = servers.map((server) => openClient(server));
      watchings = await Promise.all(
        clients.map((client) => watch(client, 'subscription { hubIssuesChanges { operation key data { title } } }')),
      );
    });

    afterAll(async () => {
      for (const client of clients) await client.dispose();
      await Promise.all(servers.map((server) => server.stop()));
      await program.remove();
    });

    /** The connections that read the log. */
    const readers = () =>
      ask<{ id: number }>("select id from information_schema.processlist where command like 'Binlog Dump%'");

    const write = (title: string) => ask(`replace into issues values (1, '${title}')`);

    test('one connection reads for all, and each subscriber is told each change once', async () => {
      await allTold(watchings, 'begun', write);
      expect(await readers()).toHaveLength(1);
      for (const watching of watchings) watching.forget();
      for (let id = 100; id < 150; id += 1) await ask(`insert into issues values (${String(id)}, 'x')`);
      for (const watching of watchings) {
        await watching.until(({ length }) => length >= 50);
        const told = watching.events.map(({ operation, key }) => `${operation} ${String(key?.['id'])}`);
        expect(told).toEqual(Array.from({ length: 50 }, (_, at) => `INSERT ${String(at + 100)}`));
      }
    });

    test('a reader whose turn is taken away: another reads, and everybody is told RESYNC', async () => {
      for (const watching of watchings) watching.forget();
      const [holder] = await ask<{ id: number }>(`select is_used_lock(sha1('${subject}')) as id`);
      await ask(`kill ${String(holder?.id)}`);
      await Promise.all(
        watchings.map((watching) => watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'))),
      );
      await allTold(watchings, 'again', write);
      expect(await readers()).toHaveLength(1);
    });
  });

  async function ask<Row extends object>(sql: string): Promise<readonly Row[]> {
    const connection = await createConnection(options);
    try {
      const [rows] = await connection.query<(Row & RowDataPacket)[]>(sql);
      return Array.isArray(rows) ? rows : [];
    } finally {
      await connection.end();
    }
  }
});
