import type { Client } from 'graphql-ws';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { once, openClient, openLive, watch, type Live } from './support/live.js';

// Subscriptions continue when the API follows a change of its database.

let live: Live;
let server: ServedServer;
let client: Client;

beforeAll(async () => {
  live = await openLive();
  server = await live.start({ APP_LOG_LEVEL: 'warn' });
  client = openClient(server);
});
afterAll(async () => {
  await client.dispose();
  expect(await server.stop()).toBe(0);
  await live.stop();
});

/** Resolves once the API answers this query without errors. */
async function untilAnswered(query: string): Promise<void> {
  await until(() =>
    once(client, query).then(
      ({ errors }) => errors === undefined,
      () => false,
    ),
  );
}

test('a migration under open subscriptions: what still holds goes on after a RESYNC, what does not ends with the reason', async () => {
  const [kept, same, gone] = await Promise.all([
    watch(client, 'subscription { liveIssuesChanges { operation key data { id title } } }'),
    watch(client, 'subscription { liveIssuesChanges { operation key data { id title } } }'),
    watch(client, 'subscription { liveIssuesChanges { operation data { votes } } }'),
  ]);
  await live.run(`alter table live.issues drop column votes, add column priority integer not null default 3;
    create table live.tags (id integer primary key, name text not null);
    grant select on live.tags to public; notify tablewright`);
  await untilAnswered('{ liveIssues { priority } liveTags { id } }');
  await kept.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
  await same.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
  await until(() => Promise.resolve(gone.isOver()));
  expect(JSON.stringify(gone.errors)).toMatch(/votes/);

  const fresh = await watch(client, 'subscription { liveIssuesChanges { operation data { priority } } }');
  // The feed has restarted with another list of tables, so events may take a moment.
  for (let id = 100; fresh.events.every(({ operation }) => operation !== 'INSERT'); id += 1) {
    await live.run(`insert into live.issues (id, title) values ($1, 'after')`, [id]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(id).toBeLessThan(400);
  }
  expect(fresh.events.find(({ operation }) => operation === 'INSERT')).toEqual({
    operation: 'INSERT',
    data: { priority: 3 },
  });
  for (const each of [kept, same]) {
    await each.until((events) => events.some(({ operation }) => operation === 'INSERT'));
    each.stop();
  }
  fresh.stop();
});

test('two changes at once leave one feed, which tells each event once', async () => {
  const watching = await watch(client, 'subscription { liveProjectsChanges { operation data { name } } }');
  for (let turn = 0; turn < 3; turn += 1) {
    const name = `swapped_${String(turn)}`;
    await live.run(`create table live.${name}_a (id integer primary key); grant select on live.${name}_a to public;
      notify tablewright`);
    await live.run(`create table live.${name}_b (id integer primary key); grant select on live.${name}_b to public;
      notify tablewright`);
    await untilAnswered(`{ liveSwapped${String(turn)}A { id } liveSwapped${String(turn)}B { id } }`);
  }
  const readers = async (): Promise<unknown> =>
    (await live.run('select count(*)::int as count from pg_replication_slots where active'))[0]?.['count'];
  await until(async () => (await readers()) === 1);
  watching.forget();
  await live.run(`insert into live.projects values (77, 'told')`);
  await watching.until((events) => events.some(({ data }) => data?.['name'] === 'told'));
  // A second event of the change would arrive before that of a later change.
  await live.run(`insert into live.projects values (78, 'later')`);
  await watching.until((events) => events.some(({ data }) => data?.['name'] === 'later'));
  // The last change of the API may still be reported, as RESYNC.
  const told = watching.events.filter(({ operation }) => operation !== 'RESYNC');
  expect(told.map(({ data }) => data?.['name'])).toEqual(['told', 'later']);
  expect(await readers()).toBe(1);
  watching.stop();
});
