import { once } from 'node:events';
import type { Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live, type Watching } from './support/live.js';
import { shown } from './support/shown.js';

/** With `snapshot: true` a subscription begins with the rows as they are. */

let live: Live;
let server: ServedServer;
let nobody: Client;
let ada: Client;

beforeAll(async () => {
  live = await openLive();
  await live.run(
    `insert into live.notes select n, case when n % 2 = 0 then 'ada' else 'bob' end, 'x' from generate_series(1, 300) n`,
  );
  await live.run(`insert into live.seats select 'a"b,' || n % 7, n from generate_series(1, 200) n`);
  server = await live.start({ APP_LOG_LEVEL: 'warn', APP_MAX_ROWS: '50' });
  nobody = openClient(server);
  ada = openClient(server, await live.served.token('ada'));
});
afterAll(async () => {
  await nobody.dispose();
  await ada.dispose();
  await server.stop();
  await live.stop();
});

const ids = ({ events }: Watching): readonly unknown[] => shown(events).map(({ id }) => id);
const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('each row is reported once, as SNAPSHOT, in more pages than one', async () => {
  const seats = await watch(
    nobody,
    'subscription { liveSeatsChanges(snapshot: true) { operation key old { number } error data { row number } } }',
  );
  await seats.until((events) => events.length >= 200);
  expect(new Set(seats.events.map(({ operation }) => operation))).toEqual(new Set(['SNAPSHOT']));
  expect(seats.events[0]).toMatchObject({
    key: { row: 'a"b,0', number: 7 },
    data: { number: 7 },
    old: null,
    error: null,
  });
  expect(shown(seats.events)).toHaveLength(200);
  seats.stop();
});

test('under a policy, a row that was there before is reported when it is hidden or deleted', async () => {
  const hers = await watch(ada, 'subscription { liveNotesChanges(snapshot: true) { operation key data { id } } }');
  await hers.until((events) => events.length >= 150);
  expect(ids(hers)).toEqual(numbers(1, 150).map((n) => 2 * n));
  hers.forget();
  await live.run(`update live.notes set owner = 'bob' where id = 2`);
  await hers.until((events) => events.length > 0);
  await live.run('delete from live.notes where id in (3, 4)');
  await hers.until((events) => events.length > 1);
  await live.run(`insert into live.notes values (1000, 'ada', 'last')`);
  await hers.until((events) => events.length > 2);
  expect(hers.events.map(({ operation, key }) => [operation, key?.['id']])).toEqual([
    ['DELETE', 2],
    ['DELETE', 4],
    ['INSERT', 1000],
  ]);
  hers.stop();
});

test('with where, a row that was there before is reported when it leaves', async () => {
  const document = `subscription ($yes: Boolean) { liveNotesChanges(where: { body: { eq: "x" }, id: { lt: 30 } }, operations: [DELETE], snapshot: $yes) { operation key data { id } } }`;
  const [hers, without] = [await watch(ada, document, { yes: true }), await watch(ada, document, { yes: null })];
  await hers.until((events) => events.some(({ key }) => key?.['id'] === 28));
  await live.run(`update live.notes set body = 'y' where id = 28`);
  await hers.until((events) => events.some(({ operation }) => operation === 'DELETE'));
  expect(hers.events.at(-1)).toMatchObject({ operation: 'DELETE', key: { id: 28 } });
  expect(without.events).toEqual([]);
  for (const each of [hers, without]) each.stop();
});

test('a RESYNC is followed by the rows as they are', async () => {
  const projects = await watch(
    nobody,
    'subscription { liveProjectsChanges(snapshot: true) { operation key data { id } } }',
  );
  await projects.until((events) => events.length >= 2);
  projects.forget();
  await live.run('truncate live.projects cascade');
  await projects.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
  await live.run(`insert into live.projects values (7, 'seven')`);
  await projects.until((events) => events.some(({ key }) => key?.['id'] === 7));
  expect(ids(projects)).toEqual([7]);
  projects.stop();
});

test('more rows than a subscription remembers end it, and none is reported', async () => {
  await live.run(`insert into live.day_notes select n, 1, 'x' from generate_series(1, 10001) n`);
  const document =
    'subscription ($where: LiveDayNotesWhereInput) { liveDayNotesChanges(where: $where, snapshot: true) { operation key data { day_no } } }';
  const all = await watch(nobody, document);
  await expect(all.until((events) => events.length > 0)).rejects.toThrow('TW011');
  expect(all.events).toEqual([]);
  const few = await watch(nobody, document, { where: { day_no: { lte: 3 } } });
  await few.until((events) => events.length === 3);
  few.stop();
});

test('what a client shows is what a query answers, however rows change while the snapshot is read', async () => {
  const document = `subscription { liveThingsChanges(where: { name: { eq: "in" } }, snapshot: true) { operation key data { id size } } }`;
  const write = async (turn: number): Promise<void> => {
    const id = turn % 97;
    await live.run(
      turn % 5 === 0
        ? 'delete from live.things where id = $1 and $2::int >= 0'
        : `insert into live.things (id, name, size) values ($1, case when $2::int % 3 = 0 then 'out' else 'in' end, $2)
           on conflict (id) do update set name = excluded.name, size = excluded.size`,
      [id, turn],
    );
  };
  const watching: Watching[] = [];
  for (let turn = 0; turn < 600; turn += 1) {
    await write(turn * 7);
    if (turn % 60 === 59) watching.push(await watch(turn % 120 === 59 ? ada : nobody, document));
  }
  await live.run(`insert into live.things (id, name, size) values (1000, 'in', 1)`);
  for (const each of watching) await each.until((events) => events.some(({ key }) => key?.['id'] === 1000));
  const rows = await live.run(`select id, size::float8 as size from live.things where name = 'in' order by id`);
  for (const each of watching) {
    expect(shown(each.events)).toEqual(rows);
    each.stop();
  }
});

describe('a client that reads slowly receives all rows, and is not cut off', () => {
  const document =
    'subscription { liveThingsChanges(where: { name: { like: "long%" } }, snapshot: true) { key data { name } } }';
  beforeAll(() =>
    live.run(
      `insert into live.things (id, name) select 2000 + n, 'long' || repeat('x', 40000) from generate_series(1, 300) n`,
    ),
  );

  test('over a WebSocket', async () => {
    const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    let count = 0;
    const all = new Promise<void>((resolve, reject) => {
      socket.on('close', (code) => {
        reject(new Error(`closed: ${String(code)}`));
      });
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { type: string };
        if (type === 'connection_ack')
          socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: document } }));
        if (type !== 'next') return;
        count += 1;
        if (count === 300) resolve();
        // Reads one message for each turn of its own loop.
        socket.pause();
        setImmediate(() => {
          socket.resume();
        });
      });
    });
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await all;
    socket.removeAllListeners('close');
    socket.close();
    await once(socket, 'close');
  });

  test('as an event stream', async () => {
    const ended = new AbortController();
    const response = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: document }),
      signal: ended.signal,
    });
    let text = '';
    const reader = response.body?.getReader();
    while (text.split('event: next').length <= 300) {
      const { value, done = true } = (await reader?.read()) ?? {};
      if (done) break;
      text += Buffer.from(value ?? []).toString();
    }
    expect(text.split('event: next')).toHaveLength(301);
    ended.abort();
    expect(text).not.toContain('errors');
  });
});
