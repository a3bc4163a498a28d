import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import {
  openClient,
  openLive,
  watch,
  type Change,
  type Live,
  type Watching,
} from '../../runtime/changes/support/live.js';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { startWorkers, workersOf } from './support.js';

const workers = 3;
const document = 'subscription { liveThingsChanges { operation key data { id name } old { name } } }';

/** Several subscriptions at each worker: a new connection is given to the one with the fewest. */
async function watchAll(server: ServedServer): Promise<{ clients: Client[]; watching: Watching[] }> {
  const clients = Array.from({ length: 4 * workers }, () => openClient(server));
  return { clients, watching: await Promise.all(clients.map((client) => watch(client, document))) };
}

const told = (events: readonly Change[]): readonly unknown[] =>
  events.filter(({ operation }) => operation !== 'RESYNC').map(({ operation, key }) => [operation, key?.['id']]);

describe.each(['wal', 'notify'] as const)('with changes from %s', (source) => {
  let live: Live;
  let server: ServedServer;
  beforeAll(async () => {
    live = await openLive(source);
    server = await startWorkers({ start: live.start }, workers);
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await live.stop();
  });

  const readers = async (): Promise<number> => {
    const sql =
      source === 'wal'
        ? 'select count(*)::int as n from pg_replication_slots'
        : `select count(*)::int as n from pg_stat_activity where application_name = 'tablewright changes'`;
    return Number((await live.run(sql))[0]?.['n']);
  };

  test('subscribers at each worker get every change once, from one reader', async () => {
    const { clients, watching } = await watchAll(server);
    expect(await readers()).toBe(1);
    const listening = `select from pg_stat_activity where application_name = 'tablewright listen'`;
    expect(await live.run(listening)).toHaveLength(1);
    const allTold = async (count: number): Promise<void> => {
      for (const each of watching) await each.until((events) => told(events).length >= count);
    };
    await live.run(`insert into live.things (id, name) select n, 'thing ' || n from generate_series(1, 50) n`);
    await allTold(50);
    for (let n = 1; n <= 20; n += 1)
      await live.run('update live.things set name = $1 where id = $2', [`new ${String(n)}`, n]);
    await allTold(70);
    await live.run('delete from live.things where id = 50');
    await allTold(71);
    const expected = [
      ...Array.from({ length: 50 }, (_, at) => ['INSERT', at + 1]),
      ...Array.from({ length: 20 }, (_, at) => ['UPDATE', at + 1]),
      ['DELETE', 50],
    ];
    for (const each of watching) expect(told(each.events)).toEqual(expected);
    for (const client of clients) await client.dispose();
    await live.run('truncate live.things');
  });

  test('event streams at each worker get every change once', async () => {
    const ended = new AbortController();
    const open = async (): Promise<AsyncIterator<string>> => {
      const { status, body } = await fetch(`${server.base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { liveThingsChanges { operation data { id } } }' }),
        signal: ended.signal,
      });
      expect(status).toBe(200);
      if (body === null) throw new Error('The stream has no body.');
      return body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    };
    const streams = await Promise.all(Array.from({ length: 2 * workers }, open));
    const read = async (stream: AsyncIterator<string>): Promise<string> => {
      let text = '';
      while (!text.includes('"INSERT"')) text += String((await stream.next()).value);
      return text;
    };
    await live.run(`insert into live.things (id, name) values (3, 'three')`);
    for (const text of await Promise.all(streams.map(read)))
      // The truncation before may be reported late, as a RESYNC.
      expect(text.match(/data: .*/g)?.filter((line) => !line.includes('"RESYNC"'))).toEqual([
        'data: {"data":{"liveThingsChanges":{"operation":"INSERT","data":{"id":3}}}}',
      ]);
    ended.abort();
    await live.run('truncate live.things');
  });

  test('rows before a change reach the workers', async () => {
    const { clients, watching } = await watchAll(server);
    await live.run(`insert into live.things (id, name) values (1, 'before')`);
    for (const each of watching) await each.until((events) => told(events).length >= 1);
    await live.run(`update live.things set name = 'after' where id = 1`);
    for (const each of watching) {
      await each.until((events) => told(events).length >= 2);
      const last = each.events.at(-1);
      expect(last).toMatchObject({ operation: 'UPDATE', old: source === 'wal' ? { name: 'before' } : null });
    }
    for (const client of clients) await client.dispose();
    await live.run('truncate live.things');
  });

  test('a worker that takes the place of a dead one gets the changes, too', async () => {
    const [killed = 0] = workersOf(server);
    process.kill(killed, 'SIGKILL');
    await until(() => Promise.resolve((server.log().match(/a worker is ready/g) ?? []).length === workers + 1));
    const { clients, watching } = await watchAll(server);
    await live.run(`insert into live.things (id, name) values (7, 'seven')`);
    for (const each of watching) await each.until((events) => told(events).length >= 1);
    for (const each of watching) expect(told(each.events)).toEqual([['INSERT', 7]]);
    expect(await readers()).toBe(1);
    for (const client of clients) await client.dispose();
    await live.run('truncate live.things');
  });

  // Only the log lists so many rows.
  if (source === 'wal')
    test('a worker that takes nothing is told later that changes are missing; others get them', async () => {
      const { clients, watching } = await watchAll(server);
      const [stalled = 0] = workersOf(server);
      process.kill(stalled, 'SIGSTOP');
      const fill = `insert into live.seats select $1 || repeat('x', 400), n from generate_series(1, 9000) n`;
      for (let n = 0; n < 8; n += 1) {
        await live.run(fill, [String(n)]);
        // The others have the time to take them.
        await sleep(500);
      }
      await live.run(`insert into live.things (id, name) values (8, 'eight')`);
      const isTold = ({ events }: Watching): boolean => events.some(({ key }) => key?.['id'] === 8);
      await until(() => Promise.resolve(watching.some(isTold)));
      process.kill(stalled, 'SIGCONT');
      const isInformed = ({ events }: Watching): boolean => events.some(({ operation }) => operation === 'RESYNC');
      for (const each of watching) await each.until(() => isTold(each) || isInformed(each));
      expect(watching.some((each) => isInformed(each) && !isTold(each))).toBe(true);
      // A slow machine may need another RESYNC, which may stand for some of these.
      let id = 1_000;
      await until(async () => {
        await live.run(`insert into live.things (id, name) values ($1, 'later')`, [(id += 1)]);
        return watching.every(({ events }) => events.some(({ key }) => Number(key?.['id']) > 1_000));
      });
      for (const client of clients) await client.dispose();
    });

  test('a migration is followed by all workers, and their subscribers go on', async () => {
    const { clients, watching } = await watchAll(server);
    await live.run(`alter table live.things add column colour text; notify tablewright`);
    const asked = async (): Promise<boolean> => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => server.ask('{ liveThings { id colour } }')));
      return answers.every(({ text }) => !text.includes('errors'));
    };
    await until(asked);
    await live.run(`insert into live.things (id, name, colour) values (99, 'new', 'red')`);
    for (const each of watching) await each.until((events) => events.some(({ key }) => key?.['id'] === 99));
    await until(async () => (await readers()) === 1);
    // A worker that starts now serves the changed API from its first request on.
    const [killed = 0] = workersOf(server);
    const ready = (): number => (server.log().match(/a worker is ready/g) ?? []).length;
    const before = ready();
    process.kill(killed, 'SIGKILL');
    await until(async () => {
      expect(await asked()).toBe(true);
      return ready() > before;
    });
    for (let n = 0; n < 5; n += 1) expect(await asked()).toBe(true);
    for (const client of clients) await client.dispose();
  });
});
