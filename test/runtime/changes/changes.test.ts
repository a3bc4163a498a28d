import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
  type IntrospectionQuery,
} from 'graphql';
import type { Client } from 'graphql-ws';
import { generate } from '../../support/served-database.js';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { once, openClient, openLive, watch, type Live } from './support/live.js';
import { scratchFolder } from '../../support/scratch-folder.js';

let live: Live;
let server: ServedServer;
let client: Client;

beforeAll(async () => {
  live = await openLive();
  server = await live.start({ APP_LOG_LEVEL: 'warn' });
  client = openClient(server);
});
afterAll(async () => {
  await client.dispose();
  expect(await server.stop()).toBe(0);
  await live.stop();
});

const issues = (rest = ''): string =>
  `subscription ($where: LiveIssuesWhereInput, $operations: [ChangeOperation!]) {
    liveIssuesChanges(where: $where, operations: $operations) { operation key data { id title } ${rest} } }`;
const issueEvent = (operation: string, id: number, title?: string): object => ({
  operation,
  key: { id },
  data: title === undefined ? null : { id, title },
});

describe('what is told', () => {
  test('what psql writes, as a query shows it: relations, digits, another name', async () => {
    const document = `subscription { told: liveIssuesChanges { __typename operation schema table timestamp key error
      row: data { id votes liveProjectId { name } } } }`;
    const watching = await watch(client, document);
    await live.run(`insert into live.issues values (1, 1, 'first', 9007199254740993)`);
    await watching.until(({ length }) => length === 1);
    expect(watching.events).toEqual([
      {
        __typename: 'LiveIssuesChange',
        operation: 'INSERT',
        schema: 'live',
        table: 'issues',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        key: { id: 1 },
        error: null,
        row: { id: 1, votes: '9007199254740993', liveProjectId: { name: 'one' } },
      },
    ]);
    watching.stop();
  });

  test('operations and rows that are asked for; a row that leaves the filter is deleted to its subscriber', async () => {
    const [updates, urgent] = await Promise.all([
      watch(client, issues(), { operations: ['UPDATE'] }),
      watch(client, issues(), { where: { title: { startsWith: 'urgent' } } }),
    ]);
    const steps = [
      `insert into live.issues (id, title) values (10, 'urgent: a'), (11, 'b')`,
      `update live.issues set title = 'urgent: b' where id = 11`,
      `update live.issues set title = 'calm' where id = 10`,
      `update live.issues set title = 'calmer' where id = 10`,
      `delete from live.issues where id = 11`,
    ];
    // Each step waits until both subscribers have the event: changes in quick succession may arrive
    // as one event.
    const expected = [
      [1, 0],
      [2, 1],
      [3, 2],
      [3, 3],
      [4, 3],
    ] as const;
    for (const [at, step] of steps.entries()) {
      await live.run(step);
      await urgent.until(({ length }) => length >= (expected[at]?.[0] ?? 0));
      await updates.until(({ length }) => length >= (expected[at]?.[1] ?? 0));
    }
    expect(updates.events).toEqual([
      issueEvent('UPDATE', 11, 'urgent: b'),
      issueEvent('UPDATE', 10, 'calm'),
      issueEvent('UPDATE', 10, 'calmer'),
    ]);
    expect(urgent.events).toEqual([
      issueEvent('INSERT', 10, 'urgent: a'),
      issueEvent('UPDATE', 11, 'urgent: b'),
      issueEvent('DELETE', 10),
      issueEvent('DELETE', 11),
    ]);
    updates.stop();
    urgent.stop();
  });

  test('keys of several columns, of text, and that change', async () => {
    const watching = await watch(
      client,
      'subscription { liveSeatsChanges { operation key data { row number taken } } }',
    );
    const odd = `it's "A", {1}\\`;
    await live.run('insert into live.seats values ($1, 1)', [odd]);
    await watching.until(({ length }) => length === 1);
    await live.run('update live.seats set number = 2, taken = true');
    await watching.until(({ length }) => length === 3);
    await live.run('delete from live.seats');
    await watching.until(({ length }) => length === 4);
    expect(watching.events).toEqual([
      { operation: 'INSERT', key: { row: odd, number: 1 }, data: { row: odd, number: 1, taken: false } },
      { operation: 'DELETE', key: { row: odd, number: 1 }, data: null },
      { operation: 'INSERT', key: { row: odd, number: 2 }, data: { row: odd, number: 2, taken: true } },
      { operation: 'DELETE', key: { row: odd, number: 2 }, data: null },
    ]);
    watching.stop();
  });

  test('a transaction that is rolled back is not told; TRUNCATE and 100,000 rows are told as RESYNC', async () => {
    const watching = await watch(client, issues('error'));
    await live.run('begin; insert into live.issues (id, title) values (20, $$never$$); rollback');
    await live.run('truncate live.issues');
    await watching.until(({ length }) => length === 1);
    await live.run(`insert into live.issues (id, title) select n, 'many' from generate_series(1000, 101000) n`);
    await watching.until(({ length }) => length === 2);
    await live.run(`update live.issues set title = 'one' where id = 1000`);
    await watching.until(({ length }) => length === 3);
    expect(watching.events).toEqual([
      { operation: 'RESYNC', key: null, data: null, error: expect.stringContaining('was truncated') as string },
      { operation: 'RESYNC', key: null, data: null, error: expect.any(String) as string },
      { ...issueEvent('UPDATE', 1000, 'one'), error: null },
    ]);
    watching.stop();
    await live.run('delete from live.issues');
  });

  test('10,000 writes of six writers: each row at last as it is, none stale, none missing', async () => {
    const watching = await watch(client, 'subscription { liveIssuesChanges { operation key data { id votes } } }');
    const last = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let turn = 0; turn < 10; turn += 1) {
          const ids = Array.from({ length: 17 }, (__, at) => 5000 + writer * 100 + at);
          for (const id of ids) last.set(id, turn);
          await live.run(
            `do $$ begin for i in 1..10 loop
               insert into live.issues (id, title, votes) select id, 'x', ${turn * 10} + i from unnest('{${ids.join()}}'::int[]) id
               on conflict (id) do update set votes = excluded.votes;
             end loop; end $$`,
          );
        }
      }),
    );
    const newest = (): Map<unknown, unknown> =>
      new Map(watching.events.map(({ data }) => [data?.['id'], data?.['votes']]));
    await watching.until(() => {
      const told = newest();
      return [...last].every(([id, turn]) => told.get(id) === String(turn * 10 + 10));
    });
    // Events of a row never go back to an older state.
    const seen = new Map<unknown, number>();
    for (const { data } of watching.events) {
      // Deletions of the previous test arrive, too.
      if (data === null || data === undefined) continue;
      const votes = Number(data['votes']);
      expect(votes).toBeGreaterThanOrEqual(seen.get(data['id']) ?? 0);
      seen.set(data['id'], votes);
    }
    watching.stop();
  });
});

