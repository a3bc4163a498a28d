import { deepStrictEqual } from 'node:assert';
import pg from 'pg';
import type { Workload } from '../workloads/workloads.js';
import type { WorkloadId } from '../workloads/inputs.js';
import { resetWrites } from '../data/schema.js';
import { canonical, type Canonical } from './canonical.js';
import type { Data, Exchange, Exchanges, HttpRequest } from './target.js';

/** The database itself, as the superuser: gives the expected answers and resets written tables. */
export interface Reference {
  expected<Id extends WorkloadId>(workload: Workload<Id>, at: number): Promise<Canonical>;
  /** The number of rows in `bench.payments`, which is empty after a reset. */
  payments(): Promise<number>;
  reset(): Promise<void>;
}

/** Connects to the database for as long as the work takes. */
export async function withReference<T>(data: Data, work: (reference: Reference) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: data.adminUrl });
  await client.connect();
  const value = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    const { rows } = await client.query<unknown[]>({ text: sql, values: [...parameters], rowMode: 'array' });
    return rows[0]?.[0];
  };
  try {
    await client.query("set timezone to 'UTC'");
    return await work({
      expected: async (workload, at) => {
        const input = workload.inputs(data.sizes)[at];
        if (input === undefined) throw new Error(`${workload.id} has no input ${at}.`);
        return canonical(await value(workload.sql, workload.parameters(input, data)));
      },
      payments: async () => Number(await value('select count(*)::integer from bench.payments', [])),
      reset: async () => {
        await client.query(resetWrites(data.sizes));
      },
    });
  } finally {
    await client.end();
  }
}

/** A sample of a workload's inputs: the first ones, one from the middle and the last one. */
export const sampled = (count: number): readonly number[] =>
  [...new Set([0, 1, Math.floor(count / 2), count - 1])].filter((at) => at >= 0 && at < count);

/**
 * Sends a server a sample of a workload's inputs and compares its answers with those of the
 * database. Skips a workload that is not among the target's exchanges. Throws with both answers
 * when they differ, and when a request fails.
 */
export async function checkAnswers<Id extends WorkloadId>(
  base: string,
  workload: Workload<Id>,
  exchanges: Exchanges,
  data: Data,
  reference: Reference,
): Promise<void> {
  const exchange: Exchange<Id> | undefined = exchanges[workload.id];
  if (exchange === undefined) return;
  const inputs = workload.inputs(data.sizes);
  for (const at of sampled(inputs.length)) {
    const input = inputs[at];
    if (input === undefined) continue;
    if (workload.writes) await reference.reset();
    const answer = await ask(base, exchange.request(input));
    const expected = await reference.expected(workload, at);
    if (isEmpty(expected))
      throw new Error(`The database has nothing for ${workload.id} to answer: what was written is not there.`);
    const given = canonical(exchange.rows(answer));
    deepStrictEqual(given, withoutOptional(expected, given, workload.optional ?? []), `${workload.id} of ${base}`);
  }
}

async function ask(base: string, { method, path, headers, body }: HttpRequest): Promise<unknown> {
  const init = body === undefined ? { method, headers } : { method, headers, body };
  const response = await fetch(base + path, init);
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `${method} ${path} ${body?.slice(0, 500) ?? ''} answered ${response.status}: ${text.slice(0, 2000)}`,
    );
  const answer = text === '' ? undefined : (JSON.parse(text) as unknown);
  // GraphQL answers a failed document with status 200.
  if (typeof answer === 'object' && answer !== null && 'errors' in answer)
    throw new Error(`${path} answered ${text.slice(0, 2000)}`);
  return answer;
}

const isEmpty = (value: Canonical): boolean =>
  value === null || value === '0' || (Array.isArray(value) && value.length === 0);

/** The expected answer without the optional members that the target does not return. */
function withoutOptional(expected: Canonical, given: Canonical, optional: readonly string[]): Canonical {
  if (!isObject(expected) || !isObject(given)) return expected;
  return Object.fromEntries(Object.entries(expected).filter(([name]) => name in given || !optional.includes(name)));
}

const isObject = (value: Canonical): value is Readonly<Record<string, Canonical>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
