import { variantsWhere } from '../support/describe-where.js';
import { runRulesRound } from './rules/round.js';
import type { DatabaseName } from './schema.js';

/**
 * A server with rules answers random requests of an identity as a server without rules on a
 * database without the hidden rows and columns, and leaves the same rows. CONTRIBUTING.md has the
 * command for more of them.
 */

const seed = Number(process.env['ORACLE_SEED'] ?? '44');
const requests = Number(process.env['ORACLE_REQUESTS'] ?? '300');
const only = process.env['ORACLE_DATABASE'];

/** Each schema takes so many requests at most: then few rows are as they were at first. */
const perRound = 300;
const rounds = Array.from({ length: Math.ceil(requests / perRound) }, (_, at) => ({
  seed: seed + at,
  requests: Math.min(perRound, requests - at * perRound),
}));

const databases: readonly DatabaseName[] = ['postgres', ...variantsWhere('mariadb', 'mariadb')];

describe.each(databases.filter((name) => only === undefined || only === name))('rules on %s', (database) => {
  test.each(rounds)('seed $seed, $requests requests', async (round) => {
    const counts = await runRulesRound({ database, ...round });
    if (process.env['ORACLE_VERBOSE'] !== undefined) console.log(database, round, counts);
    if (round.requests < 200) return;
    for (const door of ['GraphQL', 'REST', 'mount', 'MCP graphql', 'MCP query_rows'])
      expect(counts.get(`${door} 200`) ?? 0).toBeGreaterThan(0);
  });
});
