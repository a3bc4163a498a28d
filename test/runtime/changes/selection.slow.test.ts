import type { Client } from 'graphql-ws';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { once, openClient, openLive, watch, type Live, type Watching } from './support/live.js';

// A subscription may select more than the changed row: the row before the change, and fields that
// custom code resolves.

/** Decorators are called as functions, because this is JavaScript. */
const custom = `
import {
  Arg, Authorized, Ctx, FieldResolver, Int, Mutation, Resolver, Root, Subscription, UseMiddleware,
} from 'type-graphql';
import { createPubSub } from '@graphql-yoga/subscription';
import { LiveIssues } from '../generated/live/issues.table.js';

Authorized()(LiveIssues.prototype, 'project_id');
UseMiddleware(async (_action, next) => 'The ' + (await next()))(LiveIssues.prototype, 'title');

const pubSub = createPubSub();

class Own {
  shout(issue) { return issue.title.toUpperCase() + '!'; }
  async others(issue, context) {
    const { liveIssues } = await context.query('query ($id: Int!) { liveIssues(where: {id: {neq: $id}}) { id } }', { id: issue.id });
    return liveIssues.length;
  }
  ring(bell) { pubSub.publish('BELLS', bell); return true; }
  bells(bell, context) { return bell + ' for ' + (context.identity.userId ?? 'nobody'); }
  async *countdown() { for (let left = 3; left > 0; left -= 1) yield left; }
  countdownOf(left) { if (left === 2) throw new Error('Not two.'); return left; }
}
const method = (name) => Object.getOwnPropertyDescriptor(Own.prototype, name);
Root()(Own.prototype, 'shout', 0);
FieldResolver(() => String)(Own.prototype, 'shout', method('shout'));
Root()(Own.prototype, 'others', 0);
Ctx()(Own.prototype, 'others', 1);
FieldResolver(() => Int)(Own.prototype, 'others', method('others'));
Arg('bell', () => String)(Own.prototype, 'ring', 0);
Mutation(() => Boolean)(Own.prototype, 'ring', method('ring'));
Root()(Own.prototype, 'bells', 0);
Ctx()(Own.prototype, 'bells', 1);
Subscription(() => String, { topics: 'BELLS' })(Own.prototype, 'bells', method('bells'));
Authorized()(Own.prototype, 'bells', method('bells'));
Root()(Own.prototype, 'countdownOf', 0);
Subscription(() => Int, { nullable: true, name: 'countdown', subscribe: () => new Own().countdown() })(
  Own.prototype, 'countdownOf', method('countdownOf'),
);
Resolver(() => LiveIssues)(Own);

export const custom = {
  resolvers: [Own],
  pubSub,
  authChecker: ({ context }) => context.identity.userId === 'boss',
  globalMiddlewares: process.env.GUARDED !== 'yes' ? [] : [
    ({ context, info }, next) => {
      if (info.parentType.name === 'Subscription' && context.identity.userId === undefined) throw new Error('Log in.');
      return next();
    },
  ],
};
`;

let live: Live;
let server: ServedServer;
let client: Client;
let boss: Client;

const tokenOf = (user: string): Promise<string> =>
  live.served.token(user, { exp: Math.floor(Date.now() / 1000) + 3600 });

beforeAll(async () => {
  live = await openLive('wal', [], custom);
  server = await live.start({ APP_LOG_LEVEL: 'error' });
  client = openClient(server);
  boss = openClient(server, await tokenOf('boss'));
});
afterAll(async () => {
  await Promise.all([client.dispose(), boss.dispose()]);
  expect(await server.stop()).toBe(0);
  await live.stop();
});

describe('the row before the change', () => {
  const things = `subscription { liveThingsChanges { operation
    data { name } old { id name tags facts size liveProjectId { name } } key } }`;
  const made = {
    id: 1,
    name: 'a "b"\\c',
    tags: ['x', 'y, z'],
    facts: { deep: [1, { text: 'é' }], none: null },
    size: 12.5,
    liveProjectId: { name: 'one' },
  };

  test('is told of an update and a delete, in every type; several changes at once tell the first', async () => {
    const watching = await watch(client, things);
    await live.run('insert into live.things values (1, $1, $2, $3, 12.50, 1)', [made.name, made.tags, made.facts]);
    await watching.until(({ length }) => length === 1);
    await live.run(
      `begin; update live.things set name = 'second'; update live.things set name = 'third', tags = null; commit`,
    );
    await watching.until(({ length }) => length === 2);
    await live.run(`update live.things set id = 2, facts = null`);
    await watching.until(({ length }) => length === 4);
    await live.run(`delete from live.things`);
    await watching.until(({ length }) => length === 5);
    const third = { ...made, name: 'third', tags: null };
    expect(watching.events).toEqual([
      { operation: 'INSERT', data: { name: made.name }, old: null, key: { id: 1 } },
      { operation: 'UPDATE', data: { name: 'third' }, old: made, key: { id: 1 } },
      { operation: 'DELETE', data: null, old: third, key: { id: 1 } },
      { operation: 'INSERT', data: { name: 'third' }, old: null, key: { id: 2 } },
      { operation: 'DELETE', data: null, old: { ...third, id: 2, facts: null }, key: { id: 2 } },
    ]);
    watching.stop();
  });

  test('is null where the log has its key alone', async () => {
    const watching = await watch(client, 'subscription { liveIssuesChanges { operation old { title } } }');
    await live.run(`insert into live.issues (id, title) values (1, 'x')`);
    await watching.until(({ length }) => length === 1);
    await live.run(`update live.issues set title = 'y'`);
    await watching.until(({ length }) => length === 2);
    expect(watching.events[1]).toEqual({ operation: 'UPDATE', old: null });
    watching.stop();
    await live.run('delete from live.issues');
  });

  test('shows no column that the role may not read', async () => {
    const role = new URL(live.served.roleUrl).username;
    await live.run(`revoke select on live.things from ${role}; grant select (id, name) on live.things to ${role}`);
    const allowed = await watch(client, 'subscription { liveThingsChanges { old { name } } }');
    const refused = await watch(client, 'subscription { liveThingsChanges { old { size } } }');
    await until(() => Promise.resolve(refused.isOver()));
    expect(JSON.stringify(refused.errors)).toContain('FORBIDDEN');
    expect(allowed.errors).toEqual([]);
    allowed.stop();
    await live.run(`grant select on live.things to ${role}`);
  });
});

