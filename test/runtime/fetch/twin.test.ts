import fc from 'fast-check';
import type { IncomingHttpHeaders } from 'node:http';
import { startServer, type TestServer } from '../rest/support/server.js';
import { sendRaw } from '../../support/raw-http.js';

/** `server.fetch` answers what the listening server answers, down to the bytes. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    APP_CORS_ORIGINS: 'https://app.example.com',
    APP_REST_POSTGREST: '/rest/v1',
    APP_SERVER_PRODUCTION: 'true',
  });
});
afterAll(() => server.stop());

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Repeat a failure with the seed that it names: `TWIN_SEED=… TWIN_REQUESTS=…`. */
const { TWIN_SEED, TWIN_REQUESTS = '150' } = process.env;

const query = fc.array(
  fc.constantFrom(
    ...['select=id,title', 'select=id,projects(name)', 'limit=2', 'limit=0', 'offset=9999', 'order=id.desc'],
    ...['id=eq.1', 'id=gt.3', 'title=like.*a*', 'status=eq.nope', 'points=is.null', 'nothing=eq.1', 'limit=-1'],
    ...['body=eq.%C3%A4%20b', 'title=eq.%', 'a=%00', 'q=%2F'],
  ),
  { maxLength: 3 },
);
const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('issues', 'projects', 'totals', 'users/1', 'none', 'issues/7', 'a%2Fb'), query)
      .map(([table, parts]) => `/${table}?${parts.join('&')}`)
      .chain((rest) => fc.constantFrom(`/api/v1${rest}`, `/rest/v1${rest}`)),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/graphql',
      '/graphql?query={boardIssues(limit:2){id}}',
      '/api/v1',
      '/rest/v1',
      '/health/live',
      '/',
      '/none',
      '/graphqlx',
    ),
  },
);
const documents = [
  '{ boardIssues(limit: 3) { id title } }',
  '{ nope }',
  'mutation { a }',
  '{',
  'query ($n: Int) { boardIssues(limit: $n) { id } }',
];
const body = fc.oneof(
  fc.constantFrom(...documents.map((text) => JSON.stringify({ query: text, variables: { n: 1 } }))),
  fc.constantFrom('{"id":901,"name":"ä ☃","code":"x"}', '[{"id":902,"name":"b","code":"y"}]', '[]', '{', '""', ''),
  fc.json({ maxDepth: 2 }),
);
const headers = fc.record(
  {
    accept: fc.constantFrom('application/json', 'text/csv', 'text/html', 'application/graphql-response+json', 'a/b'),
    'accept-encoding': fc.constantFrom('gzip', 'br', 'identity', 'gzip;q=0'),
    'content-type': fc.constantFrom('application/json', 'text/csv', 'text/plain'),
    authorization: fc.constantFrom('Bearer x', 'Basic eDp5'),
    origin: fc.constantFrom('https://app.example.com', 'https://other.example.com'),
    prefer: fc.constantFrom('return=representation', 'count=exact', 'return=headers-only', 'handling=strict, a=b'),
    range: fc.constantFrom('0-1', '5-2', 'x'),
    'if-none-match': fc.constantFrom('*', '"a"'),
    'accept-profile': fc.constantFrom('board', 'crm'),
    cookie: fc.constantFrom('a=1; b=2'),
  },
  { requiredKeys: [] },
);

/** Writes are rolled back, so that both see the same rows. */
const asked: fc.Arbitrary<Asked> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'),
    path,
    headers,
    body,
  })
  .map(({ method, headers: given, ...rest }) => ({
    ...rest,
    method,
    headers: {
      ...given,
      prefer: [given.prefer, 'tx=rollback'].filter((text) => text !== undefined).join(', '),
      'x-request-id': 'twin',
    },
    body: /^(?:GET|HEAD)$/.test(method) ? undefined : rest.body,
  }));

/** About the connection, and the time. */
const differing = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'server-timing'];

const alike = (given: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !differing.includes(name)));

async function byFetch({ method, path: address, headers: given, body: text }: Asked): Promise<unknown> {
  const request = new Request(`${server.url}${address}`, {
    ...{ method, headers: given },
    ...(text === undefined ? {} : { body: Buffer.from(text) }),
  });
  if (text !== undefined) request.headers.set('content-length', String(Buffer.byteLength(text)));
  const answer = await server.server.fetch(request);
  return {
    status: answer.status,
    headers: alike(Object.fromEntries(answer.headers)),
    text: Buffer.from(await answer.arrayBuffer()).toString('base64'),
  };
}

async function byHttp({ path: address, body: text, ...rest }: Asked): Promise<unknown> {
  const {
    status,
    headers: given,
    bytes,
  } = await sendRaw(`${server.url}${address}`, text === undefined ? rest : { ...rest, body: text });
  return { status, headers: alike(given), text: bytes.toString('base64') };
}

test('requests by chance', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (each) => {
      expect(await byFetch(each)).toEqual(await byHttp(each));
    }),
    { numRuns: Number(TWIN_REQUESTS), ...(TWIN_SEED === undefined ? {} : { seed: Number(TWIN_SEED) }) },
  );
});
