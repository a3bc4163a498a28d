import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { whileServing } from '../compare/servers.js';
import { withData } from '../data/data.js';
import { fullSizes } from '../data/schema.js';
import { repository } from '../harness/child.js';
import { markdown, publish, reportOptions } from '../harness/report.js';
import type { Data, Start, Target } from '../harness/target.js';
import { ours } from '../targets/ours.js';
import { changes, MOST_ROWS, MOST_USERS, type Bearer, type Change } from './changes.js';
import { describeLine, digits } from './fit.js';
import { kinds, measureChange, type Lane, type Measurement, type MeasureOptions } from './measure.js';
import { curves, plot, type Curve } from './plot.js';

interface Options extends MeasureOptions {
  /** Empty means all. */
  readonly only: readonly string[];
}

interface Result {
  readonly change: Change;
  readonly measurements: readonly Measurement[];
  readonly curves: readonly Curve[];
}

const PLOTS = 'docs/plots';

/**
 * Measures the cost of one request as its rows, filters, depth and the number of users grow, and
 * the cost that each additional row, filter, level or user adds.
 */
export async function runChange(args: readonly string[]): Promise<void> {
  const results = await measure(readOptions(args));
  const plots: string[] = [];
  const report = reportOptions(args);
  for (const { change, measurements } of results) {
    const file = `${change.id}.svg`;
    // The plots are always drawn. Only --write puts them into the documentation.
    const folder = join(repository, report.write ? PLOTS : '.tmp/bench/plots');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), await plot(change, measurements));
    plots.push(`![Cost of a request by ${change.title}](${PLOTS.replace('docs/', '')}/${file})`);
  }
  const [head, rows] = [['as these grow', 'target', ...titles], results.flatMap(describeResult)];
  const page = [...plots, markdown(head, rows), details(results)].join('\n\n');
  const figures = results.map(({ change, ...result }) => ({ change: change.id, ...result }));
  publish({ name: 'change', head, rows, figures, page }, report);
}

const titles = ['server CPU, µs', 'database CPU, µs', 'latency, µs'];

function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { only: text, rounds: text, seconds: text },
    strict: false,
  });
  const number = (name: string, value: unknown, otherwise: number): number => {
    if (value === undefined) return otherwise;
    if (!(Number.isInteger(Number(value)) && Number(value) >= 1))
      throw new Error(`--${name} takes whole numbers from 1 on.`);
    return Number(value);
  };
  const only = typeof values.only === 'string' ? values.only.split(',') : [];
  const known = changes([]).map(({ id }) => id);
  const unknown = only.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new Error(`Nothing here is called ${unknown}; there are ${known.join(', ')}.`);
  return { only, rounds: number('rounds', values.rounds, 3), seconds: number('seconds', values.seconds, 1) };
}

async function measure(options: Options): Promise<readonly Result[]> {
  const { bearers, publicKey } = await issueTokens();
  const targets = [generated(publicKey), byHand(bearers)] as const;
  return await withData(fullSizes, (data, database) =>
    whileServing(targets, data, async (servers) => {
      const lane = (name: string, protocol: Lane['protocol'], { start }: Target): Lane => {
        const server = servers.get(start);
        if (server === undefined) throw new Error(`${name} does not run.`);
        return { name, protocol, base: server.base, pid: server.pid, databasePid: database.pid };
      };
      const lanes = [
        lane('tablewright REST', 'rest', targets[0]),
        lane('tablewright GraphQL', 'graphql', targets[0]),
        lane('by hand', 'rest', targets[1]),
      ];
      const results: Result[] = [];
      for (const change of changes(bearers)) {
        if (options.only.length > 0 && !options.only.includes(change.id)) continue;
        const measurements = await measureChange(change, lanes, data, options);
        results.push({ change, measurements, curves: curves(measurements) });
      }
      return results;
    }),
  );
}

/**
 * A token for each session. The data has documents of 100 users, so several tokens belong to one
 * user.
 */
async function issueTokens(): Promise<{ readonly bearers: readonly Bearer[]; readonly publicKey: string }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const bearers = Array.from({ length: MOST_USERS }, async (_, at) => {
    const claims = { sub: `user${at % 100}`, sid: `session${at}`, exp: 4_000_000_000 };
    return { token: await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey), user: claims.sub };
  });
  return { bearers: await Promise.all(bearers), publicKey: await exportSPKI(publicKey) };
}

/**
 * The generated server with its default settings, except for the row limit, which is 30 by default.
 */
function generated(publicKey: string): Target {
  const [target] = ours;
  if (target === undefined) throw new Error('There is no generated server to measure.');
  const { start } = target;
  const env = (data: Data): Readonly<Record<string, string>> => ({
    ...start.env({ ...data, publicKey }),
    APP_MAX_ROWS: String(MOST_ROWS),
  });
  return { ...target, start: { ...start, env } };
}

function byHand(bearers: readonly Bearer[]): Target {
  const start: Start = {
    args: [join(repository, 'node_modules/jiti/lib/jiti-cli.mjs'), 'bench/change/by-hand-server.ts'],
    cwd: repository,
    readyPath: '/health/ready',
    env: ({ url }) => ({ DATABASE_URL: url, BENCH_BEARERS: JSON.stringify(bearers) }),
  };
  return { name: 'by hand', protocol: 'REST', start, requests: () => ({}) };
}

/**
 * A line of the table for each target: the fixed cost of a request, and the cost of each additional
 * unit.
 */
function describeResult({ change, curves: fitted }: Result): readonly (readonly string[])[] {
  const lanes = [...new Set(fitted.map(({ lane }) => lane))];
  return lanes.map((lane) => {
    const lines = kinds.map((kind) => fitted.find((curve) => curve.lane === lane && curve.kind === kind));
    return [change.title, lane, ...lines.map((curve) => (curve ? describeLine(curve.line, change.unit) : ''))];
  });
}

function details(results: readonly Result[]): string {
  const rows = results.flatMap(({ change, measurements }) =>
    measurements.map(({ lane, x, costs }) => [
      `${x.toLocaleString('en-US')} ${change.title}`,
      lane,
      ...kinds.map((kind) => digits(costs[kind])),
    ]),
  );
  return `<details>\n<summary>Every figure</summary>\n\n${markdown(['measured at', 'target', ...titles], rows)}\n\n</details>`;
}
