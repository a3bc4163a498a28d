import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { sendRaw, type RawReply } from '../../support/raw-http.js';

/** Headers that describe a request: its id and, outside production, the duration of each stage. */
let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(() => server.stop());

const ask = (query: string, headers: Readonly<Record<string, string>> = {}): Promise<RawReply> =>
  sendRaw(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });

test('the id is the client’s where it is plain, otherwise a new one, also of errors', async () => {
  expect((await ask('{ __typename }', { 'x-request-id': 'abc-1' })).headers['x-request-id']).toBe('abc-1');
  for (const query of ['{ __typename }', '{ nothing }', '{']) {
    const reply = await ask(query, { 'x-request-id': 'a b{}' });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('an answer is of no other type than it says, whatever it is', async () => {
  for (const query of [
    '{ __typename }',
    '{ nothing }',
    '{',
    '{ kanbanIssues { id } __schema { queryType { name } } }',
  ]) {
    expect((await ask(query)).headers['x-content-type-options']).toBe('nosniff');
  }
});

test('Server-Timing has the stages', async () => {
  const { status, headers } = await ask('{ kanbanIssues(limit: 1) { id } }');
  expect(status).toBe(200);
  expect(headers['server-timing']).toMatch(/^parse;dur=[\d.]+, plan;dur=[\d.]+, database;dur=[\d.]+$/);
});

test('Server-Timing is not there in production', async () => {
  const production = await startDemoServer({ environment: { NODE_ENV: 'production' } });
  const reply = await sendRaw(`${production.base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  });
  await production.stop();
  expect([reply.status, reply.headers['server-timing']]).toEqual([200, undefined]);
});
