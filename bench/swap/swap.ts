import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTestDatabase, loadSql } from '../../test/support/postgres.js';
import { startStrictClient, type StrictReport } from '../../test/support/strict-client.js';
import { compile, emptyFolder, generate } from '../harness/project.js';
import { median } from '../harness/figures.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import { startServer, type RunningServer } from '../harness/server.js';
import { COLUMN, subjectOf, type Subject } from './subject.js';

/** The server's report on its own process, after a garbage collection. */
interface Inside {
  readonly heapMegabytes: number;
  /**
   * The longest task of the main thread since the last report, in milliseconds of processor time.
   */
  readonly longestSlice: number;
  /**
   * The longest delay of the event loop since the last report: by the server's tasks and by other
   * processes of the machine.
   */
  readonly longestDelay: number;
}

/**
 * A custom route that reports the heap, which is not visible from outside. A timer of 1 ms runs
 * between any two tasks, so that the thread's processor time between two of its runs is that of one
 * task. Linux reports that time: https://docs.kernel.org/scheduler/sched-stats.html
 */
const custom = `
import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Router } from 'express';
import type { CustomServer } from '@tablewright/runtime';

const file = openSync(\`/proc/self/task/\${String(process.pid)}/schedstat\`, 'r');
const bytes = Buffer.alloc(100);
const processorTime = (): number => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, 100, 0)).split(' ')[0]) / 1e6;

let last = processorTime();
let longestSlice = 0;
setInterval(() => {
  const now = processorTime();
  longestSlice = Math.max(longestSlice, now - last);
  last = now;
}, 1).unref();

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const inside = Router().get('/inside', (request, response) => {
  const measured = { longestSlice, longestDelay: delays.max / 1e6 };
  if (request.query['collect'] !== undefined) globalThis.gc?.();
  delays.reset();
  last = processorTime();
  longestSlice = 0;
  response.json({ ...measured, heapMegabytes: process.memoryUsage().heapUsed / 1e6 });
});

export const custom: CustomServer = { routes: [inside] };
`;

/**
 * Measures how a running server follows its database: the time it takes, the cost for concurrent
 * requests, and whether memory stays constant.
 */
export async function runSwap(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { tables: text, swaps: text }, strict: false });
  const swaps = Number(values.swaps ?? 200);
  const measured: Measured[] = [];
  for (const name of String(values.tables ?? 'demo,14,1000').split(','))
    measured.push(await swapAmong(subjectOf(name), swaps));
  publishFigures(measured, args);
}

async function swapAmong(subject: Subject, swaps: number): Promise<Measured> {
  const database = await createTestDatabase('bench_swap');
  let server: RunningServer | undefined;
  try {
    progress(`Creating ${subject.name}, generating and compiling`);
    for (const sql of subject.sql) await loadSql(database.url, sql);
    const folder = emptyFolder('swap');
    await generate(database.url, folder);
    writeFileSync(join(folder, 'src/custom/index.ts'), custom);
    await compile(folder);
    const environment = { DATABASE_URL: database.url, NODE_ENV: 'production', APP_LOG_LEVEL: 'error' };
    server = await startServer(['--expose-gc', 'dist/main.js'], folder, environment, '/health/ready');
    return { name: subject.name, ...(await measure(server.base, database.url, swaps, subject)) };
  } finally {
    await server?.stop();
    await database.drop();
  }
}

interface Measured extends Swapped {
  readonly name: string;
}

interface Swapped {
  readonly swaps: number;
  readonly requests: number;
  readonly failures: readonly string[];
  readonly longestRequest: number;
  /** Reads of the changed table. */
  readonly affected: StrictReport;
  /** Milliseconds from the announcement to the first answer of the new API. */
  readonly switches: readonly number[];
  /** The longest task of each swap, in processor time, and the longest delay. */
  readonly slices: readonly number[];
  readonly delays: readonly number[];
  /** The same for periods of equal length under the same requests, without a change. */
  readonly quietSlices: readonly number[];
  readonly quietDelays: readonly number[];
  /** Heap after each tenth of the swaps. */
  readonly heap: readonly number[];
}

/** The number of measured periods without a change. */
const QUIET_SPANS = 20;

