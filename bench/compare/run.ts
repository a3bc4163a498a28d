import { byHand, withCare } from '../by-hand/target.js';
import { withData } from '../data/data.js';
import type { DataServer } from '../data/server.js';
import type { Sizes } from '../data/schema.js';
import { withReference } from '../harness/check.js';
import { roundTrip, startDelay } from '../harness/delay.js';
import { progress } from '../harness/report.js';
import type { Data, Start, Target } from '../harness/target.js';
import { ours } from '../targets/ours.js';
import { measureCells, type Cell, type Contender, type MeasureOptions } from './cells.js';
import { DELAY_MS, durabilityOf, workloadsUnder, type Condition } from './conditions.js';
import { whileServing } from './servers.js';

export interface Outcome {
  readonly cells: readonly Cell[];
  /**
   * Round trips between server and database, in milliseconds; undefined when `distant` was not
   * measured.
   */
  readonly roundTrips: RoundTrips | undefined;
}

export interface RoundTrips {
  readonly plain: number;
  readonly distant: number;
}

/**
 * For each condition in turn: starts the database and the targets, checks, measures, and stops
 * everything.
 */
export async function runTargets(targets: readonly Target[], sizes: Sizes, options: MeasureOptions): Promise<Outcome> {
  const cells: Cell[] = [];
  let roundTrips: RoundTrips | undefined;
  for (const condition of options.conditions) {
    // The short run checks peers under `plain` only: the other conditions change the database and
    // the network, not the peers.
    const asked = options.careful || condition === 'plain' ? targets : targets.filter(({ start }) => isOurs(start));
    if (workloadsUnder(condition, options.only).length === 0) continue;
    await withData(
      sizes,
      async (data, database) => {
        if (condition !== 'distant') {
          cells.push(...(await measure(asked, { data, reached: data, database }, options, condition)));
          return;
        }
        const delay = await startDelay(data.url, DELAY_MS);
        try {
          const reached = { ...data, url: delay.via(data.url), adminUrl: delay.via(data.adminUrl) };
          roundTrips = { plain: await roundTrip(data.url), distant: await roundTrip(reached.url) };
          progress(`A round trip takes ${roundTrips.distant.toFixed(2)} ms instead of ${roundTrips.plain.toFixed(2)}`);
          const between = { data, reached, database, networkPid: delay.pid };
          cells.push(...(await measure(asked, between, options, condition)));
        } finally {
          await delay.stop();
        }
      },
      durabilityOf(condition),
    );
  }
  return { cells, roundTrips };
}

const isOurs = (start: Start): boolean => [...byHand, ...withCare, ...ours].some((target) => target.start === start);

interface Database {
  readonly data: Data;
  /** The data, as the targets reach it. */
  readonly reached: Data;
  readonly database: DataServer;
  readonly networkPid?: number;
}

const measure = (
  targets: readonly Target[],
  { data, reached, database, networkPid }: Database,
  options: MeasureOptions,
  condition: Condition,
): Promise<readonly Cell[]> =>
  whileServing(targets, reached, (servers) =>
    withReference(data, (reference) => {
      const contenders = targets.flatMap((target): Contender[] => {
        const server = servers.get(target.start);
        if (server === undefined) return [];
        const { base, pid } = server;
        return [{ target, base, pid, databasePid: database.pid, ...(networkPid === undefined ? {} : { networkPid }) }];
      });
      return measureCells(contenders, reached, reference, options, condition);
    }),
  );
