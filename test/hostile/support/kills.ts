import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { Crowd, requests, type Answered, type Asked } from './crowd.js';

/** Number of concurrent requests. */
const AT_A_TIME = 40;
/** Number of successful answers after which the test ends another connection of the server. */
const ANSWERS_PER_KILL = 5;

/** The connections that a kill chooses among, in turn: those that write, busy ones, and all. */
const preferred = ['backend_xid is null', `state is not distinct from 'idle'`, 'false'];

/** Ends the server's connections, one at a time. */
interface Killer {
  /** Counts a successful answer, and ends a connection if it is time. */
  readonly answered: () => Promise<void>;
  /** Closes its own connection and returns the number of ended ones. */
  readonly close: () => Promise<number>;
}

/**
 * A kill is due after so many successful answers, not after a duration: a server that needs long to
 * open a connection would lose each one before its first answer.
 */
async function openKiller(served: Served): Promise<Killer> {
  const client = new pg.Client(served.url);
  await client.connect();
  const login = new URL(served.roleUrl).username;
  const killed: number[] = [];
  let answers = 0;
  const kill = async (): Promise<void> => {
    const { rows } = await client.query<{ pid: number }>(
      `with victim as (
         select pid from pg_stat_activity where usename = $1 and pid <> all($2)
         order by (${preferred[killed.length % preferred.length] ?? 'false'}) is true, random() limit 1)
       select pid from victim where pg_terminate_backend(pid)`,
      [login, killed],
    );
    killed.push(...rows.map(({ pid }) => pid));
  };
  let last = Promise.resolve();
  return {
    answered: async () => {
      answers += 1;
      if (answers % ANSWERS_PER_KILL !== 0) return;
      // Only this client waits: the server is busy with the requests of the others.
      last = last.then(kill);
      await last;
    },
    close: async () => {
      await last;
      await client.end();
      return killed.length;
    },
  };
}

/** Sends all requests, AT_A_TIME of them concurrently. */
async function askAll(crowd: Crowd, all: readonly Asked[], killer?: Killer): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      const asked = all[at];
      if (asked === undefined) continue;
      const answer = await crowd.ask(asked, at);
      answers[at] = answer;
      if (answer.verdict === 'done') await killer?.answered();
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return answers;
}

/** Defines the test that so many requests of 400 users leak nothing while connections are ended. */
export function testKills(count: number): void {
  let served: Served;
  let server: ServedServer;

  beforeAll(async () => {
    const sql = await readFile(new URL('crowd.sql', import.meta.url), 'utf8');
    served = await openServed({ name: 'hostile', schema: 'hostile', sql });
    server = await served.start({ APP_LOG_LEVEL: 'silent', APP_SCHEMAS: 'hostile' });
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await served.drop();
  });

  test(`${count} requests of 400 users, a connection killed per ${ANSWERS_PER_KILL} answers: no leak, no wrong outcome`, async () => {
    const crowd = new Crowd(server);
    await crowd.enter(served);
    const all = requests(count, 14);
    const killer = await openKiller(served);
    const answers = await askAll(crowd, all, killer);
    const killed = await killer.close();

    const entries = new Map<string, { count: number; owners: readonly string[] }>();
    for (const { tag, owners } of await served.query<{ tag: string; owners: string[] }>(
      'select tag, array_agg(owner) as owners from ledger.entries group by tag',
    ))
      entries.set(tag, { count: owners.length, owners });
    const wrong: string[] = [];
    const seen = { done: 0, refused: 0, unknown: 0 };
    /** Number of requests that failed because a connection was ended. */
    let hit = 0;
    for (const [at, { verdict, leaks, writes, reply }] of answers.entries()) {
      const { user, protocol, action } = all[at] ?? all[0] ?? fail();
      seen[verdict] += 1;
      const say = (problem: string): unknown =>
        wrong.push(
          `${at}, ${action} over ${protocol} as ${user ?? 'nobody'}: ${problem}: ${reply.status} ${reply.text.slice(0, 200)}`,
        );
      for (const leak of leaks) say(`leak of ${leak}`);
      const counts = writes.map((tag) => entries.get(tag)?.count ?? 0);
      for (const owner of writes.flatMap((tag) => entries.get(tag)?.owners ?? []))
        if (owner !== `user${user ?? ''}`) say(`written as ${owner}`);
      if (verdict === 'done' && counts.some((found) => found !== 1)) say(`done, and found ${counts.join(', ')} times`);
      if (verdict === 'refused' && counts.some((found) => found !== 0))
        say(`failed, and found ${counts.join(', ')} times`);
      if (new Set(counts).size > 1) say('half of it was done');
      if (verdict !== 'done' && isTrouble(reply)) hit += 1;
      if (verdict !== 'done' && user !== undefined && action !== 'refused' && !isTrouble(reply))
        say('neither done nor 503');
      if (verdict === 'unknown' && (action === 'list' || action === 'read')) say('a read has no outcome');
    }
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(answers).toHaveLength(count);
    // Too few killed connections, or none that was in use, would prove nothing.
    expect(killed).toBeGreaterThan(count / ANSWERS_PER_KILL / 4);
    expect(hit).toBeGreaterThan(0);
    // Most requests are answered: only a successful answer leads to another kill.
    expect(seen.done).toBeGreaterThan(count / 2);

    // After the killing has stopped, every request is served again.
    const after = await askAll(
      crowd,
      requests(500, 15).filter(({ user, action }) => user !== undefined && action === 'list'),
    );
    expect(after.filter(({ verdict, leaks }) => verdict !== 'done' || leaks.length > 0)).toEqual([]);
  });
}

/** Whether the answer reports an outage: 503 over REST, an error with its code over GraphQL. */
function isTrouble({ status, headers, text }: Answered['reply']): boolean {
  if (status === 503) return headers['retry-after'] !== undefined;
  return status === 200 && /"code":"(TW013|57P0\d|08\w{3}|53300)"/.test(text);
}

function fail(): never {
  throw new Error('There is no such request.');
}