describe('fields that code of the user’s has a part in', () => {
  const document = `subscription { told: liveIssuesChanges { what: operation key
    row: data { votes named: title shout others project_id } } }`;
  const rowOf = (watching: Watching): unknown => Reflect.get(watching.events.at(-1) ?? {}, 'row');

  test('own fields, middlewares and guards take effect, each for its subscriber', async () => {
    const [anyone, chosen] = await Promise.all([watch(client, document), watch(boss, document)]);
    await live.run(`insert into live.issues values (10, 1, 'roof', 9007199254740993)`);
    await Promise.all([anyone, chosen].map((each) => until(() => Promise.resolve(each.events.length === 1))));
    const row = { votes: '9007199254740993', named: 'The roof', shout: 'ROOF!', others: 0 };
    expect(chosen.events).toEqual([{ what: 'INSERT', key: { id: 10 }, row: { ...row, project_id: 1 } }]);
    expect([rowOf(anyone), anyone.errors]).toEqual([
      { ...row, project_id: null },
      [expect.objectContaining({ path: ['told', 'row', 'project_id'] })],
    ]);
    await live.run('delete from live.issues where id = 10');
    await chosen.until(({ length }) => length === 2);
    expect(chosen.events[1]).toEqual({ what: 'DELETE', key: { id: 10 }, row: null });
    anyone.stop();
    chosen.stop();
  });

  test('a thousand changes: each row at last as it is', async () => {
    const watching = await watch(boss, document);
    await live.run(`insert into live.issues (id, title) select n, 'old' from generate_series(1, 50) n`);
    for (let turn = 0; turn < 20; turn += 1) await live.run(`update live.issues set title = $1`, [String(turn)]);
    await watching.until((events) => {
      const last = new Map(events.map((event) => [event.key?.['id'], Reflect.get(event, 'row') as { named: string }]));
      return last.size === 50 && [...last.values()].every(({ named }) => named === 'The 19');
    });
    watching.stop();
    await live.run('delete from live.issues');
  });

  test('global middlewares stand around every event', async () => {
    const guarded = await live.start({ APP_LOG_LEVEL: 'silent', GUARDED: 'yes' });
    const [nobody, named] = [openClient(guarded), openClient(guarded, await tokenOf('ann'))];
    try {
      const plain = 'subscription { liveIssuesChanges { operation data { votes } } }';
      const [refused, told] = await Promise.all([watch(nobody, plain), watch(named, plain)]);
      await live.run(`insert into live.issues values (20, 1, 'x', 9007199254740993)`);
      await told.until(({ length }) => length === 1);
      expect(told.events).toEqual([{ operation: 'INSERT', data: { votes: '9007199254740993' } }]);
      await until(() => Promise.resolve(refused.errors.length > 0));
      expect(refused.events).toEqual([]);
    } finally {
      await Promise.all([nobody.dispose(), named.dispose()]);
      await guarded.stop();
      await live.run('delete from live.issues');
    }
  });
});

describe('subscriptions of the user’s own', () => {
  const ring = (bell: string): Promise<unknown> => once(client, `mutation { ring(bell: "${bell}") }`);

  test('tell what code publishes, as their subscriber; a guard refuses them at once', async () => {
    const [refused, told] = await Promise.all([
      watch(client, 'subscription { bells }'),
      watch(boss, 'subscription { heard: bells }'),
    ]);
    await until(() => Promise.resolve(refused.isOver()));
    await ring('noon');
    await told.until(({ length }) => length === 1);
    expect([refused.events, told.events]).toEqual([[], ['noon for boss']]);
    told.stop();
  });

  test('end when their code ends; an event that fails has its error', async () => {
    const watching = await watch(client, 'subscription { countdown }');
    await until(() => Promise.resolve(watching.isOver()));
    expect([watching.events, watching.errors.length]).toEqual([[3, null, 1], 1]);
  });

  test('come as server-sent events, too', async () => {
    const response = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { countdown }' }),
    });
    const text = await response.text();
    expect(text.match(/"countdown":(\d|null)/g)).toEqual(['"countdown":3', '"countdown":null', '"countdown":1']);
    expect(text).toMatch(/event: complete/);
  });

  test('go on, as fields of one’s own do, when the API follows its database', async () => {
    const [bells, issues] = await Promise.all([
      watch(boss, 'subscription { bells }'),
      watch(boss, 'subscription { liveIssuesChanges { operation data { shout } } }'),
    ]);
    await live.run('alter table live.issues add column priority integer; notify tablewright');
    await issues.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    await live.run(`insert into live.issues (id, title) values (30, 'new')`);
    await issues.until((events) => events.some(({ data }) => data?.['shout'] === 'NEW!'));
    await ring('late');
    await bells.until(({ length }) => length === 1);
    expect(bells.events).toEqual(['late for boss']);
    bells.stop();
    issues.stop();
  });
});
