import type { MeasureOptions } from '../compare/cells.js';
import { measureOptions } from '../compare/options.js';
import { runTargets } from '../compare/run.js';
import { BY_HAND, summarize, whole, type Line } from '../compare/table.js';
import { fullSizes } from '../data/schema.js';
import { publish, reportOptions } from '../harness/report.js';
import { ours } from '../targets/ours.js';
import { byHand } from './target.js';

const defaults: MeasureOptions = {
  only: [],
  conditions: ['plain'],
  connections: [16],
  rounds: 3,
  seconds: 2,
  careful: true,
};

export const head: readonly string[] = [
  'workload',
  'protocol',
  'by hand, requests/s',
  'ours',
  'ratio',
  'by hand, CPU µs',
  'ours',
  'ratio',
];

/**
 * Compares the generated server with a hand-written server: the cost of generality, in processor
 * time and in rate.
 */
export async function runByHand(args: readonly string[]): Promise<void> {
  const lines = summarize((await runTargets([...byHand, ...ours], fullSizes, measureOptions(args, defaults))).cells);
  publish(
    {
      name: 'by-hand',
      head,
      rows: lines.filter(({ target }) => target !== BY_HAND).map((line) => compareRow(line, lines)),
      figures: lines,
    },
    reportOptions(args),
  );
}

/** One line of the table: the same cell for both servers. */
export function compareRow(line: Line, lines: readonly Line[]): readonly string[] {
  const { workload, what, protocol, connections } = line;
  const other = lines.find(
    (each) =>
      each.target === BY_HAND &&
      each.workload === workload &&
      each.protocol === protocol &&
      each.connections === connections,
  );
  if (other === undefined) throw new Error(`The server by hand was not measured for ${workload} in ${protocol}.`);
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
