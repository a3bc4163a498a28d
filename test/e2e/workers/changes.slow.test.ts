import type { Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import {
  openClient,
  openLive,
  watch,
  type Change,
  type Live,
  type Watching,
} from '../../runtime/changes/support/live.js';
import { until, type ServedProcess } from '../../support/served-as-role.js';
import { custom, oneForEach, startWorkers, workersOf } from './support.js';

const workers = 3;
const document = 'subscription { liveThingsChanges { operation key data { id name } old { name } } }';

/** Several subscriptions at each worker: a new connection is given to the one with the fewest. */
async function watchAll(server: ServedProcess): Promise<{ clients: Client[]; watching: Watching[] }> {
  const clients = Array.from({ length: 4 * workers }, () => openClient(server));
  return { clients, watching: await Promise.all(clients.map((client) => watch(client, document))) };
}

/** A subscription at each worker, by the worker's number of process. */
async function watchEach(server: ServedProcess): Promise<{ clients: Client[]; watching: Map<number, Watching> }> {
  const clients: Client[] = [];
  const watching = new Map<number, Watching>();
  for (const [pid, { agent }] of await oneForEach(server.base, workers)) {
    class AtWorker extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, { agent });
      }
    }
    const client = openClient(server, undefined, { webSocketImpl: AtWorker, retryAttempts: 0 });
    clients.push(client);
    watching.set(pid, await watch(client, document));
  }
  return { clients, watching };
}

const told = (events: readonly Change[]): readonly unknown[] =>
  events.filter(({ operation }) => operation !== 'RESYNC').map(({ operation, key }) => [operation, key?.['id']]);

describe.each(['wal', 'notify'] as const)('with changes from %s', (source) => {
  let live: Live;
  let server: ServedProcess;
  beforeAll(async () => {
    live = await openLive(source, [], custom);
    server = await startWorkers({ startProcess: live.startProcess }, workers);
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
      const { clients, watching } = await watchEach(server);
      const [stalled = 0] = watching.keys();
      const others = [...watching].filter(([pid]) => pid !== stalled).map(([, each]) => each);
      process.kill(stalled, 'SIGSTOP');
      const has = (row: number) => (events: readonly Change[]) => events.some(({ key }) => key?.['id'] === row);
      // 4.5 MB each, of which 16 MB may wait for a worker.
      const fill = `insert into live.seats select $1 || repeat('x', 400), n from generate_series(1, 9000) n`;
      for (let n = 0; n < 6; n += 1) {
        await live.run(fill, [String(n)]);
        await live.run(`insert into live.things (id, name) values ($1, 'taken')`, [100 + n]);
        // The others take all of them before more come.
        for (const each of others) await each.until(has(100 + n));
      }
      process.kill(stalled, 'SIGCONT');
      const informed = watching.get(stalled);
      const isInformed = (events: readonly Change[]): boolean => events.some(({ operation }) => operation === 'RESYNC');
      await informed?.until(isInformed);
      expect(informed?.events.some(({ key }) => key?.['id'] === 105)).toBe(false);
      // A slow machine may need another RESYNC, which may stand for some of these.
      let id = 1_000;
      const isTold = ({ events }: Watching): boolean => events.some(({ key }) => Number(key?.['id']) > 1_000);
      await until(async () => {
        await live.run(`insert into live.things (id, name) values ($1, 'later')`, [(id += 1)]);
        return [...watching.values()].every(isTold);
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
