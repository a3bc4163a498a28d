import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { openServed, type Served, type ServedServer } from '../support/served-as-role.js';
import { Crowd, requests, type Answered, type Asked } from './support/crowd.js';

/** The test ends connections of the server every 15 ms during concurrent reads and writes. */
const COUNT = 10_000;
/** Number of concurrent requests. */
const AT_A_TIME = 40;

let served: Served;
let server: ServedServer;

beforeAll(async () => {
  const sql = await readFile(new URL('support/crowd.sql', import.meta.url), 'utf8');
  served = await openServed({ name: 'hostile', schema: 'hostile', sql });
  server = await served.start({ APP_LOG_LEVEL: 'silent', APP_SCHEMAS: 'hostile' });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await served.drop();
});

/**
 * Ends the server's connections one by one until the returned function is called, which returns
 * their number.
 */
function killing(): () => Promise<number> {
  const client = new pg.Client(served.url);
  const login = new URL(served.roleUrl).username;
  const state = { going: true };
  const done = (async (): Promise<number> => {
    await client.connect();
    let killed = 0;
    for (let turn = 0; state.going; turn += 1) {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 order by pid offset $2 limit 1`,
        [login, turn % 7],
      );
      killed += rowCount ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await client.end();
    return killed;
  })();
  return () => {
    state.going = false;
    return done;
  };
}

/** Sends all requests, AT_A_TIME of them concurrently. */
async function askAll(crowd: Crowd, all: readonly Asked[]): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      const asked = all[at];
      if (asked !== undefined) answers[at] = await crowd.ask(asked, at);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return answers;
}

test('10,000 requests of 400 users, connections killed every 15 ms: no leak, no wrong outcome', async () => {
  const crowd = new Crowd(server);
  await crowd.enter(served);
  const all = requests(COUNT, 14);
  const stop = killing();
  const answers = await askAll(crowd, all);
  const killed = await stop();
  // Too few killed connections would prove nothing.
  expect(killed).toBeGreaterThan(50);

  const entries = new Map<string, { count: number; owners: readonly string[] }>();
  for (const { tag, owners } of await served.query<{ tag: string; owners: string[] }>(
    'select tag, array_agg(owner) as owners from ledger.entries group by tag',
  ))
    entries.set(tag, { count: owners.length, owners });
  const wrong: string[] = [];
  const seen = { done: 0, refused: 0, unknown: 0 };
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
    if (verdict === 'done' && counts.some((count) => count !== 1)) say(`done, and found ${counts.join(', ')} times`);
    if (verdict === 'refused' && counts.some((count) => count !== 0))
      say(`failed, and found ${counts.join(', ')} times`);
    if (new Set(counts).size > 1) say('half of it was done');
    if (verdict !== 'done' && user !== undefined && action !== 'refused' && !isTrouble(reply))
      say('neither done nor 503');
    if (verdict === 'unknown' && (action === 'list' || action === 'read')) say('a read has no outcome');
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  // The number of completed requests depends on the machine: on a busy machine, more connections
  // are killed per request.
  expect(seen.done).toBeGreaterThan(COUNT / 20);
  expect(answers).toHaveLength(COUNT);

  // After the killing has stopped, every request is served again.
  const after = await askAll(
    crowd,
    requests(500, 15).filter(({ user, action }) => user !== undefined && action === 'list'),
  );
  expect(after.filter(({ verdict, leaks }) => verdict !== 'done' || leaks.length > 0)).toEqual([]);
});

/** Whether the answer reports an outage: 503 over REST, an error with its code over GraphQL. */
function isTrouble({ status, headers, text }: Answered['reply']): boolean {
  if (status === 503) return headers['retry-after'] !== undefined;
  return status === 200 && /"code":"(TW013|57P0\d|08\w{3}|53300)"/.test(text);
}

function fail(): never {
  throw new Error('There is no such request.');
}
