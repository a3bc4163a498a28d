import { createHash } from 'node:crypto';
import { once as event } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, InMemoryCache, gql } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client as UrqlClient, subscriptionExchange } from '@urql/core';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { wireTo } from '../../support/wire-to.js';
import { openClient, openLive, watch, type Live } from './support/live.js';

// The clients in docs/subscriptions.md, persisted documents (by hash and from a manifest), and a
// server's shutdown.

const document = 'subscription { liveIssuesChanges { operation data { title } } }';
const hash = createHash('sha256').update(document).digest('hex');

let live: Live;
let server: ServedServer;
let folder: string;

beforeAll(async () => {
  live = await openLive();
  folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  server = await live.start({ APP_LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await live.stop();
  await rm(folder, { recursive: true });
});

let lastId = 0;
const write = (title: string): Promise<unknown> =>
  live.run('insert into live.issues (id, title) values ($1, $2)', [(lastId += 1), title]);

describe('libraries', () => {
  let client: Client;
  beforeAll(() => {
    client = openClient(server);
  });
  afterAll(() => client.dispose());

  /** Waits for this change: events of changes before the subscription may still arrive. */
  async function untilTold(told: readonly unknown[], title: string): Promise<void> {
    await watch(client, document);
    await write(title);
    await until(() => Promise.resolve(told.some((each) => JSON.stringify(each).includes(title))));
  }

  test('Apollo Client subscribes', async () => {
    const apollo = new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() });
    const told: unknown[] = [];
    const subscription = apollo.subscribe({ query: gql(document) }).subscribe(({ data }) => told.push(data));
    await untilTold(told, 'apollo');
    expect(told.at(-1)).toEqual({
      liveIssuesChanges: {
        __typename: 'LiveIssuesChange',
        operation: 'INSERT',
        data: { __typename: 'LiveIssues', title: 'apollo' },
      },
    });
    subscription.unsubscribe();
    apollo.stop();
  });

  test('urql subscribes', async () => {
    const urql = new UrqlClient({
      url: `${server.base}/graphql`,
      exchanges: [
        subscriptionExchange({
          forwardSubscription: ({ query = '', variables }) => ({
            subscribe: (sink) => ({
              unsubscribe: client.subscribe(
                { query, variables: variables as Record<string, unknown> | undefined },
                {
                  ...sink,
                  next: ({ data = null }) => {
                    sink.next({ data });
                  },
                },
              ),
            }),
          }),
        }),
      ],
    });
    const told: unknown[] = [];
    const subscription = urql.subscription(document, {}).subscribe(({ data }) => told.push(data as unknown));
    await untilTold(told, 'urql');
    expect(told.at(-1)).toMatchObject({ liveIssuesChanges: { operation: 'INSERT', data: { title: 'urql' } } });
    subscription.unsubscribe();
  });
});

/** Sends requests over a WebSocket and collects its messages and its close, by id. */
async function openRaw(base: string, requests: Readonly<Record<string, object>>) {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const messages: { readonly id?: string; readonly type: string; readonly payload?: unknown }[] = [];
  const closed = (event(socket, 'close') as Promise<[number, Buffer]>).then(([code, reason]) => [
    code,
    reason.toString(),
  ]);
  closed.catch(() => undefined);
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as (typeof messages)[number]));
  await event(socket, 'open');
  socket.send('{"type":"connection_init"}');
  await until(() => Promise.resolve(messages.length > 0));
  for (const [id, payload] of Object.entries(requests)) socket.send(JSON.stringify({ id, type: 'subscribe', payload }));
  socket.send('{"type":"ping"}');
  await until(() => Promise.resolve(messages.some(({ type }) => type === 'pong')));
  return { socket, messages, closed };
}

/** An event stream, and its text so far. */
async function openStream(base: string, request: object, signal?: AbortSignal) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(request),
    ...(signal === undefined ? {} : { signal }),
  });
  const told = { text: '', isOver: false };
  const read = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) told.text += chunk;
    told.isOver = true;
  };
  read().catch(() => undefined);
  return told;
}