describe('who is told', () => {
  const notes = 'subscription { liveNotesChanges { operation key data { id owner body } old { id owner body } } }';

  test('two tenants over 11,600 writes: neither is told a key or a value of the other', async () => {
    const tokens = await Promise.all(['ann', 'bob'].map((user) => live.served.token(user, { exp: inAnHour() })));
    const clients = tokens.map((token) => openClient(server, token));
    const [ann, bob] = await Promise.all(clients.map((each) => watch(each, notes)));
    if (ann === undefined || bob === undefined) throw new Error('There are two.');
    for (let turn = 1; turn <= 12; turn += 1) {
      await live.run(
        `insert into live.notes select n, case n % 2 when 0 then 'ann' else 'bob' end, 'secret of ' || n from generate_series(1, 400) n`,
      );
      await live.run(`update live.notes set body = body || '!' where id <= 200`);
      if (turn < 12) await live.run(`delete from live.notes`);
    }
    // An update gives another user's row to this user, and the next update gives it back.
    await live.run(`update live.notes set owner = 'ann' where id = 51`);
    await ann.until((events) => events.some(({ data }) => data?.['id'] === 51));
    await live.run(`update live.notes set owner = 'bob' where id = 51`);
    await ann.until((events) => events.some(({ operation, key }) => operation === 'DELETE' && key?.['id'] === 51));
    await live.run(
      `delete from live.notes; insert into live.notes values (1000, 'ann', 'last'), (1001, 'bob', 'last')`,
    );
    await Promise.all([ann, bob].map((each) => each.until((events) => events.at(-1)?.data?.['body'] === 'last')));
    const ownersOf = (events: typeof ann.events): Set<unknown> =>
      new Set(events.flatMap(({ data }) => (data === null || data === undefined ? [] : [data['owner']])));
    expect([ownersOf(ann.events), ownersOf(bob.events)]).toEqual([new Set(['ann']), new Set(['bob'])]);
    // A policy cannot check a row that no longer exists, so no event has the old row.
    for (const { events } of [ann, bob]) expect(events.every(({ old }) => old === null)).toBe(true);
    const odd = ann.events.filter(({ key }) => Number(key?.['id']) % 2 === 1 && key?.['id'] !== 51);
    const even = bob.events.filter(({ key }) => Number(key?.['id']) % 2 === 0);
    expect([odd, even]).toEqual([[], []]);
    for (const { events } of [ann, bob]) expect(events.some(({ operation }) => operation === 'DELETE')).toBe(true);
    for (const each of clients) await each.dispose();
  });

  test('nobody is told nothing; a policy that changes holds from the next event on', async () => {
    const token = await live.served.token('cid', { exp: inAnHour() });
    const cid = openClient(server, token);
    const [named, anonymous] = await Promise.all([watch(cid, notes), watch(client, notes)]);
    await live.run(`insert into live.notes values (301, 'dora', 'hidden'), (302, 'cid', 'own')`);
    await named.until(({ length }) => length === 1);
    // Not the rows before: the other subscription may not have read them yet.
    await live.run(`create policy later on live.notes for select using (id > 302)`);
    await live.run(`insert into live.notes values (303, 'dora', 'shown')`);
    await named.until(({ length }) => length === 2);
    await live.run(`drop policy later on live.notes`);
    await live.run(`update live.notes set body = 'hidden again' where id = 303`);
    await named.until(({ length }) => length === 3);
    expect(named.events.map(({ operation, key }) => [operation, key?.['id']])).toEqual([
      ['INSERT', 302],
      ['INSERT', 303],
      ['DELETE', 303],
    ]);
    expect(JSON.stringify(anonymous.events)).not.toMatch(/cid|hidden/);
    named.stop();
    anonymous.stop();
    await cid.dispose();
  });

  test('row level security that is switched on while somebody listens holds at once', async () => {
    const watching = await watch(client, 'subscription { liveProjectsChanges { operation key data { id name } } }');
    await live.run(`update live.projects set name = 'seen' where id = 2`);
    await watching.until(({ length }) => length === 1);
    await live.run(`alter table live.projects enable row level security`);
    await live.run(`update live.projects set name = 'unseen' where id = 2`);
    await live.run(`delete from live.projects where id = 2`);
    await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    await live.run(
      `alter table live.projects disable row level security; insert into live.projects values (3, 'three')`,
    );
    await watching.until((events) => events.some(({ data }) => data?.['id'] === 3));
    expect(watching.events.map(({ operation }) => operation)).toEqual(['UPDATE', 'RESYNC', 'INSERT']);
    watching.stop();
  });

  test('a socket ends with its token: 4403', async () => {
    const token = await live.served.token('eve', { exp: Math.floor(Date.now() / 1000) + 8 });
    const closed: unknown[] = [];
    const eve = openClient(server, token, {
      retryAttempts: 0,
      on: { closed: (event: unknown) => closed.push(event) },
    });
    const watching = await watch(eve, notes);
    await until(() => Promise.resolve(watching.isOver()));
    expect(closed).toEqual([expect.objectContaining({ code: 4403 })]);
    await eve.dispose();
  });
});

