import { deepStrictEqual } from 'node:assert';
import pg from 'pg';
import { canonical } from '../harness/canonical.js';
import { median } from '../harness/figures.js';
import { progress } from '../harness/report.js';
import { measureRound, type Measured, type Round } from '../harness/round.js';
import type { Data, HttpRequest } from '../harness/target.js';
import type { Asked, Change, Step } from './changes.js';

/** One server in one protocol. */
export interface Lane extends Measured {
  readonly name: string;
  readonly protocol: 'rest' | 'graphql';
}

export const kinds = ['server', 'database', 'latency'] as const;

/**
 * The cost of one request: processor time of the server and of the database, and the median
 * latency.
 */
export type Costs = Readonly<Record<(typeof kinds)[number], number>>;

export interface Measurement {
  readonly lane: string;
  readonly x: number;
  /** Microseconds. */
  readonly costs: Costs;
}

export interface MeasureOptions {
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Checks the answers of every step, then measures the lanes in turn, round after round. The median
 * of the rounds counts.
 */
export async function measureChange(
  change: Change,
  lanes: readonly Lane[],
  data: Data,
  { rounds, seconds }: MeasureOptions,
): Promise<readonly Measurement[]> {
  for (const step of change.steps) await checkStep(step, lanes, data);
  const measurements: Measurement[] = [];
  for (const step of change.steps) {
    progress(`${step.x} ${change.title}`);
    const results = new Map<Lane, Round[]>(lanes.map((lane) => [lane, []]));
    // One round warms up before the first step and does not count.
    const warming = step === change.steps[0] ? 1 : 0;
    for (let round = -warming; round < rounds; round += 1) {
      for (const [lane, measured] of results) {
        const requests = step.asked.map((asked) => asked[lane.protocol]);
        const result = await measureRound(lane, { requests, connections: step.connections, seconds });
        if (result.errors > 0) throw new Error(`${result.errors} answers of ${lane.name} were failures.`);
        if (round >= 0) measured.push(result);
      }
    }
    for (const [{ name }, measured] of results) measurements.push({ lane: name, x: step.x, costs: costsOf(measured) });
  }
  return measurements;
}

function costsOf(rounds: readonly Round[]): Costs {
  const middle = (figure: (round: Round) => number): number => median(rounds.map(figure));
  return {
    server: middle(({ serverMicroseconds }) => serverMicroseconds),
    database: middle(({ databaseMicroseconds }) => databaseMicroseconds),
    latency: middle(({ p50 }) => p50 * 1000),
  };
}

/**
 * Checks the first and the last request of a step against the database, so that only correct
 * answers are timed.
 */
async function checkStep(step: Step, lanes: readonly Lane[], data: Data): Promise<void> {
  const client = new pg.Client({ connectionString: data.url });
  await client.connect();
  try {
    for (const asked of [step.asked[0], step.asked.at(-1)]) {
      if (asked === undefined) continue;
      const expected = await answerOfDatabase(client, step, asked);
      if (Array.isArray(expected) && expected.length === 0) throw new Error(`Nothing is to be answered at ${step.x}.`);
      for (const { name, base, protocol } of lanes) {
        deepStrictEqual(
          canonical(listOf(await ask(base, asked[protocol]))),
          canonical(expected),
          `${name} at ${step.x}`,
        );
      }
    }
  } finally {
    await client.end();
  }
}

async function answerOfDatabase(client: pg.Client, { sql, values }: Step, { user }: Asked): Promise<unknown> {
  await client.query("select set_config('request.user_id', $1, false), set_config('timezone', 'UTC', false)", [
    user ?? '',
  ]);
  const { rows } = await client.query<string[]>({ text: sql, values: [...values], rowMode: 'array' });
  return JSON.parse(rows[0]?.[0] ?? 'null') as unknown;
}

async function ask(base: string, { method, path, headers, body }: HttpRequest): Promise<unknown> {
  const response = await fetch(base + path, body === undefined ? { method, headers } : { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} ${body ?? ''} answered ${response.status}: ${text}`);
  return JSON.parse(text) as unknown;
}

/** The list in the envelope of a REST or GraphQL answer. */
function listOf(answer: unknown): unknown {
  const { data } = answer as { data: unknown };
  return Array.isArray(data) ? data : (data as { list?: unknown } | null)?.list;
}
