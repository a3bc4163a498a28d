import type { Client } from 'graphql-ws';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live } from './support/live.js';
import { logged } from '../../support/until.js';

/** A table whose changes the database stops reporting while clients are subscribed to it. */
describe.each([
  [
    'wal',
    'alter publication tablewright drop table live.issues',
    'alter publication tablewright add table live.issues',
  ],
  ['notify', 'alter table live.issues disable trigger user', 'alter table live.issues enable trigger user'],
] as const)('with the source %s', (source, takeOut, putBack) => {
  let live: Live;
  let server: ServedServer;
  let client: Client;

  beforeAll(async () => {
    live = await openLive(source);
    server = await live.start();
    client = openClient(server);
  });
  afterAll(async () => {
    await client.dispose();
    expect(await server.stop()).toBe(0);
    await live.stop();
  });

  const changes = async (): Promise<unknown> => {
    const ready = await fetch(`${server.base}/health/ready`);
    return ((await ready.json()) as { readonly changes?: unknown }).changes;
  };

  test('its subscribers receive RESYNC and the reason, and /health/ready names it; others go on', async () => {
    const issues = 'subscription { liveIssuesChanges { operation error data { title } } }';
    const taken = await watch(client, issues);
    const other = await watch(client, 'subscription { liveProjectsChanges { operation data { name } } }');
    expect(await changes()).toEqual({ state: 'live' });
    await live.run(`${takeOut}; notify tablewright`);
    await until(() => Promise.resolve(taken.isOver()));
    expect(taken.events.at(-1)).toMatchObject({
      operation: 'RESYNC',
      error: expect.stringMatching(/live\.issues/) as string,
    });
    expect(JSON.stringify(taken.errors)).toContain('The database does not report changes of live.issues.');
    expect(await changes()).toEqual({ state: 'live', unreported: ['live.issues'] });
    await logged(server, 'The database does not report changes of live.issues');

    await live.run(`insert into live.projects values (${source === 'wal' ? '10' : '11'}, 'goes on')`);
    await other.until((events) => events.some(({ data }) => data?.['name'] === 'goes on'));
    const refused = await watch(client, issues);
    await until(() => Promise.resolve(refused.isOver()));

    await live.run(`${putBack}; notify tablewright`);
    await until(async () => JSON.stringify(await changes()) === '{"state":"live"}');
    const again = await watch(client, issues);
    await live.run(`insert into live.issues (title) values ('back')`);
    await again.until((events) => events.some(({ data }) => data?.['title'] === 'back'));
    again.stop();
    other.stop();
  });
});
