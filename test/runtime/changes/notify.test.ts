import type { Client } from 'graphql-ws';
import { notifyChannel } from '../../../runtime/src/dialect/postgres/changes/sql.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { logged } from '../../support/until.js';
import { openClient, openLive, watch, type Live } from './support/live.js';

let live: Live;
let server: ServedServer;
let client: Client;

beforeAll(async () => {
  live = await openLive('notify', ['wal_level=replica']);
  server = await live.start({ APP_LOG_LEVEL: 'silent' });
  client = openClient(server);
});
afterAll(async () => {
  await client.dispose();
  expect(await server.stop()).toBe(0);
  await live.stop();
});

test('triggers tell what the log would: rows, keys that change, and too many rows', async () => {
  const watching = await watch(
    client,
    'subscription { liveSeatsChanges { operation key error data { row number taken } } }',
  );
  const steps: readonly (readonly [sql: string, events: number])[] = [
    [`set datestyle = 'German'; insert into live.seats values ('a', 1), ('b', 2)`, 2],
    [`update live.seats set taken = true where number = 1`, 3],
    [`update live.seats set number = 3 where number = 2`, 5],
    [`delete from live.seats where number = 3`, 6],
    [`insert into live.seats select 'many', n from generate_series(1, 2000) n`, 7],
    [`truncate live.seats`, 8],
  ];
  for (const [sql, count] of steps) {
    await live.run(sql);
    await watching.until(({ length }) => length >= count);
  }
  const told = watching.events.map(({ operation, key, data }) => [operation, key, data?.['taken']]);
  expect(told).toEqual([
    ['INSERT', { row: 'a', number: 1 }, false],
    ['INSERT', { row: 'b', number: 2 }, false],
    ['UPDATE', { row: 'a', number: 1 }, true],
    ['DELETE', { row: 'b', number: 2 }, undefined],
    ['INSERT', { row: 'b', number: 3 }, false],
    ['DELETE', { row: 'b', number: 3 }, undefined],
    ['RESYNC', null, undefined],
    ['RESYNC', null, undefined],
  ]);
  expect(watching.events.at(-1)?.error).toContain('was truncated');
  watching.stop();
});

test('notifications that no trigger sent tell nothing and end nothing', async () => {
  const watching = await watch(client, 'subscription { liveSeatsChanges { operation key } }');
  const seats = { schema: 'live', table: 'seats', at: 'now', secured: false, operation: 'INSERT' };
  for (const text of [
    '',
    'no JSON',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...seats, table: 1 }),
    JSON.stringify({ ...seats, secured: 'no' }),
    JSON.stringify({ ...seats, operation: 'SELECT' }),
    JSON.stringify({ ...seats, table: 'nothing', keys: [['a', '1']] }),
  ])
    await live.run(`select pg_notify('${notifyChannel}', $1)`, [text]);
  await live.run(`insert into live.seats values ('after', 1)`);
  await watching.until(({ length }) => length >= 1);
  expect(watching.events).toEqual([{ operation: 'INSERT', key: { row: 'after', number: 1 } }]);
  watching.stop();
});

test('policies hold, and a write that is rolled back is not told', async () => {
  const token = await live.served.token('ann', { exp: Math.floor(Date.now() / 1000) + 3600 });
  const ann = openClient(server, token);
  const watching = await watch(ann, 'subscription { liveNotesChanges { operation key data { owner } } }');
  await live.run(`begin; insert into live.notes values (1, 'ann', 'never'); rollback`);
  await live.run(`insert into live.notes values (2, 'bob', 'hers'), (3, 'ann', 'own')`);
  // There is no event for a row that is deleted before the server reads it.
  await watching.until((events) => events.some(({ operation }) => operation === 'INSERT'));
  await live.run(`delete from live.notes`);
  await watching.until((events) => events.some(({ operation }) => operation === 'DELETE'));
  expect(watching.events).toEqual([
    { operation: 'INSERT', key: { id: 3 }, data: { owner: 'ann' } },
    { operation: 'DELETE', key: { id: 3 }, data: null },
  ]);
  await ann.dispose();
});

test('where the log has no changes there is no Subscription type, and a line of the start says why', async () => {
  const other = await live.served.start({ APP_CHANGES_SOURCE: 'wal', APP_LOG_LEVEL: 'warn' });
  try {
    const { text } = await other.ask('{ __schema { subscriptionType { name } } }');
    expect(JSON.parse(text)).toEqual({ data: { __schema: { subscriptionType: null } } });
    await logged(other, 'There are no subscriptions. The database has wal_level=replica');
    await logged(other, "alter system set wal_level = 'logical'");
    expect(await (await fetch(`${other.base}/health/ready`)).json()).toEqual({ status: 'ready' });
  } finally {
    await other.stop();
  }
});
