import type { Client } from 'graphql-ws';
import type { ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live } from '../changes/support/live.js';

const custom = `
  const onRead = ({ identity: { userId } }) => (userId === 'root' ? undefined : { title: { neq: userId === 'ada' ? 'plain' : 'secret' } });
  export const custom = { hooks: { 'live.issues': { onRead } } };`;

let live: Live;
let server: ServedServer;
let nobody: Client;
let root: Client;
let ada: Client;

beforeAll(async () => {
  live = await openLive('notify', [], custom);
  server = await live.start({ APP_LOG_LEVEL: 'warn' });
  nobody = openClient(server);
  root = openClient(server, await live.served.token('root'));
  ada = openClient(server, await live.served.token('ada'));
});
afterAll(async () => {
  await nobody.dispose();
  await root.dispose();
  await ada.dispose();
  await server.stop();
  await live.stop();
});

test('subscribers are told of rows that they may read, and of no other', async () => {
  const document = 'subscription { liveIssuesChanges { operation key data { title } } }';
  const few = await watch(nobody, document);
  const all = await watch(root, document);
  const others = await watch(ada, document);
  const insert = `insert into live.issues (id, project_id, title) select $1, (select min(id) from live.projects), $2`;
  await live.run(insert, [9001, 'secret']);
  await live.run(insert, [9002, 'plain']);
  const has = (id: number) => (events: typeof few.events) => events.some(({ key }) => key?.['id'] === id);
  await few.until(has(9002));
  await all.until(has(9001));
  await live.run("update live.issues set title = 'secret' where id = 9002");
  await live.run('delete from live.issues where id = 9001');
  await live.run(insert, [9003, 'last']);
  await few.until(has(9003));
  await all.until(has(9003));
  await others.until(has(9003));
  const told = (events: typeof few.events) =>
    events.map(({ operation, key, data }) => [operation, key?.['id'], data?.['title']]);
  expect(JSON.stringify(few.events)).not.toContain('secret');
  expect(few.events.filter(({ key }) => key?.['id'] === 9001)).toEqual([]);
  expect(told(few.events)).toContainEqual(['DELETE', 9002, undefined]);
  expect(told(all.events)).toContainEqual(['INSERT', 9001, 'secret']);
  expect(told(others.events)).toContainEqual(['INSERT', 9001, 'secret']);
  expect(JSON.stringify(others.events)).not.toContain('plain');
});
