import { isDeepStrictEqual } from 'node:util';
import { onPostgres, type Ruled } from '../../runtime/rules/support/ruled.js';
import { Random } from '../random.js';
import { Questions, type Outcome, type Question } from './questions.js';
import { randomHierarchy } from './schema.js';
import { Twin } from './twin.js';

export interface InheritedRound {
  readonly seed: number;
  readonly requests: number;
}

/**
 * Sends random requests about a random hierarchy of inherited tables, and compares the answers and
 * the rows with those of naive SQL on a copy. Every second round has rules of rows.
 * @returns how many requests of each kind succeeded, and how many were refused
 */
export async function runInheritedRound({ seed, requests }: InheritedRound): Promise<ReadonlyMap<string, number>> {
  const random = new Random(seed);
  const isRuled = seed % 2 === 1;
  const hierarchy = randomHierarchy(random, isRuled);
  const rule = { read: { shown: { eq: true } } };
  const served = await onPostgres({
    name: 'oracle_inherited',
    sql: hierarchy.sql,
    rules: (schema) =>
      isRuled
        ? Object.fromEntries(
            hierarchy.tables.map(({ name, hasKey }) => [
              `${schema}.${name}`,
              hasKey ? rule : { ...rule, write: false },
            ]),
          )
        : {},
    environment: { APP_REST_POSTGREST: '/rest/v1', APP_LOG_LEVEL: 'error' },
  });
  const twin = await Twin.open(hierarchy);
  const counts = new Map<string, number>();
  try {
    const questions = new Questions(random, hierarchy.tables, served, twin);
    for (let number = 1; number <= requests; number += 1) {
      const question = questions.next();
      const problem = await difference(question, served, twin);
      if (problem instanceof Error) {
        problem.message = `seed ${String(seed)}, request ${String(number)}: ${question.text}\n${problem.message}
Again: npm run oracle -- --database=postgres --seed=${String(seed)} --requests=${String(number)}`;
        throw problem;
      }
      const kind = `${question.kind} ${problem}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  } finally {
    await served.stop();
    await twin.close();
  }
}

async function difference(
  { ask, expected, writes }: Question,
  served: Ruled,
  twin: Twin,
): Promise<'done' | 'refused' | Error> {
  const answer = await ask();
  const wanted = await expected().catch((error: unknown): Outcome => ({ refused: String(error) }));
  const same = 'refused' in answer ? 'refused' in wanted : isDeepStrictEqual(sorted(answer), sorted(wanted));
  if (!same || failed(answer)) return new Error(`${JSON.stringify(answer)}\nSQL: ${JSON.stringify(wanted)}`);
  if (writes) {
    const [rows, theirs] = [await served.rows(twin.all), await twin.run(twin.all)];
    if (!isDeepStrictEqual(rows, theirs))
      return new Error(`rows: ${JSON.stringify(without(rows, theirs))}\nSQL: ${JSON.stringify(without(theirs, rows))}`);
  }
  return 'refused' in answer ? 'refused' : 'done';
}

/** A failure of the server is no refusal, and nothing here is forbidden. */
const failed = (answer: Outcome): boolean =>
  'refused' in answer && /"code":"(TW500|INTERNAL|XX)|"status":5|permission denied/.test(answer.refused);

const without = (some: readonly object[], others: readonly object[]): readonly object[] =>
  some.filter((row) => !others.some((each) => isDeepStrictEqual(row, each)));

/** Lists without an order of the request are compared as sets. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
