import type { Client } from 'graphql-ws';
import { freePort } from '../../support/free-port.js';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, untilLive, watch, type Live } from '../changes/support/live.js';
import { samplesOf } from './support/samples.js';

let live: Live;
let server: ServedServer;
let client: Client;
let metricsUrl: string;

beforeAll(async () => {
  live = await openLive('wal');
  const port = String(await freePort());
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  server = await live.start({ APP_LOG_LEVEL: 'silent', APP_METRICS_PORT: port });
  await untilLive(server);
  client = openClient(server);
});
afterAll(async () => {
  await client.dispose();
  await server.stop();
  await live.stop();
});

const sample = async (name: string): Promise<number> => (await samplesOf(metricsUrl)).get(`tablewright_${name}`) ?? 0;

test('subscribers, changes, their re-reads and their lag', async () => {
  const document = 'subscription { liveIssuesChanges { operation key error data { id title } } }';
  const watching = await Promise.all([watch(client, document), watch(client, document)]);
  expect(await sample('change_feed_live')).toBe(1);
  expect([await sample('subscribers'), await sample('subscription_groups')]).toEqual([2, 1]);
  await live.run(`insert into live.issues (id, title) values (1, 'told')`);
  for (const each of watching) await each.until((events) => events.some(({ data }) => data?.['title'] === 'told'));
  expect(await sample('changes_total')).toBe(1);
  expect(await sample('change_lag_seconds_count')).toBe(1);
  expect(await sample('change_events_total')).toBe(2);
  expect(await sample('statement_duration_seconds_count{kind="re-read"}')).toBeGreaterThan(0);
  for (const each of watching) each.stop();
  await until(async () => (await sample('subscribers')) === 0);
});

test('a change of the schema that the API follows, and the gap it makes', async () => {
  const watching = await watch(client, 'subscription { liveIssuesChanges { operation error } }');
  const before = await sample('resyncs_total');
  await live.run('alter table live.issues add column measured int');
  await live.run('notify tablewright');
  await until(async () => (await sample('schema_swap_duration_seconds_count{trigger="notify"}')) === 1);
  expect(await sample('schema_stale')).toBe(0);
  await until(async () => (await sample('resyncs_total')) > before);
  watching.stop();
});
