import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTestDatabase, loadSql } from '../../test/support/postgres.js';
import { connect, fingerprint, readCatalog } from '../../src/catalog/index.js';
import { median, memory, timed } from '../harness/figures.js';
import { load } from '../harness/load.js';
import { compile, emptyFolder, generate } from '../harness/project.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import { startServer, type RunningServer } from '../harness/server.js';
import { columnsPerTable, scaleSchema } from './schema.js';

/** One measured figure, and what it has to stay under. */
interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 's' | 'MB' | 'ms' | 'files' | 'requests/s';
  readonly atMost?: number;
}

/** Measures everything that could grow with the number of tables. */
export async function runScale(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { tables: { type: 'string' } },
    strict: false,
  });
  const tables = typeof values.tables === 'string' ? Number(values.tables) : 1000;
  progress(`Creating ${tables} tables of ${columnsPerTable} columns`);
  const database = await createTestDatabase('bench_scale');
  try {
    for (const sql of scaleSchema(tables)) await loadSql(database.url, sql);
    const folder = emptyFolder('scale');
    const figures = [
      ...(await measureCatalogue(database.url)),
      ...(await measureGeneration(database.url, folder)),
      ...(await measureCompilation(folder)),
      ...(await measureServer(database.url, folder)),
    ];
    publish(
      {
        name: 'scale',
        head: [`${tables} tables of ${columnsPerTable} columns`, 'measured', 'at most'],
        rows: figures.map(({ what, value, unit, atMost }) => [
          what,
          `${rounded(value)} ${unit}`,
          atMost === undefined ? '' : `${atMost} ${unit}`,
        ]),
        figures,
      },
      reportOptions(args),
    );
  } finally {
    await database.drop();
  }
}

async function measureCatalogue(url: string): Promise<Figure[]> {
  progress('Reading the catalogue');
  const connection = await connect(url);
  try {
    const reads = [];
    for (let round = 0; round < 3; round += 1) reads.push(await timed(() => readCatalog(connection)));
    const catalog = reads[0]?.result;
    if (catalog === undefined) throw new Error('Nothing was read.');
    const hashes = [];
    for (let round = 0; round < 3; round += 1) hashes.push((await timed(() => fingerprint(catalog))).seconds);
    return [
      { what: 'introspection', value: median(reads.map((read) => read.seconds)), unit: 's', atMost: 1 },
      { what: 'fingerprint', value: median(hashes), unit: 's', atMost: 0.2 },
    ];
  } finally {
    await connection.close();
  }
}

async function measureGeneration(url: string, folder: string): Promise<Figure[]> {
  progress('Generating');
  const first = await generate(url, folder);
  const written = modified(folder);
  progress('Generating again');
  const second = await generate(url, folder);
  const again = modified(folder);
  const touched = [...again].filter(([path, time]) => written.get(path) !== time).map(([path]) => path);
  return [
    { what: 'generate', value: first.seconds, unit: 's', atMost: 8 },
    { what: 'its processor time', value: first.processorSeconds, unit: 's' },
    { what: 'its memory, at most', value: first.peakMemory, unit: 'MB', atMost: 700 },
    { what: 'files', value: written.size, unit: 'files' },
    { what: 'generate again', value: second.seconds, unit: 's', atMost: 6 },
    { what: 'its processor time', value: second.processorSeconds, unit: 's' },
    { what: 'files it wrote', value: touched.length, unit: 'files', atMost: 0 },
  ];
}

async function measureCompilation(folder: string): Promise<Figure[]> {
  progress('Compiling');
  const transpiled = await compile(folder, '--noCheck');
  const checked = await compile(folder);
  return [
    { what: 'transpile (tsc --noCheck)', value: transpiled.seconds, unit: 's' },
    { what: 'npm run build (tsc, checked)', value: checked.seconds, unit: 's' },
    { what: 'its processor time', value: checked.processorSeconds, unit: 's' },
    { what: 'its memory, at most', value: checked.peakMemory, unit: 'MB' },
  ];
}

async function measureServer(url: string, folder: string): Promise<Figure[]> {
  progress('Starting the server');
  const environment = { DATABASE_URL: url, NODE_ENV: 'production', APP_LOG_LEVEL: 'error' };
  const start = (): Promise<RunningServer> => startServer(['dist/main.js'], folder, environment, '/health/ready');
  const starts: RunningServer[] = [];
  for (let round = 0; round < 2; round += 1) {
    const started = await start();
    starts.push(started);
    await started.stop();
  }
  const server = await start();
  starts.push(server);
  try {
    const idle = memory(server.pid).now;
    const path = '/api/v1/table_0000/7';
    const query = JSON.stringify({ query: '{ scaleTable0000ByPk(id: 7) { id name status scaleParentId { id } } }' });
    const graphql = {
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: query,
    } as const;
    const firstGraphql = await timed(() => answered(server.base, graphql.path, graphql));
    const firstRest = await timed(() => answered(server.base, path));
    const rest = await load(server.base, server.pid, { method: 'GET', path, headers: {} }, 3);
    const loaded = await load(server.base, server.pid, graphql, 3);
    return [
      {
        what: 'server start, until ready',
        value: median(starts.map((each) => each.startSeconds)),
        unit: 's',
        atMost: 3,
      },
      { what: 'its processor time', value: median(starts.map((each) => each.startProcessorSeconds)), unit: 's' },
      { what: 'its memory, idle', value: idle, unit: 'MB', atMost: 450 },
      { what: 'its memory, after load', value: memory(server.pid).now, unit: 'MB' },
      { what: 'first GraphQL query', value: firstGraphql.seconds * 1000, unit: 'ms' },
      { what: 'first REST request', value: firstRest.seconds * 1000, unit: 'ms' },
      { what: 'REST by key', value: rest.requestsPerSecond, unit: 'requests/s' },
      { what: 'GraphQL by key', value: loaded.requestsPerSecond, unit: 'requests/s' },
    ];
  } finally {
    await server.stop();
  }
}

async function answered(base: string, path: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(base + path, { ...init });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('Record 7'))
    throw new Error(`${path} answered ${response.status}: ${text}`);
}

/** Every file below a folder with the time of its last change. */
function modified(folder: string): ReadonlyMap<string, number> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), statSync(join(parentPath, name)).mtimeMs]),
  );
}

function rounded(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value < 10 ? 2 : 1);
}