describe('documents', () => {
  test('queries and mutations over the socket', async () => {
    const made = await once(
      client,
      'mutation ($row: LiveIssuesCreateInput!) { createLiveIssues(input: $row) { id votes } }',
      { row: { id: 700, title: 'x', votes: '9007199254740993' } },
    );
    expect(made).toEqual({ data: { createLiveIssues: { id: 700, votes: '9007199254740993' } } });
    const read = await once(client, '{ liveIssues(where: {id: {eq: 700}}) { title } }');
    expect(read).toEqual({ data: { liveIssues: [{ title: 'x' }] } });
  });

  test.each([
    ['subscription { liveTitlesChanges { operation } }', 'Cannot query field'],
    ['subscription { liveLogChanges { operation } }', 'Cannot query field'],
    ['subscription { liveIssuesChanges { operation } liveNotesChanges { operation } }', 'must select only one'],
    [`subscription { liveIssuesChanges(where: {id: {eq: null}}) { operation } }`, 'null'],
    ['subscription { liveIssuesChanges { ...', 'Syntax Error'],
  ])('is refused: %s', async (document, message) => {
    const watching = await watch(client, document);
    await until(() => Promise.resolve(watching.isOver()));
    expect(JSON.stringify(watching.errors)).toContain(message);
  });

  test('a subscription by a plain POST says what it needs', async () => {
    const reply = await server.ask('subscription { liveIssuesChanges { operation } }');
    expect(reply.text).toContain('text/event-stream');
  });

  test('schema.graphql of a configuration with a feed is the schema that is served', async () => {
    const folder = await scratchFolder('changes');
    try {
      await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify({ 'app.changes.source': 'wal' }));
      await generate(live.served.url, folder);
      const written = buildSchema(await readFile(join(folder, 'src/generated/schema.graphql'), 'utf8'));
      const { data } = await once(client, getIntrospectionQuery({ specifiedByUrl: true }));
      const served = buildClientSchema(data as unknown as IntrospectionQuery);
      expect(printSchema(lexicographicSortSchema(written))).toBe(printSchema(lexicographicSortSchema(served)));
      expect(printSchema(written)).toContain('liveSeatsChanges(');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;
