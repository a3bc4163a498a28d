import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { WebSocket } from 'ws';
import { walSql } from '../../runtime/src/dialect/postgres/changes/sql.js';
import { startEmbedded } from '../../test/support/embedded.js';
import { openServed } from '../../test/support/served-as-role.js';
import { memory, processorTime } from '../harness/processes.js';
import { repository } from '../harness/child.js';
import { compile } from '../harness/project.js';
import { startServer } from '../harness/server.js';
import { progress, publish, reportOptions } from '../harness/report.js';

/** The result of one measurement. */
interface Figures {
  readonly name: string;
  readonly subscribers: number;
  readonly identities: number;
  readonly rate: number;
  readonly messages: number;
  /**
   * Subscribers that did not receive the last change. A server may combine earlier changes into one
   * event.
   */
  readonly behind: number;
  readonly p50: number;
  readonly p99: number;
  readonly microseconds: number;
  readonly megabytes: number;
}

const sql = `create schema live;
  create table live.issues (id integer primary key, title text not null);
  create table live.notes (id integer primary key, owner text not null, title text not null);
  alter table live.notes enable row level security;
  create policy shown on live.notes using (nullif(current_setting('request.user_id', true), '') is not null);
  insert into live.issues values (1, '');
  insert into live.notes values (1, 'all', '');
  ${walSql([
    { schema: 'live', name: 'issues', key: ['id'] },
    { schema: 'live', name: 'notes', key: ['id'] },
  ])}`;

/** How a client subscribes to a server. */
interface Subscribing {
  readonly name: string;
  readonly query: string;
  readonly table: 'issues' | 'notes';
}

const ours = (table: 'issues' | 'notes', field: string): Subscribing => ({
  name: '',
  query: `subscription { ${field} { operation key data { id title } } }`,
  table,
});

/**
 * PostGraphile's subscriptions are written by hand: a trigger notifies the key, and the field reads
 * the row.
 */
const postgraphile: Subscribing = {
  name: 'PostGraphile: ',
  query: 'subscription { issueChanged { operation data { rowId title } } }',
  table: 'issues',
};
const postgraphileSql = `
  create function live.notify() returns trigger language plpgsql as $$ begin
    perform pg_notify('issues', json_build_object('operation', tg_op, 'id', new.id)::text);
    return null;
  end $$;
  create trigger notify after insert or update on live.issues for each row execute function live.notify()`;

/**
 * For each round, the number of subscribers, the number of their identities, and the number of
 * changes per second.
 */
const rounds = [
  { subscribers: 1, identities: 1, rate: 50, changes: 500 },
  { subscribers: 1_000, identities: 1, rate: 20, changes: 200 },
  { subscribers: 5_000, identities: 1, rate: 4, changes: 40 },
  { subscribers: 1_000, identities: 1_000, rate: 5, changes: 40 },
] as const;

/**
 * Measures the time from the commit of a change until each subscriber has it, over WebSockets.
 * Everything runs on one machine.
 */
