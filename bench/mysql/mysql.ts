import { parseArgs } from 'node:util';
import { compareRow, head } from '../by-hand/by-hand.js';
import { byHand } from '../by-hand/target.js';
import { measureCells, type Contender, type MeasureOptions } from '../compare/cells.js';
import { measureOptions } from '../compare/options.js';
import { whileServing } from '../compare/servers.js';
import { BY_HAND, summarize, type Line } from '../compare/table.js';
import { describeData } from '../data/data.js';
import { fullSizes, smallSizes } from '../data/schema.js';
import { publish, reportOptions } from '../harness/report.js';
import type { Exchanges, Target } from '../harness/target.js';
import { peer as prisma } from '../peers/prisma/mysql-peer.js';
import { ours } from '../targets/ours.js';
import { withMariadb } from './data.js';
import { mysqlWorkloads, withMysqlReference } from './reference.js';

const defaults: MeasureOptions = {
  only: mysqlWorkloads,
  conditions: ['plain'],
  connections: [16],
  rounds: 3,
  seconds: 2,
  careful: true,
};

/**
 * The columns of the comparison with the hand-written server, with a column for the name of the
 * compared server.
 */
const named = [...head.slice(0, 3), 'server', ...head.slice(3).map((each) => (each === 'ours' ? 'it' : each))];

function namedRow(line: Line, lines: readonly Line[]): readonly string[] {
  const row = compareRow(line, lines);
  return [...row.slice(0, 3), line.target, ...row.slice(3)];
}

/**
 * Compares the generated server for MariaDB, and a peer, with a hand-written server over the same
 * driver.
 */
export async function runMysql(args: readonly string[]): Promise<void> {
  const options = measureOptions(args, defaults);
  const { values } = parseArgs({ args: [...args], options: { small: { type: 'boolean' } }, strict: false });
  const sizes = values.small === true ? smallSizes : fullSizes;
  const targets = [...byHand, ...ours, prisma].map(asked);
  const cells = await withMariadb(sizes, async (url, databasePid) => {
    const data = await describeData(url, sizes, { url });
    return whileServing(targets, data, (servers) =>
      withMysqlReference(data, (reference) => {
        const contenders = targets.flatMap((target): Contender[] => {
          const server = servers.get(target.start);
          return server === undefined ? [] : [{ target, base: server.base, pid: server.pid, databasePid }];
        });
        return measureCells(contenders, data, reference, options, 'plain');
      }),
    );
  });
  const lines = summarize(cells);
  publish(
    {
      name: 'mysql',
      head: named,
      rows: lines.filter(({ target }) => target !== BY_HAND).map((line) => namedRow(line, lines)),
      figures: lines,
    },
    reportOptions(args),
  );
}

/** A target with the workloads of MariaDB only. */
const asked = (target: Target): Target => ({
  ...target,
  requests: (data) => {
    const all = target.requests(data);
    const entries = mysqlWorkloads.map((id) => [id, all[id]]);
    return Object.fromEntries(entries) as Exchanges;
  },
});
