import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { freePort } from '../../support/free-port.js';
import { openInit, sendDocuments, sendFrames } from './support/frames.js';

/**
 * Operations that the schema has no type for: without a change feed, which is the default, there
 * are no subscriptions, and without tables that can be written no mutations. No message of a client
 * may end the process.
 */
let served: Served;
let server: ServedServer;

beforeAll(async () => {
  served = await openServed({
    name: 'silent',
    schema: 'silent',
    sql: 'create schema silent; create view silent.numbers as select n as id from generate_series(1, 3) as n;',
  });
  server = await served.start({
    APP_LOG_LEVEL: 'silent',
    APP_CONSOLE: 'true',
    APP_REST_POSTGREST: '/rest/v1',
    APP_METRICS_PORT: String(await freePort()),
  });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await served.drop();
});

const documents = [
  ['subscription { x }', 'The schema has no subscriptions.'],
  ['subscription S { a: x { y } b: z }', 'The schema has no subscriptions.'],
  ['subscription { __typename }', 'The schema has no subscriptions.'],
  ['mutation { x }', 'The schema has no mutations.'],
  ['mutation { __typename }', 'The schema has no mutations.'],
] as const;

test.each(documents)('%s over a WebSocket is refused, and the connection goes on', async (query, message) => {
  const socket = await openInit(server);
  socket.send({ id: '1', type: 'subscribe', payload: { query } });
  expect(await socket.next()).toMatchObject({ id: '1', type: 'error', payload: [{ message }] });
  socket.send({ id: '2', type: 'subscribe', payload: { query: '{ silentNumbers { id } }' } });
  expect(await socket.next()).toMatchObject({
    id: '2',
    type: 'next',
    payload: { data: { silentNumbers: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
  });
  socket.close();
});

test.each(documents)('%s by POST, GET and as events is refused', async (query, message) => {
  const posted = await server.ask(query);
  expect(JSON.parse(posted.text)).toMatchObject({ errors: [{ message }] });
  const got = await server.send('GET', `/graphql?query=${encodeURIComponent(query)}`, {
    accept: 'application/graphql-response+json',
  });
  expect(got.status).toBe(400);
  expect(got.text).toContain(message);
  const events = await server.ask(query, { accept: 'text/event-stream' });
  expect(events.text).toContain(message);
});

test('frames and documents by chance end at most their own connection', async () => {
  await sendFrames(server, 150);
  await sendDocuments(server, 50);
});

test('the same without console, mount and metrics', async () => {
  const bare = await served.start({ APP_LOG_LEVEL: 'silent', APP_CONSOLE: 'false' });
  await sendFrames(bare, 60);
  await sendDocuments(bare, 30);
  expect(await bare.stop()).toBe(0);
});
