import type { Client } from 'graphql-ws';
import { createConnection, type Connection } from 'mysql2/promise';
import { binlogSql } from '../../../runtime/src/dialect/mysql/changes/sql.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { buildGenerated } from '../../support/generated-program.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';
import { createKey, sign } from '../auth/support.js';
import { openClient, untilLive, watch } from '../changes/support/live.js';
import { shown } from '../changes/support/shown.js';

const schema = `
  create database live character set utf8mb4;
  use live;
  create table issues (id int primary key, title varchar(100) not null, votes bigint not null default 0);
  ${binlogSql([{ schema: 'live', name: 'issues', key: ['id'] }])}
  alter user tablewright_changes@'%' identified by 'changes' account unlock;
`;

const rules = { 'live.issues': { read: { title: { eq: { claim: 'userId' } } }, hide: ['votes'] } };

describeOwnMariadb('rules and changes on MariaDB', () => {
  let mariadb: OwnMariadb;
  let program: Transpiled;
  let server: RunningServer;
  let ada: Client;
  let bob: Client;
  let writer: Connection;

  beforeAll(async () => {
    mariadb = await createOwnMariadb(['--log-bin', '--binlog-format=ROW', '--server-id=9']);
    await mariadb.start();
    await loadMysql(mariadb.url, schema);
    const url = `${mariadb.url}live`;
    program = await buildGenerated(url, { 'tablewright.config.json': JSON.stringify({ rules }) });
    const changes = new URL(url);
    Object.assign(changes, { username: 'tablewright_changes', password: 'changes' });
    const key = await createKey('EdDSA');
    server = await startServerHere(program.folder, {
      DATABASE_URL: url,
      APP_LOG_LEVEL: 'warn',
      APP_CHANGES_SOURCE: 'binlog',
      APP_CHANGES_URL: changes.href,
      APP_SECURITY_JWT_ENABLED: 'true',
      APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
    });
    await untilLive(server);
    ada = openClient(server, await sign(key, { sub: 'ada' }));
    bob = openClient(server, await sign(key, { sub: 'bob' }));
    writer = await createConnection({ uri: url });
  });
  afterAll(async () => {
    await ada.dispose();
    await bob.dispose();
    await writer.end();
    await server.stop();
    await program.remove();
    await mariadb.remove();
  });

  test('subscribers get the rows of their rule, and DELETE for rows that leave it', async () => {
    const document = 'subscription { liveIssuesChanges { operation key data { title } } }';
    const hers = await watch(ada, document);
    const his = await watch(bob, document);
    const has =
      (operation: string, id: number) =>
      (events: typeof hers.events): boolean =>
        events.some((event) => event.operation === operation && event.key?.['id'] === id);
    await writer.query("insert into issues (id, title) values (1, 'ada'), (2, 'bob')");
    await hers.until(has('INSERT', 1));
    await his.until(has('INSERT', 2));
    await writer.query("update issues set title = 'bob' where id = 1");
    await hers.until(has('DELETE', 1));
    await his.until(has('UPDATE', 1));
    await writer.query('delete from issues');
    await his.until(has('DELETE', 1));
    await his.until(has('DELETE', 2));
    await writer.query("insert into issues (id, title) values (3, 'ada')");
    await hers.until(has('INSERT', 3));
    expect(hers.events.map(({ operation, key }) => [operation, key?.['id']])).toEqual([
      ['INSERT', 1],
      ['DELETE', 1],
      ['INSERT', 3],
    ]);
    expect(JSON.stringify(his.events)).not.toContain('ada');
  });

  test('an update of a hidden column alone is no event', async () => {
    const document = 'subscription { liveIssuesChanges { operation key data { title } } }';
    const earlier = await watch(ada, document);
    await writer.query("insert into issues (id, title) values (11, 'ada'), (12, 'ada')");
    await earlier.until((events) => events.some(({ key }) => key?.['id'] === 12));
    const hers = await watch(ada, `${document} # of its own`);
    await writer.query('update issues set votes = votes + 1 where id in (11, 12)');
    await writer.query("update issues set votes = votes + 1, title = 'ada' where id = 11");
    await writer.query("set session binlog_row_image = 'MINIMAL'");
    await writer.query('update issues set votes = votes + 1 where id = 11');
    await writer.query("update issues set votes = votes + 1, title = 'ada!' where id = 12");
    await writer.query("set session binlog_row_image = 'FULL'");
    await writer.query("insert into issues (id, title) values (13, 'ada')");
    await hers.until((events) => events.some(({ key }) => key?.['id'] === 13));
    for (const { events } of [earlier, hers])
      expect(events.map(({ operation, key }) => [operation, key?.['id']]).filter(([, id]) => id === 11)).toEqual(
        events === hers.events ? [] : [['INSERT', 11]],
      );
    // It left what she sees, and this subscription has received it before.
    expect(earlier.events.map(({ operation, key }) => [operation, key?.['id']])).toContainEqual(['DELETE', 12]);
  });

  test('with snapshot: true, a row that was there before is reported when it is hidden or deleted', async () => {
    await writer.query('delete from issues');
    await writer.query("insert into issues (id, title) select seq, if(seq % 2 = 0, 'ada', 'bob') from seq_1_to_300");
    const hers = await watch(ada, 'subscription { liveIssuesChanges(snapshot: true) { operation key data { id } } }');
    await hers.until((events) => events.length >= 150);
    expect(shown(hers.events)).toHaveLength(150);
    expect(new Set(hers.events.map(({ operation }) => operation))).toEqual(new Set(['SNAPSHOT']));
    hers.forget();
    await writer.query("update issues set title = 'bob' where id = 2");
    await hers.until((events) => events.length > 0);
    await writer.query('delete from issues where id in (3, 4)');
    await hers.until((events) => events.length > 1);
    expect(hers.events.map(({ operation, key }) => [operation, key?.['id']])).toEqual([
      ['DELETE', 2],
      ['DELETE', 4],
    ]);
    expect(JSON.stringify(hers.events)).not.toContain('bob');
  });
});