export async function runChanges(args: readonly string[]): Promise<void> {
  const cluster = await startEmbedded({ settings: ['wal_level=logical', 'max_connections=100'] });
  const database = { url: cluster.url, drop: () => cluster.stop() };
  const served = await openServed({ name: 'live', schema: 'live', sql, database });
  const writer = new pg.Client(cluster.url);
  await writer.connect();
  const figures: Figures[] = [];
  let burst: Awaited<ReturnType<typeof measureBurst>>;
  try {
    for (const round of rounds) {
      progress(`${round.subscribers} subscribers, ${round.identities} identities, ${round.rate} changes a second`);
      const subscribing =
        round.identities === 1 ? ours('issues', 'liveIssuesChanges') : ours('notes', 'liveNotesChanges');
      figures.push(await withServer((base, pid) => measure(base, pid, round, subscribing)));
    }
    progress('100,000 rows in one transaction');
    burst = await withServer(measureBurst);
    await writer.query('delete from live.issues where id > 1');
    await writer.query(postgraphileSql);
    for (const round of rounds.filter(({ identities }) => identities === 1)) {
      progress(`PostGraphile: ${round.subscribers} subscribers, ${round.rate} changes a second`);
      figures.push(await withPostgraphile((base, pid) => measure(base, pid, round, postgraphile)));
    }
  } finally {
    await writer.end();
    await served.drop();
  }
  const rows = figures.map((each) => [
    `${each.name}${counted(each.subscribers, 'subscriber')}, ${counted(each.identities, 'identity', 'identities')}`,
    each.rate.toString(),
    each.p50.toFixed(1),
    each.p99.toFixed(1),
    each.microseconds.toFixed(0),
    each.megabytes.toFixed(0),
    each.behind.toString(),
  ]);
  rows.push(['100,000 rows at once', '-', '-', '-', '-', burst.megabytes.toFixed(0), `${burst.events} RESYNC`]);
  const head = ['', 'changes/s', 'p50, ms', 'p99, ms', 'server, µs/message', 'server, MB', 'not told'];
  publish({ name: 'changes', head, rows, figures: { figures, burst } }, reportOptions(args));

  async function withPostgraphile<T>(work: (base: string, pid: number) => Promise<T>): Promise<T> {
    const cwd = join(repository, 'bench/peers');
    await compile(cwd, '--noCheck');
    const environment = {
      DATABASE_URL: cluster.url,
      JWT_PUBLIC_KEY: 'none',
      POOL_SIZE: '8',
      GRAPHILE_ENV: 'production',
      NODE_ENV: 'production',
    };
    const server = await startServer(
      [join('dist', 'postgraphile', 'server/subscriptions.js')],
      cwd,
      environment,
      '/health/ready',
    );
    try {
      return await work(server.base, server.pid);
    } finally {
      await server.stop();
    }
  }

  async function withServer<T>(work: (base: string, pid: number) => Promise<T>): Promise<T> {
    const server = await served.start({
      APP_LOG_LEVEL: 'silent',
      APP_CHANGES_SOURCE: 'wal',
      APP_CHANGES_URL: cluster.url,
      APP_DATASOURCE_POOL_SIZE: '8',
    });
    try {
      for (;;) {
        const { rows: slots } = await writer.query<{ slot_name: string }>(
          'select slot_name from pg_replication_slots where active',
        );
        const [slot] = slots;
        if (slot !== undefined) return await work(server.base, Number(slot.slot_name.split('_')[1]));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      await server.stop();
    }
  }

  async function measure(
    base: string,
    pid: number,
    round: (typeof rounds)[number],
    { name, query, table }: Subscribing,
  ): Promise<Figures> {
    const { subscribers, identities, rate, changes } = round;
    const committed = new Map<number, number>();
    const delays: number[] = [];
    const upToDate = new Set<number>();
    const receive = (subscriber: number, text: string): void => {
      const now = performance.now();
      const [, change] = /"title":"(\d+)"/.exec(text) ?? [];
      const since = committed.get(Number(change));
      if (Number(change) === changes) upToDate.add(subscriber);
      if (since !== undefined) delays.push(now - since);
    };
    const sockets: WebSocket[] = [];
    for (let from = 0; from < subscribers; from += 100) {
      const some = Array.from({ length: Math.min(100, subscribers - from) }, async (_, at) => {
        const user = `user ${(from + at) % identities}`;
        return subscribe(base, await served.token(user, { exp: 4_000_000_000 }), query, (text) => {
          receive(from + at, text);
        });
      });
      sockets.push(...(await Promise.all(some)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const before = processorTime(pid);
    for (let change = 1; change <= changes; change += 1) {
      const next = performance.now() + 1_000 / rate;
      // An event may arrive before the response to the write.
      committed.set(change, performance.now());
      await writer.query(`update live.${table} set title = $1 where id = 1`, [String(change)]);
      committed.set(change, performance.now());
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    }
    for (let turn = 0; turn < 200 && upToDate.size < subscribers; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const used = processorTime(pid) - before;
    for (const socket of sockets) socket.terminate();
    delays.sort((one, other) => one - other);
    return {
      name,
      subscribers,
      identities,
      rate,
      messages: delays.length,
      behind: subscribers - upToDate.size,
      p50: delays[Math.floor(delays.length / 2)] ?? NaN,
      p99: delays[Math.floor(delays.length * 0.99)] ?? NaN,
      microseconds: used / delays.length,
      megabytes: memory(pid).peak,
    };
  }

  async function measureBurst(base: string, pid: number) {
    let events = 0;
    const token = await served.token('user', { exp: 4_000_000_000 });
    const socket = await subscribe(base, token, ours('issues', 'liveIssuesChanges').query, () => (events += 1));
    await writer.query(`insert into live.issues select n, 'x' from generate_series(2, 100001) n`);
    for (let turn = 0; turn < 400 && events === 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 25));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    socket.terminate();
    return { events, megabytes: memory(pid).peak };
  }
}

async function subscribe(
  base: string,
  token: string,
  query: string,
  receive: (text: string) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  await once(socket, 'message');
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
  socket.on('message', (data: Buffer) => {
    receive(data.toString());
  });
  return socket;
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
