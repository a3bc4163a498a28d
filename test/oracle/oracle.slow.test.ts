import { variantsWhere } from '../support/describe-where.js';
import { runRound } from './round.js';
import type { DatabaseName } from './schema.js';

/**
 * Random requests to a server and to one whose caches never hit give the same answers and leave
 * the same rows, and simple reads give the rows that SQL of the test finds. CONTRIBUTING.md has the
 * command for more of them.
 */

const seed = Number(process.env['ORACLE_SEED'] ?? '28');
/** The smallest number with which each expectation below holds; `npm run oracle` sends more. */
const requests = Number(process.env['ORACLE_REQUESTS'] ?? '250');
const only = process.env['ORACLE_DATABASE'];

/** Each schema takes so many requests at most. */
const perRound = 1000;
/** One of so many rounds has subscriptions. */
const subscribing = 4;
const rounds = Array.from({ length: Math.ceil(requests / perRound) }, (_, at) => ({
  seed: seed + at,
  requests: Math.min(perRound, requests - at * perRound),
  subscribes: at % subscribing === 0,
}));

const databases: readonly DatabaseName[] = ['postgres', ...variantsWhere('mariadb', 'mariadb')];

describe.each(databases.filter((name) => only === undefined || only === name))('%s', (database) => {
  test.each(rounds)('seed $seed, $requests requests', async (round) => {
    const { statuses, referenced, hits, events } = await runRound({ database, ...round });
    if (process.env['ORACLE_VERBOSE'] !== undefined) console.log(database, round, statuses, referenced, hits, events);
    expect(hits.cold).toBe(0);
    if (round.requests < 100) return;
    expect(hits.warm).toBeGreaterThan(0);
    if (events !== undefined) expect(events).toBeGreaterThan(0);
    expect(referenced).toBeGreaterThan(round.requests / 25);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(round.requests / 4);
    expect(statuses.get(201) ?? 0).toBeGreaterThan(0);
  });
});
