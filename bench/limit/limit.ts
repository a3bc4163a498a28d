import type { MeasureOptions } from '../compare/cells.js';
import { measureOptions } from '../compare/options.js';
import { runTargets } from '../compare/run.js';
import { LIMIT, summarize, whole, type Line } from '../compare/table.js';
import { fullSizes } from '../data/schema.js';
import { publish, reportOptions } from '../harness/report.js';
import { ours } from '../targets/ours.js';
import { limit } from './target.js';

const defaults: MeasureOptions = { only: [], connections: [16], rounds: 3, seconds: 2, careful: true };

/** The generated server against the limit: what generality costs, in processor time and in rate. */
export async function runLimit(args: readonly string[]): Promise<void> {
  const lines = summarize(await runTargets([...limit, ...ours], fullSizes, measureOptions(args, defaults)));
  publish(
    {
      name: 'limit',
      head: ['workload', 'protocol', 'limit, requests/s', 'ours', 'ratio', 'limit, CPU µs', 'ours', 'ratio'],
      rows: lines.filter(({ target }) => target !== LIMIT).map((line) => compare(line, lines)),
      figures: lines,
    },
    reportOptions(args),
  );
}

/** One line of the table: the same cell of both. */
function compare(line: Line, lines: readonly Line[]): readonly string[] {
  const { workload, what, protocol, connections } = line;
  const other = lines.find(
    (each) =>
      each.target === LIMIT &&
      each.workload === workload &&
      each.protocol === protocol &&
      each.connections === connections,
  );
  if (other === undefined) throw new Error(`The limit was not measured for ${workload} in ${protocol}.`);
  const disturbed = line.disturbed + other.disturbed > 0 ? '*' : '';
  return [
    `${workload}: ${what}`,
    protocol,
    whole(other.requestsPerSecond.median),
    `${whole(line.requestsPerSecond.median)}${disturbed}`,
    (line.requestsPerSecond.median / other.requestsPerSecond.median).toFixed(2),
    other.serverMicroseconds.toFixed(0),
    line.serverMicroseconds.toFixed(0),
    (line.serverMicroseconds / other.serverMicroseconds).toFixed(2),
  ];
}
