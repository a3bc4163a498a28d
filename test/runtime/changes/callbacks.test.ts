import { freePort } from '../../support/free-port.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { sendDocuments, sendFrames } from '../server/support/frames.js';
import { openClient, openLive, watch, type Live } from './support/live.js';

/**
 * Custom code that throws in everything that is called outside of a request: the observer, the
 * iterators of subscriptions, conditions and fields of events. It ends at most its own connection.
 * Decorators are called as functions, because this is JavaScript.
 */
const custom = `
import { Arg, FieldResolver, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { createPubSub } from '@graphql-yoga/subscription';
import { LiveIssues } from '../generated/live/issues.table.js';

const oops = (where) => { throw new Error('oops in ' + where); };
const iterators = {
  subscribe: () => oops('subscribe'),
  rejects: () => Promise.reject(new Error('oops')),
  iterator: () => ({ [Symbol.asyncIterator]: () => oops('iterator') }),
  next: () => ({ [Symbol.asyncIterator]: () => ({ next: () => oops('next'), return: () => oops('return') }) }),
  later: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise((_, reject) => setTimeout(reject, 20, new Error('oops'))), return: () => oops('return') }) }),
  never: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined), return: () => oops('return') }) }),
  nothing: () => undefined,
};
class Own {
  broken(issue) { if (issue.title === 'thrown') oops('field'); return issue.title; }
  brokenLater(issue) { return Promise.reject(new Error('oops')); }
  told(value) { return oops('told'); }
  hello() { return 'hello'; }
}
const method = (name) => Object.getOwnPropertyDescriptor(Own.prototype, name);
for (const name of ['broken', 'brokenLater']) {
  Root()(Own.prototype, name, 0);
  FieldResolver(() => String, { nullable: true })(Own.prototype, name, method(name));
}
Query(() => String)(Own.prototype, 'hello', method('hello'));
Arg('how', () => String)(Own.prototype, 'told', 0);
Subscription(() => Int, { nullable: true, subscribe: ({ args }) => iterators[args.how]() })(Own.prototype, 'told', method('told'));
Resolver(() => LiveIssues)(Own);

let asked = 0;
export const custom = {
  resolvers: [Own],
  pubSub: createPubSub(),
  observe: () => oops('observe'),
  hooks: { 'live.projects': { onRead: () => { asked += 1; if (asked > 1) oops('onRead'); return undefined; } } },
};
`;

let live: Live;
beforeAll(async () => {
  live = await openLive('wal', [], custom);
});
afterAll(() => live.stop());

const isAlive = async (server: ServedServer): Promise<void> => {
  expect((await server.get('/health/live')).status).toBe(200);
};

describe.each([
  ['alone', () => Promise.resolve({ APP_CONSOLE: 'false' })],
  [
    'with console, mount and metrics',
    async () => ({ APP_CONSOLE: 'true', APP_REST_POSTGREST: '/rest/v1', APP_METRICS_PORT: String(await freePort()) }),
  ],
])('a server with a feed, %s', (_name, environmentOf) => {
  let server: ServedServer;
  beforeAll(async () => {
    server = await live.start({ APP_LOG_LEVEL: 'silent', ...(await environmentOf()) });
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test('what throws ends at most its own subscription', async () => {
    const client = openClient(server);
    const plain = await watch(client, 'subscription { liveIssuesChanges { operation data { title } } }');
    const broken = [
      await watch(client, 'subscription { liveIssuesChanges { data { broken } } }'),
      await watch(client, 'subscription { liveIssuesChanges { data { brokenLater } } }'),
      await watch(client, 'subscription { liveProjectsChanges { data { name } } }'),
      await watch(client, 'subscription { liveThingsChanges { data { name liveProjectId { name } } } }'),
    ];
    for (const how of ['subscribe', 'rejects', 'iterator', 'next', 'later', 'never', 'nothing', 'unknown'])
      broken.push(await watch(client, `subscription { told(how: "${how}") }`));
    await live.run(`insert into live.issues (title) values ('thrown'), ('fine')`);
    await live.run(`insert into live.things values (${String(Date.now() % 1e6)}, 'thing')`);
    await live.run(`update live.projects set name = name || '.'`);
    await plain.until((events) => events.some(({ data }) => data?.['title'] === 'fine'));
    for (const each of broken) each.stop();
    await isAlive(server);
    // A client that leaves in the middle of all of it.
    const leaving = openClient(server);
    for (const how of ['never', 'later', 'next']) await watch(leaving, `subscription { told(how: "${how}") }`);
    await leaving.dispose();
    const stream = new AbortController();
    await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { told(how: "never") }' }),
      signal: stream.signal,
    });
    stream.abort();
    await live.run(`insert into live.issues (title) values ('thrown'), ('after')`);
    await plain.until((events) => events.some(({ data }) => data?.['title'] === 'after'));
    await isAlive(server);
    plain.stop();
    await client.dispose();
  });

  test('frames and documents by chance end at most their own connection', async () => {
    await sendFrames(server, 60);
    await sendDocuments(server, 30);
    await isAlive(server);
  });
});
