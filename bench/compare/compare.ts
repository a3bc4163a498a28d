import { cpus } from 'node:os';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { fullSizes, smallSizes } from '../data/schema.js';
import { repository } from '../harness/child.js';
import { loadGenerator } from '../harness/load.js';
import { describeFigures, markdown, progress, publish, reportOptions, writeInto } from '../harness/report.js';
import type { MeasureOptions } from './cells.js';
import { list, measureOptions } from './options.js';
import { runTargets } from './run.js';
import { head, overview, row, summarize, type Line } from './table.js';
import { chooseTargets } from './targets.js';

const full: MeasureOptions = { only: [], connections: [1, 16, 64], rounds: 5, seconds: 1, careful: true };
const short: MeasureOptions = { only: [], connections: [16], rounds: 1, seconds: 1, careful: false };

/** Every target, every workload: the generated server, the limit and the peers. */
export async function runCompare(args: readonly string[]): Promise<void> {
  await measure(args, full, false);
}

/** The short form, on little data: do all targets answer what the database says? Its figures are too short to mean much. */
export async function runCheck(args: readonly string[]): Promise<void> {
  const lines = await measure(args, short, true);
  const failed = lines.filter(({ errors }) => errors > 0);
  if (failed.length > 0) {
    const names = failed.map((line) => `${line.workload} of ${line.target} ${line.protocol} (${line.errors})`);
    throw new Error(`Some requests under load were answered with errors: ${names.join(', ')}.`);
  }
}

async function measure(args: readonly string[], defaults: MeasureOptions, small: boolean): Promise<readonly Line[]> {
  const options = { targets: { type: 'string' }, out: { type: 'string' }, small: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const chosen = measureOptions(args, defaults);
  const targets = await chooseTargets(list(values.targets));
  const cells = await runTargets(targets, small || values.small === true ? smallSizes : fullSizes, chosen);
  const lines = summarize(cells);
  const figures = { load: await loadGenerator(), ...chosen, lines, cells };
  const file = typeof values.out === 'string' ? values.out : join(repository, '.tmp', 'bench', 'compare.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(describeFigures({ name: 'compare', figures }), undefined, 2)}\n`);
  const middle = chosen.connections.includes(16) ? 16 : (chosen.connections[0] ?? 16);
  const [titles = [], ...rates] = overview(lines, middle);
  const short = markdown(titles, rates);
  const report = reportOptions(args);
  publish({ name: 'compare', head, rows: lines.map(row), figures: lines, page: page(short, lines, middle) }, report);
  if (report.write) writeInto('README.md', 'compare', `${caption(middle)}\n\n${short}`);
  progress(`All rounds are in ${relative(process.cwd(), file)}.`);
  return lines;
}

/** What docs/performance.md shows: the rates, and all of it for who opens it. */
const page = (rates: string, lines: readonly Line[], connections: number): string =>
  `${caption(connections)}\n\n${rates}\n\n` +
  `<details>\n<summary>Every figure</summary>\n\n${markdown(head, lines.map(row))}\n\n</details>`;

const caption = (connections: number): string =>
  `Requests per second over ${connections} connections on a machine of ${cpus().length} cores, which server, database and load generator ` +
  'share; _limit_ is a server written by hand for exactly these requests:';
