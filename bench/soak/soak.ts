import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { notifySql } from '../../runtime/src/dialect/postgres/changes/sql.js';
import { createKey, sign } from '../../test/runtime/auth/support.js';
import { buildGenerated } from '../../test/support/generated-program.js';
import { loadSql } from '../../test/support/postgres.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import { Databases, run } from './databases.js';
import { startFront, type Front } from './front.js';
import { Seen, User } from './load.js';

const sql = `
  create table notes (id bigint generated always as identity primary key, owner text not null, reference uuid not null);
  create index on notes (reference);
  create index on notes (owner, id);
  alter table notes enable row level security;
  create policy own on notes using (owner = (select nullif(current_setting('request.user_id', true), '')));
  create role soak login;
  grant usage on schema public to soak;
  grant pg_read_all_stats to soak;
  grant select, insert on notes to soak;
  ${notifySql([{ schema: 'public', name: 'notes', key: ['id'] }])}`;

const config = { schemas: ['public'], names: { schemaPrefix: 'several' } };

/** A part that is killed and brought back; `whole` waits between the two. */
interface Kill {
  readonly part: string;
  readonly kill: () => Promise<void>;
  readonly restore: () => Promise<void>;
}

interface Disturbance {
  readonly part: string;
  /** The longest time between two acknowledged writes, in ms. */
  readonly pause: number;
}

/**
 * Mixed load on three servers, a primary and two standbys behind HAProxy, while each part is killed
 * in turn. Fails where an acknowledged write is not there exactly once, a refused write is there, a
 * read with a version lacks the write, or a user sees a row of another one.
 */
export async function runSoak(args: readonly string[]): Promise<void> {
  const options = { minutes: { type: 'string' }, users: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const [minutes, users] = [Number(values.minutes ?? 10), Number(values.users ?? 8)];
  const databases = await Databases.start((url) => loadSql(url, sql));
  try {
    const program = await buildGenerated(databases.primary.url, { 'tablewright.config.json': JSON.stringify(config) });
    try {
      const key = await createKey('EdDSA');
      const [primary = '', ...replicas] = databases.all.map(({ url }) => url.replace('postgres@', 'soak@'));
      const front = await startFront(program.folder, {
        DATABASE_URL: primary,
        APP_DATASOURCE_REPLICAS: replicas.join(','),
        APP_CHANGES_SOURCE: 'notify',
        APP_SECURITY_JWT_ENABLED: 'true',
        APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
        APP_LOG_LEVEL: 'silent',
      });
      try {
        const seen = new Seen();
        const stop = new AbortController();
        const names = Array.from({ length: users }, (_, at) => `user-${String(at)}`);
        const clients = await Promise.all(
          names.map(async (name) => new User(front.base, name, await sign(key, { sub: name }), seen)),
        );
        const load = Promise.all(clients.map((user) => user.run(stop.signal, 20)));
        const disturbances = await disturb(killsOf(front, databases), seen, minutes * 60_000);
        stop.abort();
        await load;
        report(seen, disturbances, await verdict(databases.primary.url, seen), args);
      } finally {
        await front.end();
      }
    } finally {
      await program.remove();
    }
  } finally {
    await databases.remove();
  }
}

function killsOf({ proxy, broker, servers }: Front, databases: Databases): readonly Kill[] {
  const [server] = servers;
  return [
    { part: 'a server', kill: () => server.kill(), restore: () => server.start() },
    { part: 'NATS', kill: () => broker.kill(), restore: () => broker.start() },
    { part: 'a standby', kill: () => databases.crashStandby(0), restore: () => databases.startStandby(0) },
    { part: 'the other standby', kill: () => databases.crashStandby(1), restore: () => databases.startStandby(1) },
    { part: 'the primary', kill: () => databases.failOver(), restore: () => databases.rejoin() },
    { part: 'HAProxy', kill: () => proxy.kill(), restore: () => proxy.start() },
  ];
}

/** Each part in turn, as often as the time allows. Between two of them, all parts are there. */
async function disturb(kills: readonly Kill[], seen: Seen, milliseconds: number): Promise<readonly Disturbance[]> {
  const disturbances: Disturbance[] = [];
  const until = performance.now() + milliseconds;
  const third = Math.min(10_000, milliseconds / kills.length / 3);
  while (performance.now() < until) {
    for (const { part, kill, restore } of kills) {
      await sleep(third);
      seen.pause();
      await kill();
      await sleep(third);
      await restore();
      await sleep(third);
      const pause = seen.pause();
      progress(`${part} was killed: ${pause.toFixed(0)} ms without a write`);
      disturbances.push({ part, pause });
    }
  }
  return disturbances;
}

interface Verdict {
  readonly lost: number;
  readonly twice: number;
  /** Rows of writes that were answered with "nothing was written". */
  readonly refusedButThere: number;
  readonly unknownAndThere: number;
}

async function verdict(url: string, { acknowledged, refused, unknown }: Seen): Promise<Verdict> {
  const text = await run(url, `select coalesce(string_agg(reference::text, ','), '') from notes`);
  const times = new Map<string, number>();
  for (const reference of text.split(',')) times.set(reference, (times.get(reference) ?? 0) + 1);
  return {
    lost: acknowledged.filter((reference) => !times.has(reference)).length,
    twice: [...times.values()].filter((each) => each > 1).length,
    refusedButThere: refused.filter((reference) => times.has(reference)).length,
    unknownAndThere: unknown.filter((reference) => times.has(reference)).length,
  };
}

function report(seen: Seen, disturbances: readonly Disturbance[], found: Verdict, args: readonly string[]): void {
  const sorted = [...seen.milliseconds].sort((one, other) => one - other);
  const quantile = (part: number): string => `${(sorted[Math.floor(sorted.length * part)] ?? NaN).toFixed(0)} ms`;
  const longest = new Map<string, number>();
  for (const { part, pause } of disturbances) longest.set(part, Math.max(longest.get(part) ?? 0, pause));
  const rows: readonly (readonly [string, string | number])[] = [
    ['acknowledged writes', seen.acknowledged.length],
    ['of them lost', found.lost],
    ['rows that are there twice', found.twice],
    ['writes with an unknown outcome', seen.unknown.length],
    ['of them there', found.unknownAndThere],
    ['refused writes', seen.refused.length],
    ['of them there', found.refusedButThere],
    ['reads with the version of a write', seen.readsWithVersion],
    ['of them stale', seen.stale],
    ['lists', seen.lists],
    ['rows of another user', seen.foreign],
    ['events of subscriptions', seen.events],
    ['of them RESYNC', seen.resyncs],
    ['time to an answer, median and 99 %', `${quantile(0.5)}, ${quantile(0.99)}`],
    ...[...longest].map(
      ([part, pause]) => [`longest pause of writes when ${part} was killed`, `${pause.toFixed(0)} ms`] as const,
    ),
    ...[...seen.failures].sort().map(([what, count]) => [`failed: ${what}`, count] as const),
  ];
  publish(
    {
      name: 'soak',
      head: ['', 'result'],
      rows: rows.map(([what, value]) => [what, typeof value === 'number' ? value.toLocaleString('en-US') : value]),
      figures: Object.fromEntries(rows),
    },
    reportOptions(args),
  );
  const wrong = found.lost + found.twice + found.refusedButThere + seen.stale + seen.foreign;
  if (wrong > 0) throw new Error(`${String(wrong)} wrong answers.`);
}
