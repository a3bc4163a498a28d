import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get as rawGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { ApolloClient, HttpLink, InMemoryCache, gql, type TypedDocumentNode } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { post, startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createFilledDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../support/registry.js';

// The ways to send a document: by GET, by hash, from a manifest. Decision 008.

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;
let folder: string;

const start = (settings: Partial<Settings> = {}): Promise<GraphqlServer> =>
  startGraphqlServer({ registry: boardRegistry, schema: schemaOf(board), driver, settings });

beforeAll(async () => {
  database = await createFilledDatabase('graphql_documents', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await start();
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
});
afterAll(async () => {
  await server.close();
  await driver.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const query = '{ kanbanIssues(orderBy: [{id: ASC}], limit: 1) { id title } }';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const json = { accept: 'application/json' };

type Parameters = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

const urlWith = (parameters: Parameters, url = server.url): string => {
  const pairs = parameters instanceof Array ? parameters : Object.entries(parameters);
  return `${url}?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()}`;
};

const get = (parameters: Parameters, headers: Readonly<Record<string, string>> = json): Promise<Response> =>
  fetch(urlWith(parameters), { headers });

const errorsOf = async (response: Response): Promise<readonly { message: string; extensions: { code: string } }[]> =>
  ((await response.json()) as { errors: { message: string; extensions: { code: string } }[] }).errors;

describe('a query by GET', () => {
  it('is answered as by POST', async () => {
    const [byGet, byPost] = [await get({ query }), await server.ask(query)];
    expect([byGet.status, await byGet.text()]).toEqual([200, byPost.text]);
  });

  it('takes variables, with every digit, and the name of an operation', async () => {
    const document = `query One($id: Int!) { kanbanIssues(where: {id: {eq: $id}}) { id } } query Other { __typename }`;
    const variables = '{"id": 1}';
    const response = await get({ query: document, variables, operationName: 'One' });
    const other = await server.ask('{ kanbanIssues(where: {id: {eq: 1}}) { id } }');
    expect(await response.text()).toBe(other.text);
  });

  it('may be kept by its client, which asks whether it is still so', async () => {
    const first = await get({ query });
    const tag = first.headers.get('etag') ?? '';
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'no-cache',
      expect.stringMatching(/Accept.*Authorization/),
    ]);
    const again = await get({ query }, { ...json, 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await loadSql(
      database.url,
      `update kanban.issues set title = title || '!' where id = (select min(id) from kanban.issues)`,
    );
    expect((await get({ query }, { ...json, 'if-none-match': tag })).status).toBe(200);
  });

  it('answers HEAD like GET, without a body', async () => {
    const head = await fetch(urlWith({ query }), { method: 'HEAD', headers: json });
    const whole = await get({ query });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String((await whole.text()).length),
      '',
    ]);
  });

  it('does not write: 405, and the database is not asked', async () => {
    server.forget();
    const input = '{id: 9, project_id: 1, title: "x", created_at: "2024-01-01T00:00:00Z"}';
    const response = await get({ query: `mutation { createKanbanIssues(input: ${input}) { id } }` });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(server.rounds).toEqual([]);
    expect((await errorsOf(response)).map(({ extensions }) => extensions.code)).toEqual(['TW015']);
  });

  it.each([
    ['a link of another site', { accept: 'application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }],
    ['an image', { accept: 'image/avif,image/webp,*/*;q=0.8', 'sec-fetch-mode': 'no-cors' }],
    ['a script', { accept: '*/*', 'sec-fetch-mode': 'no-cors' }],
  ])('is refused as %s sends it', async (_what, headers) => {
    server.forget();
    // `fetch` of Node.js sets the header `sec-fetch-mode` itself, so it cannot imitate a link.
    const [response] = (await once(rawGet(urlWith({ query }), { headers }), 'response')) as [IncomingMessage];
    const body = JSON.parse(await textOf(response)) as { errors: { extensions: { code: string } }[] };
    expect([response.statusCode, body.errors[0]?.extensions.code]).toEqual([400, 'TW016']);
    expect(server.rounds).toEqual([]);
  });

  it.each([
    [
      'variables that are not JSON',
      [
        ['query', query],
        ['variables', '{'],
      ],
    ],
    [
      'variables that are no object',
      [
        ['query', query],
        ['variables', '[1]'],
      ],
    ],
    [
      'two queries',
      [
        ['query', query],
        ['query', query],
      ],
    ],
    ['no query', [['operationName', 'x']]],
  ] as const)('%s: 400', async (_what, parameters) => {
    expect((await get(parameters as readonly (readonly [string, string])[])).status).toBe(400);
  });

  it('is how urql asks by default', async () => {
    const client = new Client({ url: server.url, exchanges: [fetchExchange], preferGetMethod: true });
    const { data, error } = await client.query<unknown>(query, {}).toPromise();
    expect(error).toBeUndefined();
    expect(data).toEqual((await server.ask(query)).body.data);
  });
});

describe('a document by its hash', () => {
  const persisted = (hash: string): Readonly<Record<string, unknown>> => ({
    persistedQuery: { version: 1, sha256Hash: hash },
  });
  const send = (body: unknown): ReturnType<typeof post> => post(server.url, JSON.stringify(body));

  it('is not found, is registered with its text, and is found', async () => {
    const text = `${query} # registered`;
    const extensions = persisted(sha256(text));
    const unknown = await send({ extensions });
    expect([unknown.status, unknown.body.errors]).toEqual([
      200,
      [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    ]);
    const whole = await send({ query: text, extensions });
    expect((await send({ extensions })).text).toBe(whole.text);
    expect(await (await get({ extensions: JSON.stringify(extensions) })).text()).toBe(whole.text);
    expect((await send({ documentId: `sha256:${sha256(text)}` })).text).toBe(whole.text);
  });

  it('is not registered under the hash of another', async () => {
    const extensions = persisted(sha256('{ __typename }'));
    expect((await send({ query: '{ x: __typename }', extensions })).body.errors?.[0]?.extensions.code).toBe('TW006');
    expect((await send({ extensions })).body.errors?.[0]?.message).toBe('PersistedQueryNotFound');
  });

  it.each([{ version: 2, sha256Hash: 'x' }, { version: 1 }, 'x'])('is malformed: %j', async (persistedQuery) => {
    expect((await send({ extensions: { persistedQuery } })).status).toBe(400);
  });

  it.each([true, false])("is what Apollo's link sends, by GET: %s", async (useGETForHashedQueries) => {
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(new HttpLink({ uri: server.url }));
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const document: TypedDocumentNode<unknown> = gql(
      `query Apollo${String(useGETForHashedQueries)} { kanbanIssues(limit: 1) { id } }`,
    );
    for (let time = 0; time < 2; time += 1) {
      const { data } = await client.query({ query: document, fetchPolicy: 'no-cache' });
      expect(data).toMatchObject({ kanbanIssues: [{ id: expect.any(Number) as number }] });
    }
  });

  it('is not kept where only texts are answered, and Apollo is told to stop', async () => {
    const texts = await start({ 'app.graphql.documents': 'any' });
    const reply = await post(texts.url, JSON.stringify({ extensions: persisted(sha256(query)) }));
    await texts.close();
    expect(reply.body.errors?.[0]?.extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  });
});

describe('trusted documents', () => {
  const trusting = async (manifest: unknown): Promise<GraphqlServer> => {
    const path = join(folder, 'manifest.json');
    await writeFile(path, typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
    return start({ 'app.graphql.documents': 'trusted', 'app.graphql.documents-file': path });
  };
  const apollo = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: 'issues', name: 'Issues', type: 'query', body: query }],
  };

  it.each([
    ['of a client preset', { [sha256(query)]: query }, sha256(query)],
    ["of Apollo's generator", apollo, 'issues'],
  ])('%s are answered, by identifier and by text, and no others', async (_what, manifest, id) => {
    const trusted = await trusting(manifest);
    const send = (body: unknown): ReturnType<typeof post> => post(trusted.url, JSON.stringify(body));
    const expected = (await server.ask(query)).text;
    expect((await send({ documentId: id })).text).toBe(expected);
    expect((await send({ extensions: { persistedQuery: { version: 1, sha256Hash: id } } })).text).toBe(expected);
    expect((await send({ query })).text).toBe(expected);
    trusted.forget();
    const other = await send({ query: `${query} # other`, documentId: id });
    expect(other.body.errors?.[0]?.extensions.code).toBe('TW016');
    expect((await send({ documentId: 'none' })).body.errors?.[0]?.message).toBe('PersistedQueryNotFound');
    expect((await send({ query: '{ __schema { types { name } } }' })).body.errors).toHaveLength(1);
    expect(trusted.rounds).toEqual([]);
    await trusted.close();
  });

  it.each([
    ['no JSON', '{', /is not JSON/],
    ['a list', [], /is not a manifest/],
    ['documents that are no texts', { a: 1 }, /is not a manifest/],
    ['another format', { format: 'other', operations: [] }, /is not a manifest/],
    ['nothing', {}, /has no documents/],
  ])('a manifest of %s: the server does not start', async (_what, manifest, message) => {
    await expect(trusting(manifest)).rejects.toThrow(message);
  });

  it('a manifest that is not there: the server does not start', async () => {
    const missing = start({ 'app.graphql.documents': 'trusted', 'app.graphql.documents-file': join(folder, 'none') });
    await expect(missing).rejects.toThrow(/cannot be read/);
  });
});
