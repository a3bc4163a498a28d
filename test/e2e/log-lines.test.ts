import { WebSocket } from 'ws';
import { openServed, until, type Served, type ServedServer } from '../support/served-as-role.js';

/** Lines of the log say what clients were told: the status that was sent, and why. */
let served: Served;
let server: ServedServer;

beforeAll(async () => {
  served = await openServed({
    name: 'lines',
    schema: 'app',
    sql: `create schema app;
      create table app.items (id int primary key, name text not null);
      create table app.secrets (id int primary key);
      create view app.broken as select 1 / (id - id) as n from app.items;
      create view app.negative as select sqrt(-id) as n from app.items;
      create view app.zero as select ln(id - id) as n from app.items;
      insert into app.items values (1, 'one');`,
    config: { schemas: ['app'] },
  });
  await served.query(`revoke all on app.secrets from ${new URL(served.roleUrl).username}`);
  server = await served.start({ APP_REST_POSTGREST: '/rest/v1' });
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});

interface Line {
  readonly requestId?: string;
  readonly msg: string;
  readonly status?: number;
  readonly code?: string;
  readonly reason?: string;
  readonly hint?: string;
}

const lines = (): readonly Line[] =>
  server
    .log()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

const json = { 'content-type': 'application/json' };
const query = (text: string) => JSON.stringify({ query: text });
const response = { ...json, accept: 'application/graphql-response+json' };

test.each<[string, string, Readonly<Record<string, string>>, string | undefined]>([
  ['GET', '/api/v1/items?id=eq.abc', {}, undefined],
  ['GET', '/rest/v1/items?id=eq.abc', {}, undefined],
  ['GET', '/api/v1/secrets', {}, undefined],
  ['GET', '/rest/v1/secrets', {}, undefined],
  ['GET', '/api/v1/items?nothing=eq.1', {}, undefined],
  ['GET', '/rest/v1/items?nothing=eq.1', {}, undefined],
  ['GET', '/rest/v1/items', { 'accept-profile': 'other' }, undefined],
  // Equal failures are one line a second: these differ.
  ['GET', '/rest/v1/broken', {}, undefined],
  ['GET', '/api/v1/negative', {}, undefined],
  ['POST', '/rest/v1/items', json, '{"id":1,"name":"again"}'],
  ['POST', '/rest/v1/rpc/nothing', json, '{}'],
  ['POST', '/graphql', json, query('{ nothing }')],
  ['POST', '/graphql', response, query('{ nothing }')],
  ['POST', '/graphql', json, query('{ appSecrets { id } }')],
  ['POST', '/graphql', response, query('{ appSecrets { id } }')],
  ['POST', '/graphql', json, query('{ appZero { n } }')],
  ['POST', '/graphql', json, query('mutation { createAppItems(input: { id: 1, name: "again" }) { id } }')],
  ['PUT', '/graphql', json, '{}'],
])('%s %s with %j: the status of the line is the one that was sent', async (method, path, headers, body) => {
  const reply = await server.send(method, path, headers, body);
  const id = String(reply.headers['x-request-id']);
  const line = () => lines().find(({ requestId, msg }) => requestId === id && msg !== 'request');
  await until(() => Promise.resolve(line() !== undefined));
  expect(line()).toMatchObject({ status: reply.status, msg: expect.stringMatching(/^(refused|failure)$/) as string });
});

test.each([
  ['expired', { exp: 1_000_000_000 }, 'The token has expired.'],
  ['early', { nbf: 4_000_000_000 }, 'The token is not valid yet.'],
])('a token that is refused: %s', async (_name, claims, reason) => {
  const authorization = `Bearer ${await served.token('ann', claims)}`;
  for (const path of ['/api/v1/items', '/rest/v1/items', '/graphql?query={__typename}']) {
    const { status, headers } = await server.get(path, { authorization, accept: 'application/json' });
    expect([path, status]).toEqual([path, 401]);
    const id = String(headers['x-request-id']);
    await until(() => Promise.resolve(lines().some(({ requestId, msg }) => requestId === id && msg === 'refused')));
    const line = lines().find(({ requestId, msg }) => requestId === id && msg === 'refused');
    expect(line).toMatchObject({ status: 401, reason });
  }
  const malformed = await server.get('/api/v1/items', { authorization: 'Bearer s3cret.s3cret.s3cret' });
  const id = String(malformed.headers['x-request-id']);
  await until(() => Promise.resolve(lines().some(({ requestId, msg }) => requestId === id && msg === 'refused')));
  expect(lines().find(({ requestId, msg }) => requestId === id && msg === 'refused')).toMatchObject({
    reason: 'The token is malformed.',
  });
  expect(server.log()).not.toContain('s3cret');
});

test('a token that a WebSocket is opened with: the code of its close, and why', async () => {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  const authorization = `Bearer ${await served.token('ann', { exp: 1_000_000_000 })}`;
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
  expect(await closed).toBe(4403);
  const line = () => lines().find(({ status }) => status === 4403);
  await until(() => Promise.resolve(line() !== undefined));
  expect(line()).toMatchObject({ msg: 'refused', code: 'TW012', reason: 'The token has expired.' });
});

test('a new schema is named once, and not served', async () => {
  const named = (name: string) => lines().filter(({ msg }) => msg.includes(`a new schema, "${name}"`));
  // The first look is two seconds after the start.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await served.query('create schema empty; create schema more; create table more.things (id int primary key)');
  await served.query('notify tablewright');
  await until(() => Promise.resolve(named('more').length > 0));
  expect(named('more')[0]?.hint).toContain('app.drift.new-schemas');
  await served.query('alter table more.things add name text; alter table app.items add note text');
  await served.query('notify tablewright');
  await until(async () => (await server.get('/api/v1/items?select=note')).status === 200);
  expect(named('more')).toHaveLength(1);
  expect([named('empty'), named('app'), named('public')]).toEqual([[], [], []]);
  expect(JSON.parse((await server.get('/health/ready')).text)).toEqual({
    status: 'ready',
    schema: { state: 'followed' },
  });
});
