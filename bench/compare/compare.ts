import { cpus } from 'node:os';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { fullSizes, smallSizes } from '../data/schema.js';
import { repository } from '../harness/child.js';
import { loadGenerator } from '../harness/load.js';
import { describeFigures, markdown, progress, publish, reportOptions, writeInto } from '../harness/report.js';
import type { MeasureOptions } from './cells.js';
import { before, withSettings } from '../targets/ours.js';
import { conditions, DELAY_MS } from './conditions.js';
import { list, measureOptions } from './options.js';
import { runTargets, type RoundTrips } from './run.js';
import { distantOverview, head, overview, row, summarize, type Line } from './table.js';
import { chooseTargets } from './targets.js';

const full: MeasureOptions = { only: [], conditions, connections: [1, 16, 64], rounds: 5, seconds: 1, careful: true };
const short: MeasureOptions = { only: [], conditions, connections: [16], rounds: 1, seconds: 1, careful: false };

/**
 * Compares every target on every workload: the generated server, a hand-written server and the
 * peers.
 */
export async function runCompare(args: readonly string[]): Promise<void> {
  await measure(args, full, false);
}

/**
 * The short form, on little data, checks that all targets give the database's answers. Its figures
 * are too short to mean much.
 */
export async function runCheck(args: readonly string[]): Promise<void> {
  const lines = await measure(args, short, true);
  const failed = lines.filter(({ errors }) => errors > 0);
  if (failed.length > 0) {
    const names = failed.map((line) => `${line.workload} of ${line.target} ${line.protocol} (${line.errors})`);
    throw new Error(`Some requests under load were answered with errors: ${names.join(', ')}.`);
  }
}

async function measure(args: readonly string[], defaults: MeasureOptions, small: boolean): Promise<readonly Line[]> {
  const options = {
    targets: { type: 'string' },
    before: { type: 'string' },
    with: { type: 'string' },
    out: { type: 'string' },
    small: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const chosen = measureOptions(args, defaults);
  const earlier = typeof values.before === 'string' ? before(values.before) : [];
  const set = typeof values.with === 'string' ? withSettings(assignments(values.with)) : [];
  const targets = [...(await chooseTargets(list(values.targets))), ...earlier, ...set];
  const { cells, roundTrips } = await runTargets(
    targets,
    small || values.small === true ? smallSizes : fullSizes,
    chosen,
  );
  const lines = summarize(cells);
  const figures = { load: await loadGenerator(), ...chosen, roundTrips, lines, cells };
  const file = typeof values.out === 'string' ? values.out : join(repository, '.tmp', 'bench', 'compare.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(describeFigures({ name: 'compare', figures }), undefined, 2)}\n`);
  const middle = chosen.connections.includes(16) ? 16 : (chosen.connections[0] ?? 16);
  const [titles = [], ...times] = overview(lines, middle);
  const short = markdown(titles, times);
  const report = reportOptions(args);
  publish(
    {
      name: 'compare',
      head,
      rows: lines.map(row),
      figures: lines,
      page: page({ times: short, lines, connections: middle, roundTrips }),
    },
    report,
  );
  if (report.write) writeInto('README.md', 'compare', `${caption(middle)}\n\n${short}`);
  progress(`All rounds are in ${relative(process.cwd(), file)}.`);
  return lines;
}

interface Page {
  readonly times: string;
  readonly lines: readonly Line[];
  readonly connections: number;
  readonly roundTrips: RoundTrips | undefined;
}

/**
 * The section of bench/results.md: processor times, rates with network delay, and the full table
 * in a collapsible section.
 */
function page({ times, lines, connections, roundTrips }: Page): string {
  const [titles, ...distant] = distantOverview(lines, connections) ?? [];
  const network =
    titles === undefined || roundTrips === undefined
      ? []
      : [
          `Requests per second with a network of ${DELAY_MS} ms in each direction between server and database: a round trip took ` +
            `${roundTrips.distant.toFixed(2)} ms instead of ${roundTrips.plain.toFixed(2)}.`,
          markdown(titles, distant),
        ];
  const figures = `<details>\n<summary>Every figure</summary>\n\n${markdown(head, lines.map(row))}\n\n</details>`;
  return [caption(connections), times, ...network, figures].join('\n\n');
}

const caption = (connections: number): string =>
  `Processor time of the server for a request, over ${connections} connections on a machine of ${cpus().length} cores. _By hand_ is a server written ` +
  'for exactly these requests, over its own client of the protocol. _With care_ is the same with the guarantees about a write. The ' +
  'others are multiples of it: less is better. Commits do not wait for the disk (`synchronous_commit` and ' +
  '`full_page_writes` are off), except in the rows called _durable_:';

/** Parses `APP_METRICS_PORT=9464,APP_LOG_LEVEL=info`. */
const assignments = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').map((each) => {
      const at = each.indexOf('=');
      return [each.slice(0, at), each.slice(at + 1)] as const;
    }),
  );
