import { walSql } from '../../../runtime/src/dialect/postgres/changes/sql.js';
import { followInSync, startCluster, type Cluster } from '../../support/cluster.js';
import { describeWhere } from '../../support/describe-where.js';
import { loadSql } from '../../support/postgres.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { wireTo, type Wire } from '../../support/wire-to.js';
import { openClient, untilLive, watch } from './support/live.js';

/** The primary crashes, and its standby replaces it at the same address. */
describeWhere('standbys')('a promoted standby', () => {
  let primary: Cluster;
  let standby: Cluster;
  let wire: Wire;
  let served: Served;
  let server: ServedServer;

  beforeAll(async () => {
    primary = await startCluster(['wal_level=logical', 'max_connections=50']);
    served = await openServed({
      name: 'changes',
      schema: 'live',
      sql: `create schema live; create table live.issues (id integer primary key, title text not null);
        ${walSql([{ schema: 'live', name: 'issues', key: ['id'] }])}`,
      database: { url: primary.url, drop: () => Promise.resolve() },
    });
    standby = await followInSync(primary);
    wire = await wireTo(served.roleUrl);
    const reader = new URL(wire.url);
    [reader.username, reader.password] = ['tablewright_changes', ''];
    server = await served.start({
      APP_LOG_LEVEL: 'silent',
      APP_CHANGES_SOURCE: 'wal',
      DATABASE_URL: wire.url,
      APP_CHANGES_URL: reader.href,
    });
    await untilLive(server);
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await wire.close();
    await standby.remove();
    await primary.remove();
    await served.removeProgram();
  });

  const write = (cluster: Cluster, title: string): Promise<void> =>
    loadSql(
      cluster.url,
      `insert into live.issues values (1, '${title}') on conflict (id) do update set title = excluded.title`,
    );

  test('clients stay connected, are told RESYNC, and then everything', async () => {
    const closed: unknown[] = [];
    const client = openClient(server, undefined, { on: { closed: (event: unknown) => closed.push(event) } });
    const watching = await watch(client, 'subscription { liveIssuesChanges { operation data { title } } }');
    await write(primary, 'before');
    await watching.until((events) => events.some(({ data }) => data?.['title'] === 'before'));
    watching.forget();
    await primary.crash();
    await standby.promote();
    await loadSql(standby.url, `alter system set synchronous_standby_names = ''`);
    await loadSql(standby.url, 'select pg_reload_conf()');
    wire.redirect(standby.url);
    await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    await write(standby, 'after');
    await watching.until((events) => events.some(({ data }) => data?.['title'] === 'after'));
    expect([closed, watching.isOver()]).toEqual([[], false]);
    await client.dispose();
  });
});
