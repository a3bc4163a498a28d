import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { createConnection, type Connection } from 'mysql2/promise';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { buildGenerated } from '../../support/generated-program.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';
import { wireTo, type Wire } from '../../support/wire-to.js';
import { until } from '../../support/until.js';
import { openClient, untilLive, watch, type Watching } from '../changes/support/live.js';

/** An accepted subscription misses no later commit, also while the binary log is being opened. */
describeOwnMariadb('a feed that connects slowly', () => {
  let mariadb: OwnMariadb;
  let wire: Wire;
  let program: Transpiled;
  let server: RunningServer;
  let client: Client;
  let writer: Connection;
  const written: { readonly id: number; readonly from: number; readonly until: number }[] = [];
  let isWriting = true;

  beforeAll(async () => {
    mariadb = await createOwnMariadb(['--log-bin', '--binlog-format=ROW', '--server-id=7']);
    await mariadb.start();
    await loadMysql(mariadb.url, 'create database live; use live; create table items (id int primary key, n int);');
    const url = `${mariadb.url}live`;
    program = await buildGenerated(url);
    wire = await wireTo(url);
    wire.slow(40);
    server = await startServerHere(program.folder, {
      DATABASE_URL: url,
      APP_LOG_LEVEL: 'info',
      APP_WEBSOCKET_MAX_OPERATIONS: '1000',
      APP_CHANGES_SOURCE: 'binlog',
      APP_CHANGES_URL: wire.url,
    });
    client = openClient(server);
    writer = await createConnection(url);
  });
  afterAll(async () => {
    await client.dispose();
    await writer.end();
    await server.stop();
    await wire.close();
    await program.remove();
    await mariadb.remove();
  });

  async function write(): Promise<void> {
    for (let id = 1; isWriting; id += 1) {
      const from = Date.now();
      await writer.query('insert into items values (?, 1)', [id]);
      written.push({ id, from, until: Date.now() });
      await sleep(5);
    }
  }

  test('each commit after the acceptance is told, or a RESYNC that follows it', async () => {
    const writing = write();
    const watched: { readonly since: number; readonly watching: Watching }[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      // As many as it takes until the feed is open, and some after that.
      for (let count = 0; count < 14; count += 1) {
        await sleep(30);
        const operations = turn % 2 === 0 ? '' : '(operations: [INSERT])';
        const document = `subscription { liveItemsChanges${operations} { operation key timestamp data { n } } }`;
        const watching = await watch(client, document);
        watched.push({ since: Date.now(), watching });
      }
      await untilLive(server);
      wire.redirect(`${mariadb.url}live`);
    }
    await untilLive(server);
    await until(() => written.length > 100);
    isWriting = false;
    await writing;
    const missed = (): readonly unknown[] =>
      watched.flatMap(({ since, watching: { events } }) => {
        const ids = new Set(events.map(({ key }) => key?.['id']));
        const resyncs = events
          .filter(({ operation }) => operation === 'RESYNC')
          .map((event) => Date.parse(event.timestamp ?? ''));
        return written.filter(
          ({ id, from, until }) => from > since && !ids.has(id) && !resyncs.some((moment) => moment >= until),
        );
      });
    await until(() => missed().length === 0);
    expect(watched.length).toBeGreaterThan(50);
    for (const { watching } of watched) watching.stop();
  });

  test('a silent network: RESYNC by new connections, and then everything', async () => {
    const watching = await watch(client, 'subscription { liveItemsChanges { operation key error } }');
    wire.silence();
    await until(() => watching.events.some(({ operation }) => operation === 'RESYNC'));
    await writer.query('insert into items values (1000000, 1)');
    await until(() => watching.events.some(({ key }) => key?.['id'] === 1_000_000));
  });

  test('a silent network keeps no server from its end', async () => {
    wire.silence('and new');
    expect([0, 1]).toContain(await server.stop());
  });
});
