import { variantsWhere } from '../support/describe-where.js';
import { runConditionsRound } from './conditions/round.js';
import type { DatabaseName } from './schema.js';

/**
 * Writes with `If-Match` and `If-None-Match` between changes of other clients answer what a model
 * of the rows decides, and leave its rows. CONTRIBUTING.md has the command for more of them.
 */

const seed = Number(process.env['ORACLE_SEED'] ?? '45');
const requests = Number(process.env['ORACLE_REQUESTS'] ?? '300');
const only = process.env['ORACLE_DATABASE'];

/** A round of so many writes at most ends well before the timeout of a test. */
const perRound = 2_000;
const rounds = Array.from({ length: Math.ceil(requests / perRound) }, (_, at) => ({
  seed: seed + at,
  requests: Math.min(perRound, requests - at * perRound),
}));

const databases: readonly DatabaseName[] = ['postgres', ...variantsWhere('mariadb', 'mariadb')];

describe.each(databases.filter((name) => only === undefined || only === name))('conditions on %s', (database) => {
  test.each(rounds)('seed $seed, $requests writes', async (round) => {
    const counts = await runConditionsRound({ database, ...round });
    if (process.env['ORACLE_VERBOSE'] !== undefined) console.log(database, round, counts);
    if (round.requests < 300) return;
    for (const kind of ['PATCH 200', 'PATCH 412', 'PUT 200', 'PUT 201', 'PUT 412', 'DELETE 200', 'DELETE 412'])
      expect(counts.get(kind) ?? 0).toBeGreaterThan(0);
  });
});
