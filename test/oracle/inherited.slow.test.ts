import { runInheritedRound } from './inherited/round.js';

/**
 * Random requests about inherited tables of PostgreSQL, whose keys are not those of all their rows,
 * against naive SQL on a copy. CONTRIBUTING.md has the command for more of them.
 */

const seed = Number(process.env['ORACLE_SEED'] ?? '45');
const requests = Number(process.env['ORACLE_REQUESTS'] ?? '400');
/** Each hierarchy takes so many requests at most. */
const perRound = 200;
const rounds = Array.from({ length: Math.ceil(requests / perRound) }, (_, at) => ({
  seed: seed + at,
  requests: Math.min(perRound, requests - at * perRound),
}));

/** MariaDB has no inherited tables. */
const isAsked = (process.env['ORACLE_DATABASE'] ?? 'postgres') === 'postgres';

(isAsked ? test : test.skip).each(rounds)('seed $seed, $requests requests', async (round) => {
  const counts = await runInheritedRound(round);
  if (process.env['ORACLE_VERBOSE'] !== undefined) console.log(round, counts);
  if (round.requests < 200) return;
  for (const kind of ['GraphQL list', '/rest/v1 list', 'pages', 'GraphQL update'])
    expect(counts.get(`${kind} done`) ?? 0).toBeGreaterThan(0);
});
