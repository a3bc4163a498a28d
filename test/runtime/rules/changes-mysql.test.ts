import type { Client } from 'graphql-ws';
import { createConnection, type Connection } from 'mysql2/promise';
import { binlogSql } from '../../../runtime/src/dialect/mysql/changes/sql.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { buildGenerated } from '../../support/generated-program.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import type { RunningServer } from '../../support/running-server.js';
import { startHostedServer } from '../../support/server-host.js';
import type { Transpiled } from '../../support/transpile.js';
import { createKey, sign } from '../auth/support.js';
import { openClient, untilLive, watch } from '../changes/support/live.js';

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
    server = await startHostedServer(program.folder, {
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
  }, 120_000);
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
});
