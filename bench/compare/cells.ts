import { BULK_ROWS, requestsOf, workload, type Workload } from '../workloads/workloads.js';
import type { WorkloadId } from '../workloads/inputs.js';
import { checkAnswers, type Reference } from '../harness/check.js';
import { runLoad } from '../harness/load.js';
import { progress } from '../harness/report.js';
import { measureRound, MOST_OF_OTHERS, type Measured, type Round } from '../harness/round.js';
import { workloadsUnder, type Condition } from './conditions.js';
import { POOL_SIZE, type Data, type HttpRequest, type Target } from '../harness/target.js';

/** A target whose server is running. */
export interface Contender extends Measured {
  readonly target: Target;
}

export interface MeasureOptions {
  /** Empty means all. */
  readonly only: readonly string[];
  readonly conditions: readonly Condition[];
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Length of one round, in seconds. */
  readonly seconds: number;
  /**
   * Whether the run spends time on better figures: targets are warmed up, a target that answers few
   * requests in a round gets a longer round, and disturbed rounds are repeated.
   */
  readonly careful: boolean;
}

/** One line of the table: one workload, sent to one target over a number of connections. */
export interface Cell {
  readonly workload: WorkloadId;
  readonly condition: Condition;
  readonly what: string;
  readonly target: string;
  readonly protocol: Target['protocol'];
  readonly connections: number;
  readonly rounds: readonly Round[];
}

/** One target's requests for a workload. */
interface Lane {
  readonly contender: Contender;
  readonly requests: readonly HttpRequest[];
  /** Requests per second during the warm-up; Infinity without a warm-up. */
  readonly rate: number;
}

/**
 * Seconds of load before a workload is measured: V8 compiles the hot code during the first seconds.
 */
const WARM_UP = 3;

/**
 * The round of a slow target lasts until each connection has received about this many answers, and
 * at most LONGEST_ROUND seconds.
 */
const ANSWERS_PER_CONNECTION = 5;
const LONGEST_ROUND = 3;

/**
 * Most repeats of one disturbed round, and the share of all rounds of a run that may be repeats.
 */
const REPEATS = 2;
const REPEATED_AT_MOST = 1 / 16;

/**
 * Checks every answer, then measures under one condition: one workload after the other, its targets
 * in turn, round after round.
 */
export async function measureCells(
  contenders: readonly Contender[],
  data: Data,
  reference: Reference,
  options: MeasureOptions,
  condition: Condition,
): Promise<readonly Cell[]> {
  const ids = workloadsUnder(condition, options.only);
  for (const id of ids) await checkAll(id, contenders, data, reference);
  const rounds = ids.length * contenders.length * options.connections.length * options.rounds;
  const budget = { rounds: options.careful ? Math.ceil(rounds * REPEATED_AT_MOST) : 0 };
  const cells: Cell[] = [];
  for (const id of ids) {
    const lanes = await openLanes(workload(id), contenders, data, reference, options.careful);
    for (const connections of options.connections) {
      progress(`${id} ${workload(id).what}, ${condition}, ${connections} connections`);
      const measured = await measureLanes(workload(id), lanes, { ...options, connections }, reference, budget);
      cells.push(...measured.map((cell) => ({ ...cell, condition })));
    }
  }
  return cells;
}

async function checkAll(
  id: WorkloadId,
  contenders: readonly Contender[],
  data: Data,
  reference: Reference,
): Promise<void> {
  for (const { target, base } of contenders) {
    try {
      await checkAnswers(base, workload(id), target.requests(data), data, reference);
    } catch (cause) {
      throw new Error(`${target.name} (${target.protocol}) answers ${id} wrong: ${String(cause)}`, { cause });
    }
  }
}

/** The targets that have the workload, each warmed up if the run has time for a warm-up. */
async function openLanes(
  described: Workload,
  contenders: readonly Contender[],
  data: Data,
  reference: Reference,
  careful: boolean,
): Promise<readonly Lane[]> {
  const lanes: Lane[] = [];
  for (const contender of contenders) {
    const requests = requestsOf(described, contender.target.requests(data), data.sizes);
    if (requests.length === 0) continue;
    if (!careful) {
      lanes.push({ contender, requests, rate: Infinity });
      continue;
    }
    if (described.writes) await reference.reset();
    const warm = await runLoad(contender.base, { requests, connections: POOL_SIZE, seconds: WARM_UP });
    lanes.push({ contender, requests, rate: warm.requests / warm.seconds });
  }
  return lanes;
}

async function measureLanes(
  { id, what, writes }: Workload,
  lanes: readonly Lane[],
  { connections, seconds, rounds }: { readonly connections: number; readonly seconds: number; readonly rounds: number },
  reference: Reference,
  budget: { rounds: number },
): Promise<readonly Omit<Cell, 'condition'>[]> {
  const measured = new Map<Lane, Round[]>(lanes.map((lane) => [lane, []]));
  const measure = async (lane: Lane): Promise<Round> => {
    if (writes) await reference.reset();
    const needed = Math.ceil((ANSWERS_PER_CONNECTION * connections) / Math.max(1, lane.rate));
    const length = Math.max(seconds, Math.min(needed, LONGEST_ROUND));
    const round = await measureRound(lane.contender, { requests: lane.requests, connections, seconds: length });
    return { ...round, errors: round.errors + (await missingRows(id, round.requests, reference)) };
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [lane, results] of measured) {
      let result = await measure(lane);
      for (let again = 0; again < REPEATS && result.others > MOST_OF_OTHERS && budget.rounds > 0; again += 1) {
        budget.rounds -= 1;
        const repeated = await measure(lane);
        if (repeated.others < result.others) result = repeated;
      }
      results.push(result);
    }
  }
  return [...measured].map(([{ contender }, results]) => ({
    workload: id,
    what,
    target: contender.target.name,
    protocol: contender.target.protocol,
    connections,
    rounds: results,
  }));
}

/**
 * Counts answers that reported an insert although the row is missing: no status code shows this
 * error.
 */
async function missingRows(id: WorkloadId, answered: number, reference: Reference): Promise<number> {
  if (id !== 'W4' && id !== 'W4b') return 0;
  const inserted = (await reference.payments()) / (id === 'W4' ? 1 : BULK_ROWS);
  return Math.max(0, answered - inserted);
}
