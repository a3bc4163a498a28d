import { deepStrictEqual } from 'node:assert';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { median } from '../harness/figures.js';
import { load, type Load } from '../harness/load.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import { whileRunning, type RunningServer } from '../harness/server.js';
import { claims, startLimit, startOurs, withData, type Data } from './servers.js';
import { workloads, type Workload } from './workloads.js';

interface Comparison {
  readonly workload: string;
  readonly what: string;
  readonly protocol: string;
  readonly limit: Load;
  readonly ours: Load;
}

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly only: readonly string[];
}

/** The generated server against the limit: what generality costs, in processor time and in rate. */
export async function runLimit(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const comparisons = await withData((data) =>
    whileRunning(startOurs(data), (ours) =>
      whileRunning(startLimit(data), (limit) => compareServers(data, limit, ours, options)),
    ),
  );
  publish(
    {
      name: 'limit',
      head: ['workload', 'protocol', 'limit, requests/s', 'ours', 'ratio', 'limit, CPU µs', 'ours', 'ratio'],
      rows: comparisons.map(describe),
      figures: comparisons,
    },
    reportOptions(args),
  );
}

function readOptions(args: readonly string[]): Options {
  const options = { seconds: { type: 'string' }, rounds: { type: 'string' }, only: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const number = (value: unknown, otherwise: number): number => (typeof value === 'string' ? Number(value) : otherwise);
  return {
    seconds: number(values.seconds, 3),
    rounds: number(values.rounds, 3),
    only: typeof values.only === 'string' ? values.only.split(',') : [],
  };
}

async function compareServers(
  { url, token }: Data,
  limit: RunningServer,
  ours: RunningServer,
  options: Options,
): Promise<readonly Comparison[]> {
  const chosen = workloads(token).filter(({ id }) => options.only.length === 0 || options.only.includes(id));
  await checkAnswers(url, chosen, [limit, ours]);
  const comparisons = [];
  for (const workload of chosen) comparisons.push(await compare(workload, limit, ours, options));
  return comparisons;
}

/** Nothing is timed before both servers answer what the database says. */
async function checkAnswers(
  url: string,
  chosen: readonly Workload[],
  servers: readonly RunningServer[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const workload of chosen) {
      await client.query("set timezone to 'UTC'");
      await client.query("select set_config('request.user_id', $1, false)", [workload.authenticated ? claims.sub : '']);
      const { rows } = await client.query<string[]>({
        text: workload.sql,
        values: [...workload.parameters],
        rowMode: 'array',
      });
      const expected: unknown = JSON.parse(workload.body(rows[0] ?? []));
      for (const server of servers)
        deepStrictEqual(await answerOf(server, workload), expected, describeRequest(workload));
    }
  } finally {
    await client.end();
  }
}

async function answerOf(server: RunningServer, { request }: Workload): Promise<unknown> {
  const { method, headers, body } = request;
  const init = body === undefined ? { method, headers } : { method, headers, body };
  const response = await fetch(server.base + request.path, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${request.path} ${body ?? ''} answered ${response.status}: ${text}`);
  return JSON.parse(text) as unknown;
}

async function compare(
  workload: Workload,
  limit: RunningServer,
  ours: RunningServer,
  { seconds, rounds }: Options,
): Promise<Comparison> {
  progress(describeRequest(workload));
  const measure = (server: RunningServer, length: number): Promise<Load> =>
    load(server.base, server.pid, workload.request, length);
  await measure(limit, 1);
  await measure(ours, 1);
  const results: { limit: Load; ours: Load }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    results.push({ limit: await measure(limit, seconds), ours: await measure(ours, seconds) });
  }
  return {
    workload: workload.id,
    what: workload.what,
    protocol: workload.protocol,
    limit: middle(results.map((result) => result.limit)),
    ours: middle(results.map((result) => result.ours)),
  };
}

const middle = (loads: readonly Load[]): Load => ({
  requestsPerSecond: median(loads.map((each) => each.requestsPerSecond)),
  serverMicroseconds: median(loads.map((each) => each.serverMicroseconds)),
});

function describe({ workload, what, protocol, limit, ours }: Comparison): string[] {
  return [
    `${workload}: ${what}`,
    protocol,
    Math.round(limit.requestsPerSecond).toLocaleString('en-US'),
    Math.round(ours.requestsPerSecond).toLocaleString('en-US'),
    (ours.requestsPerSecond / limit.requestsPerSecond).toFixed(2),
    limit.serverMicroseconds.toFixed(0),
    ours.serverMicroseconds.toFixed(0),
    (ours.serverMicroseconds / limit.serverMicroseconds).toFixed(2),
  ];
}

const describeRequest = ({ id, what, protocol }: Workload): string => `${id} ${protocol}: ${what}`;
