import type { Client } from 'graphql-ws';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { wireTo, type Wire } from '../../support/wire-to.js';
import { openClient, openLive, watch, type Live, type Watching } from './support/live.js';

/** Networks of a whole server that forward nothing, and do not say so. */
describe.each(['wal', 'notify'] as const)('with the source %s', (source) => {
  let live: Live;
  let data: Wire;
  let feed: Wire;
  let server: ServedServer;
  let client: Client;
  let watching: Watching;

  beforeAll(async () => {
    live = await openLive(source);
    data = await wireTo(live.served.roleUrl);
    const changes = new URL(live.served.url);
    if (source === 'wal') [changes.username, changes.password] = ['tablewright_changes', 'changes'];
    feed = await wireTo(changes.href);
    server = await live.start({
      DATABASE_URL: data.url,
      APP_CHANGES_URL: feed.url,
      APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '4000',
      APP_SERVER_SHUTDOWN_GRACE_MS: '3000',
      APP_LOG_LEVEL: 'silent',
    });
    client = openClient(server);
    watching = await watch(client, 'subscription { liveIssuesChanges { operation error data { title } } }');
  });
  afterAll(async () => {
    await client.dispose();
    await data.close();
    await feed.close();
    await live.stop();
  });

  test('a feed that hears nothing is opened again: RESYNC, and then everything', async () => {
    watching.forget();
    feed.silence();
    await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    await live.run(`insert into live.issues (title) values ('heard')`);
    await watching.until((events) => events.some(({ data: row }) => row?.['title'] === 'heard'));
  });

  test('requests are answered 503, and then again by new connections', async () => {
    await server.get('/api/v1/projects');
    data.silence();
    await until(async () => (await server.get('/api/v1/projects')).status === 200);
    const { status } = await server.get('/health/ready');
    expect(status).toBe(200);
  });

  test('a shutdown ends the process', async () => {
    await server.get('/api/v1/projects');
    data.silence('and new');
    feed.silence('and new');
    const lost = server.get('/api/v1/projects').catch(() => undefined);
    const code = await server.stop();
    // 0: the request was answered 503 within the grace period.
    expect([0, 1]).toContain(code);
    await lost;
  });
});