const byHash = { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } };

describe('documents', () => {
  test('by hash: unknown, then sent with the text, then known, over both transports', async () => {
    const leaving = new AbortController();
    const { socket, messages } = await openRaw(server.base, {
      unknown: byHash,
      wrong: { ...byHash, query: '{ __typename }' },
      sent: { ...byHash, query: document },
      known: byHash,
    });
    const stream = await openStream(server.base, { documentId: `sha256:${hash}` }, leaving.signal);
    await write('by hash');
    await until(() => Promise.resolve(messages.filter(({ type }) => type === 'next').length >= 2));
    await until(() => Promise.resolve(stream.text.includes('by hash')));
    expect(messages.filter(({ type }) => type === 'error').map(({ id, payload }) => [id, payload])).toEqual([
      ['unknown', [expect.objectContaining({ message: 'PersistedQueryNotFound' })]],
      ['wrong', [expect.objectContaining({ message: 'The hash is not that of the document.' })]],
    ]);
    expect(new Set(messages.filter(({ type }) => type === 'next').map(({ id }) => id))).toEqual(
      new Set(['sent', 'known']),
    );
    socket.close();
    leaving.abort();
  });

  test('of a manifest alone: every other one is refused, over both transports', async () => {
    const manifest = join(folder, 'manifest.json');
    await writeFile(manifest, JSON.stringify({ [hash]: document }));
    const trusting = await live.start({
      APP_LOG_LEVEL: 'silent',
      APP_GRAPHQL_DOCUMENTS: 'trusted',
      APP_GRAPHQL_DOCUMENTS_FILE: manifest,
    });
    try {
      const leaving = new AbortController();
      const other = 'subscription { liveProjectsChanges { key } }';
      const { socket, messages } = await openRaw(trusting.base, {
        other: { query: other },
        query: { query: '{ liveProjects { id } }' },
        unknown: { documentId: createHash('sha256').update(other).digest('hex') },
        trusted: { documentId: hash },
      });
      const stream = await openStream(trusting.base, { documentId: hash }, leaving.signal);
      const refused = await openStream(trusting.base, { query: other });
      await write('trusted');
      await until(() => Promise.resolve(messages.some(({ id, type }) => id === 'trusted' && type === 'next')));
      await until(() => Promise.resolve(stream.text.includes('"title":"trusted"') && refused.isOver));
      expect(messages.filter(({ type }) => type === 'error').map(({ id }) => id)).toEqual([
        'other',
        'query',
        'unknown',
      ]);
      expect(refused.text).toContain('This server answers only the documents of its manifest.');
      expect(refused.text).not.toContain('"data":{');
      socket.close();
      leaving.abort();
    } finally {
      await trusting.stop();
    }
  });
});

describe('a server that shuts down', () => {
  test('closes its sockets with 1012 and ends its streams; clients go on with the next one', async () => {
    const first = await live.start({ APP_LOG_LEVEL: 'silent' });
    const wire = await wireTo(first.base);
    const client = createClient({
      url: `${wire.url.replace('http', 'ws')}graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: Infinity,
      shouldRetry: () => true,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
    });
    const watching = await watch(client, document);
    const { closed, messages } = await openRaw(first.base, { one: { query: document } });
    const stream = await openStream(first.base, { query: document });
    await write('before');
    await watching.until(({ length }) => length === 1);
    expect(await first.stop()).toBe(0);
    expect(await closed).toEqual([1012, 'Service Restart']);
    expect(messages.some(({ type }) => type === 'complete')).toBe(false);
    await until(() => Promise.resolve(stream.isOver));
    expect(stream.text).not.toContain('complete');

    const next = await live.start({ APP_LOG_LEVEL: 'silent' });
    wire.redirect(next.base);
    // The client reconnects after a delay of its own.
    await until(async () => {
      await write('after');
      return watching.events.some(({ data }) => data?.['title'] === 'after');
    });
    expect(watching.isOver()).toBe(false);
    await client.dispose();
    await wire.close();
    expect(await next.stop()).toBe(0);
  });
});