/**
 * Readers of the changed table are counted separately: requests for the dropped column wait for the
 * new API.
 */
async function measure(base: string, url: string, swaps: number, subject: Subject): Promise<Swapped> {
  const inside = async (query = ''): Promise<Inside> =>
    (await (await fetch(`${base}/inside${query}`)).json()) as Inside;
  const heap: number[] = [];
  const switches: number[] = [];
  const [slices, quietSlices]: [number[], number[]] = [[], []];
  const [delays, quietDelays]: [number[], number[]] = [[], []];
  const record = async (of: number[], delayed: number[]): Promise<void> => {
    const { longestSlice, longestDelay } = await inside();
    of.push(longestSlice);
    delayed.push(longestDelay);
  };
  const client = startStrictClient(base, subject.requests, { keepAlive: 4, fresh: 2, idle: 4 });
  const readers = startStrictClient(base, [subject.affected], { keepAlive: 1, fresh: 1, idle: 0 });
  const { path, headers = {} } = subject.probe;
  for (let swap = 1; swap <= swaps; swap += 1) {
    const change = swap % 2 === 1 ? `add column ${COLUMN} text` : `drop column ${COLUMN}`;
    await inside();
    const since = performance.now();
    await loadSql(url, `alter table ${subject.changed} ${change}; notify tablewright`);
    const expected = swap % 2 === 1 ? 200 : 400;
    while ((await fetch(`${base}${path}`, { headers })).status !== expected) await delay(5);
    switches.push(performance.now() - since);
    await record(slices, delays);
    if (quietSlices.length < QUIET_SPANS) {
      await delay(switches.at(-1));
      await record(quietSlices, quietDelays);
    }
    if (swap % Math.max(1, Math.floor(swaps / 10)) !== 0) continue;
    heap.push((await inside('?collect')).heapMegabytes);
    progress(`${swap} swaps`);
  }
  const [{ requests, failures, longest }, affected] = await Promise.all([client.stop(), readers.stop()]);
  return {
    affected,
    swaps,
    requests,
    failures,
    longestRequest: longest,
    switches,
    slices,
    delays,
    quietSlices,
    quietDelays,
    heap,
  };
}

function publishFigures(measured: readonly Measured[], args: readonly string[]): void {
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  const megabytes = (value: number | undefined): string => `${(value ?? 0).toFixed(1)} MB`;
  const row = (name: string, figure: (each: Measured) => string): readonly string[] => [name, ...measured.map(figure)];
  const rows = [
    row('swaps', ({ swaps }) => String(swaps)),
    row('requests of strict clients meanwhile', ({ requests }) => requests.toLocaleString('en-US')),
    row('failed', ({ failures }) => String(failures.length)),
    row('longest request', ({ longestRequest }) => milliseconds(longestRequest)),
    row('reads of the changed table meanwhile', ({ affected }) => affected.requests.toLocaleString('en-US')),
    row('failed', ({ affected }) => String(affected.failures.length)),
    row('longest of them', ({ affected }) => milliseconds(affected.longest)),
    row('from the announcement to the new API, median', ({ switches }) => milliseconds(median(switches))),
    row('the longest', ({ switches }) => milliseconds(Math.max(...switches))),
    row('longest piece of work of the main thread, median of the swaps', ({ slices }) => milliseconds(median(slices))),
    row('the longest', ({ slices }) => milliseconds(Math.max(...slices))),
    row('the same without a swap, median', ({ quietSlices }) => milliseconds(median(quietSlices))),
    row('the longest', ({ quietSlices }) => milliseconds(Math.max(...quietSlices))),
    row('longest delay of the event loop, median of the swaps', ({ delays }) => milliseconds(median(delays))),
    row('the same without a swap, median', ({ quietDelays }) => milliseconds(median(quietDelays))),
    row('heap after a tenth of the swaps', ({ heap }) => megabytes(heap[0])),
    row('heap after all', ({ heap }) => megabytes(heap.at(-1))),
  ];
  for (const failure of new Set(measured.flatMap(({ failures, affected }) => [...failures, ...affected.failures])))
    progress(failure);
  const head = ['', ...measured.map(({ name }) => name)];
  publish({ name: 'swap', head, rows, figures: measured }, reportOptions(args));
}
