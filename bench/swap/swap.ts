import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTestDatabase, loadSql } from '../../test/support/postgres.js';
import { startStrictClient } from '../../test/support/strict-client.js';
import { compile, emptyFolder, generate } from '../harness/project.js';
import { median } from '../harness/figures.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import { startServer, type RunningServer } from '../harness/server.js';
import { KEY, numberOf, scaleSchema, tableName } from '../scale/schema.js';

/** What the server says of its own process, after a collection of garbage. */
interface Inside {
  readonly heapMegabytes: number;
  /** The longest time that the main thread was taken since the last answer, in milliseconds. */
  readonly longestSlice: number;
}

/** A route of the user's: nobody outside sees the heap. */
const custom = `
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Router } from 'express';
import type { CustomServer } from '@tablewright/runtime';

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const inside = Router().get('/inside', (request, response) => {
  const longestSlice = delays.max / 1e6;
  if (request.query['collect'] !== undefined) globalThis.gc?.();
  delays.reset();
  response.json({ heapMegabytes: process.memoryUsage().heapUsed / 1e6, longestSlice });
});

export const custom: CustomServer = { routes: [inside] };
`;

/** How a running server follows its database: how long it takes, what it costs the requests meanwhile, and whether memory stays what it is. */
export async function runSwap(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { tables: text, swaps: text }, strict: false });
  const [tables, swaps] = [Number(values.tables ?? 14), Number(values.swaps ?? 200)];
  const database = await createTestDatabase('bench_swap');
  let server: RunningServer | undefined;
  try {
    progress(`Creating ${tables} tables, generating and compiling`);
    for (const sql of scaleSchema(tables)) await loadSql(database.url, sql);
    const folder = emptyFolder('swap');
    await generate(database.url, folder);
    writeFileSync(join(folder, 'src/custom/index.ts'), custom);
    await compile(folder);
    const environment = { DATABASE_URL: database.url, NODE_ENV: 'production', APP_LOG_LEVEL: 'error' };
    server = await startServer(['--expose-gc', 'dist/main.js'], folder, environment, '/health/ready');
    publishFigures(tables, await measure(server.base, database.url, swaps, tableName(tables - 1)), args);
  } finally {
    await server?.stop();
    await database.drop();
  }
}

interface Measured {
  readonly swaps: number;
  readonly requests: number;
  readonly failures: readonly string[];
  readonly longestRequest: number;
  /** Milliseconds from the announcement to the first answer of the new API. */
  readonly switches: readonly number[];
  readonly slices: readonly number[];
  /** After each tenth of the swaps. */
  readonly heap: readonly number[];
}

/** @param changed the table that is changed; clients ask another one, since statements that read a dropped column fail until the swap */
async function measure(base: string, url: string, swaps: number, changed: string): Promise<Measured> {
  const inside = async (query = ''): Promise<Inside> =>
    (await (await fetch(`${base}/inside${query}`)).json()) as Inside;
  const heap: number[] = [];
  const switches: number[] = [];
  const slices: number[] = [];
  const client = startStrictClient(
    base,
    [
      { method: 'GET', path: `/api/v1/${tableName(0)}/${KEY}` },
      {
        method: 'POST',
        path: '/graphql',
        body: JSON.stringify({ query: `{ scaleTable${numberOf(0)}ByPk(id: ${KEY}) { id name } }` }),
      },
    ],
    { keepAlive: 4, fresh: 2, idle: 4 },
  );
  for (let swap = 1; swap <= swaps; swap += 1) {
    const change = swap % 2 === 1 ? 'add column swapped text' : 'drop column swapped';
    await inside();
    const since = performance.now();
    await loadSql(url, `alter table scale.${changed} ${change}; notify tablewright`);
    while ((await fetch(`${base}/api/v1/${changed}?select=swapped&limit=1`)).ok !== (swap % 2 === 1)) await delay(5);
    switches.push(performance.now() - since);
    slices.push((await inside()).longestSlice);
    if (swap % Math.max(1, Math.floor(swaps / 10)) !== 0) continue;
    heap.push((await inside('?collect')).heapMegabytes);
    progress(`${swap} swaps`);
  }
  const { requests, failures, longest } = await client.stop();
  return { swaps, requests, failures, longestRequest: longest, switches, slices, heap };
}

function publishFigures(tables: number, measured: Measured, args: readonly string[]): void {
  const { swaps, requests, failures, longestRequest, switches, slices, heap } = measured;
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  const megabytes = (value: number | undefined): string => `${(value ?? 0).toFixed(1)} MB`;
  const rows = [
    ['requests of strict clients meanwhile', requests.toLocaleString('en-US')],
    ['failed', String(failures.length)],
    ['longest request', milliseconds(longestRequest)],
    ['from the announcement to the new API, median', milliseconds(median(switches))],
    ['the longest', milliseconds(Math.max(...switches))],
    ['main thread taken in one piece, median of the swaps', milliseconds(median(slices))],
    ['the longest', milliseconds(Math.max(...slices))],
    ['heap after a tenth of the swaps', megabytes(heap[0])],
    ['heap after all', megabytes(heap.at(-1))],
  ];
  for (const failure of new Set(failures)) progress(failure);
  const head = [`${swaps} swaps, ${tables} tables`, 'measured'];
  publish({ name: 'swap', head, rows, figures: measured }, reportOptions(args));
}
