import { withData } from '../data/data.js';
import type { Sizes } from '../data/schema.js';
import { withReference } from '../harness/check.js';
import type { Target } from '../harness/target.js';
import { measureCells, type Cell, type Contender, type MeasureOptions } from './cells.js';
import { whileServing } from './servers.js';

/** Starts the database and the targets, checks and measures, and stops everything. */
export async function runTargets(
  targets: readonly Target[],
  sizes: Sizes,
  options: MeasureOptions,
): Promise<readonly Cell[]> {
  return await withData(sizes, (data, database) =>
    whileServing(targets, data, (servers) =>
      withReference(data, (reference) => {
        const contenders = targets.flatMap((target): Contender[] => {
          const server = servers.get(target.start);
          return server === undefined
            ? []
            : [{ target, base: server.base, pid: server.pid, databasePid: database.pid }];
        });
        return measureCells(contenders, data, reference, options);
      }),
    ),
  );
}
