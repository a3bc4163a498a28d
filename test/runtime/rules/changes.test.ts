import type { Client } from 'graphql-ws';
import type { ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live } from '../changes/support/live.js';

const rules = {
  'live.issues': {
    read: { title: { eq: { claim: 'userId' } } },
    write: false,
    hide: ['votes'],
  },
};

let live: Live;
let server: ServedServer;
let nobody: Client;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  live = await openLive('notify', [], undefined, { rules });
  server = await live.start({ APP_LOG_LEVEL: 'warn' });
  nobody = openClient(server);
  ada = openClient(server, await live.served.token('ada'));
  bob = openClient(server, await live.served.token('bob'));
});
afterAll(async () => {
  await nobody.dispose();
  await ada.dispose();
  await bob.dispose();
  await server.stop();
  await live.stop();
});

test('subscribers get the rows of their rule, and DELETE for rows that leave it', async () => {
  const document = 'subscription { liveIssuesChanges { operation key data { title } } }';
  const none = await watch(nobody, document);
  const hers = await watch(ada, document);
  const his = await watch(bob, document);
  const insert = 'insert into live.issues (id, project_id, title) select $1, (select min(id) from live.projects), $2';
  for (const [id, owner] of [
    [9001, 'ada'],
    [9002, 'bob'],
    [9003, 'nobody'],
  ])
    await live.run(insert, [id, owner]);
  const has =
    (operation: string, id: number) =>
    (events: typeof hers.events): boolean =>
      events.some((event) => event.operation === operation && event.key?.['id'] === id);
  await hers.until(has('INSERT', 9001));
  await his.until(has('INSERT', 9002));
  // The row leaves what she sees, and enters what he sees.
  await live.run("update live.issues set title = 'bob' where id = 9001");
  await hers.until(has('DELETE', 9001));
  await his.until(has('UPDATE', 9001));
  await live.run('delete from live.issues where id in (9001, 9002, 9003)');
  await his.until(has('DELETE', 9001));
  await his.until(has('DELETE', 9002));
  await live.run(insert, [9004, 'ada']);
  await hers.until(has('INSERT', 9004));
  const told = (events: typeof hers.events) =>
    events.map(({ operation, key, data }) => [operation, key?.['id'], data?.['title']]);
  expect(told(hers.events)).toEqual([
    ['INSERT', 9001, 'ada'],
    ['DELETE', 9001, undefined],
    ['INSERT', 9004, 'ada'],
  ]);
  expect(JSON.stringify(his.events)).not.toMatch(/ada|nobody|9003|9004/);
  expect(none.events).toEqual([]);
});

test('an update of a hidden column alone is no event', async () => {
  const document = 'subscription { liveIssuesChanges { operation key data { title } } }';
  const earlier = await watch(ada, document);
  await live.run("insert into live.issues (id, title) values (9101, 'ada'), (9102, 'ada')");
  await earlier.until((events) => events.some(({ key }) => key?.['id'] === 9102));
  const hers = await watch(ada, `${document} # of its own`);
  await live.run('update live.issues set votes = votes + 1 where id in (9101, 9102)');
  await live.run("update live.issues set votes = votes + 1, title = 'ada' where id = 9101");
  await live.run("update live.issues set title = 'bob' where id = 9102");
  await live.run("update live.issues set title = 'ada' where id = 9102");
  await live.run('update live.issues set votes = votes + 1 where id = 9102');
  await live.run("insert into live.issues (id, title) values (9103, 'ada')");
  await hers.until((events) => events.some(({ key }) => key?.['id'] === 9103));
  for (const { events } of [earlier, hers]) {
    expect(events.filter(({ key, operation }) => key?.['id'] === 9101 && operation !== 'INSERT')).toEqual([]);
    expect(events.some(({ key, operation }) => key?.['id'] === 9102 && operation !== 'INSERT')).toBe(true);
  }
  await live.run('delete from live.issues where id in (9101, 9102, 9103)');
});

test('the log says which columns have changed, where it has whole old rows', async () => {
  const log = await openLive('wal', [], undefined, {
    rules: { 'live.things': { read: true, write: true, hide: ['size'] } },
  });
  const reader = await log.start({ APP_LOG_LEVEL: 'warn' });
  const client = openClient(reader);
  try {
    const plain = await watch(client, 'subscription { liveThingsChanges { operation key data { name tags } } }');
    const related = await watch(client, 'subscription { liveThingsChanges { key data { liveProjectId { name } } } }');
    await log.run("insert into live.things (id, name, tags) values (1, 'a', '{x}'), (2, 'b', null)");
    for (const { until } of [plain, related]) await until((events) => events.some(({ key }) => key?.['id'] === 2));
    const before = related.events.length;
    await log.run('update live.things set size = 5');
    await log.run("update live.things set size = 6, tags = '{y}' where id = 1");
    await log.run('update live.things set size = 7 where id = 1');
    await log.run("insert into live.things (id, name) values (3, 'c')");
    for (const { until } of [plain, related]) await until((events) => events.some(({ key }) => key?.['id'] === 3));
    const received = plain.events.map(({ operation, key }) => [operation, key?.['id']]);
    expect(received.filter(([operation]) => operation !== 'INSERT')).toEqual([['UPDATE', 1]]);
    // A relation may depend on columns that are not visible.
    expect(related.events.slice(before).some(({ key }) => key?.['id'] === 2)).toBe(true);
  } finally {
    await client.dispose();
    await reader.stop();
    await log.stop();
  }
});

test('hidden columns cannot be subscribed to', async () => {
  for (const part of ['data { votes }', 'data { project_id } old { votes }']) {
    const hidden = await watch(ada, `subscription { liveIssuesChanges { ${part} } }`);
    await expect(hidden.until((events) => events.length > 0)).rejects.toThrow('TW016');
  }
});

test('two tenants over 3,000 writes: neither is told a key or a value of the other', async () => {
  const document = 'subscription { liveIssuesChanges { operation key data { id title } old { id title } } }';
  const watching = [await watch(ada, document), await watch(bob, document)] as const;
  const rows = `select 10000 + n, case n % 2 when 0 then 'ada' else 'bob' end from generate_series(1, 400) n`;
  for (let turn = 1; turn <= 4; turn += 1) {
    await live.run(`insert into live.issues (id, title) ${rows}`);
    await live.run('update live.issues set votes = votes + 1 where id > 10000 and id <= 10200');
    if (turn < 4) await live.run('delete from live.issues where id > 10000');
  }
  // An update gives another user's row to this user, and the next update gives it back.
  await live.run(`update live.issues set title = 'ada' where id = 10051`);
  await watching[0].until((events) => events.some(({ data }) => data?.['id'] === 10_051));
  await live.run(`update live.issues set title = 'bob' where id = 10051`);
  await live.run('delete from live.issues where id > 10000');
  await live.run(`insert into live.issues (id, title) values (20000, 'ada'), (20001, 'bob')`);
  for (const [at, { events, until }] of watching.entries()) {
    await until((all) => all.some(({ data }) => data?.['id'] === 20_000 + at));
    const others = events.filter(({ key }) => Number(key?.['id']) % 2 !== at && key?.['id'] !== 10_051);
    expect(others).toEqual([]);
    const told = events.map(({ data }) => data?.['title'] ?? null);
    expect(new Set(told)).toEqual(new Set([null, ['ada', 'bob'][at]]));
    expect(events.some(({ operation }) => operation === 'DELETE')).toBe(true);
    expect(events.every(({ old }) => old === null)).toBe(true);
  }
});
