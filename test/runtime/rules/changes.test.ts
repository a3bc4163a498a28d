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
}, 120_000);
afterAll(async () => {
  await nobody.dispose();
  await ada.dispose();
  await bob.dispose();
  await server.stop();
  await live.stop();
}, 60_000);

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

test('hidden columns cannot be subscribed to', async () => {
  const hidden = await watch(ada, 'subscription { liveIssuesChanges { data { votes } } }');
  await expect(hidden.until((events) => events.length > 0)).rejects.toThrow('TW016');
});
