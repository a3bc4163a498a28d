import { median, memory, timed } from '../harness/figures.js';
import { createLiveHeap, type LiveHeap } from '../harness/live-heap.js';
import { load, type Load } from '../harness/load.js';
import { progress } from '../harness/report.js';
import { startServer, type RunningServer } from '../harness/server.js';
import type { HttpRequest } from '../harness/target.js';
import type { Figure } from './figures.js';
import { KEY, numberOf, tableName } from './schema.js';

/** A running server, with its start-up figures. */
export interface Started {
  readonly server: RunningServer;
  readonly heap: LiveHeap;
  readonly figures: readonly Figure[];
}

const rest = (table: number): HttpRequest => ({
  method: 'GET',
  path: `/api/v1/${tableName(table)}/${KEY}`,
  headers: {},
});

const graphql = (table: number): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    query: `{ scaleTable${numberOf(table)}ByPk(id: ${KEY}) { id name status scaleParentId { id } } }`,
  }),
});

/** Starts the generated server three times; the last one keeps running. */
export async function startGenerated(url: string, folder: string): Promise<Started> {
  progress('Starting the server');
  const environment = { DATABASE_URL: url, NODE_ENV: 'production', APP_LOG_LEVEL: 'error' };
  const start = (heap?: LiveHeap): Promise<RunningServer> =>
    startServer(
      [...(heap?.args ?? []), 'dist/main.js'],
      folder,
      { ...environment, ...heap?.environment },
      '/health/ready',
    );
  const starts: RunningServer[] = [];
  for (let round = 0; round < 2; round += 1) {
    const started = await start();
    starts.push(started);
    await started.stop();
  }
  const heap = createLiveHeap();
  let server: RunningServer | undefined;
  try {
    server = await start(heap);
    starts.push(server);
    const idle = memory(server.pid).now;
    const { base } = server;
    const firstGraphql = await timed(() => answered(base, graphql(0)));
    const firstRest = await timed(() => answered(base, rest(0)));
    const figures: readonly Figure[] = [
      {
        what: 'server start, until ready',
        value: median(starts.map((each) => each.startSeconds)),
        unit: 's',
        atMost: 3,
      },
      { what: 'its processor time', value: median(starts.map((each) => each.startProcessorSeconds)), unit: 's' },
      { what: 'its memory, idle', value: idle, unit: 'MB', atMost: 450 },
      { what: 'first GraphQL query', value: firstGraphql.seconds * 1000, unit: 'ms' },
      { what: 'first REST request', value: firstRest.seconds * 1000, unit: 'ms' },
    ];
    return { server, heap, figures };
  } catch (error) {
    await server?.stop();
    heap.remove();
    throw error;
  }
}

/** A server to measure, and its number of tables. */
export interface Serving {
  readonly server: RunningServer;
  readonly heap: LiveHeap;
  readonly tables: number;
}

interface Question {
  readonly what: string;
  readonly requests: readonly HttpRequest[];
}

/**
 * One question asks a different table each time, which measures the caches; the other asks one
 * table, which measures the look-up.
 */
const questions = (tables: number): readonly Question[] => {
  const all = Array.from({ length: tables }, (_, at) => at);
  return [
    { what: 'REST by key', requests: [rest(0)] },
    { what: 'GraphQL by key', requests: [graphql(0)] },
    { what: 'REST by key, each time another table', requests: all.map(rest) },
    { what: 'GraphQL by key, each time another table', requests: all.map(graphql) },
  ];
};

/**
 * Seconds of load by each question before the measurement: V8 compiles the code, caches fill and
 * the heap reaches its size.
 */
const WARM_UP_SECONDS = 8;
const ROUND_SECONDS = 2;

/**
 * Measures the rate by key and the cost of a request for all servers, in turn and several times:
 * the speed of the machine varies, so sequential measurements are not comparable. Returns the
 * figures of each server, the median of its rounds.
 */
export async function measureRates(serving: readonly Serving[], rounds: number): Promise<readonly Figure[][]> {
  const lanes = serving.map(({ server, heap, tables }) => ({
    server,
    heap,
    questions: questions(tables).map((question) => ({ ...question, measured: [] as Load[] })),
  }));
  progress('Requests by key: warming up');
  for (const { server, questions: asked } of lanes) for (const { requests } of asked) await warmUp(server, requests);
  for (let round = 1; round <= rounds; round += 1) {
    progress(`Requests by key: round ${round} of ${rounds}`);
    // Servers take turns at each question; the order is reversed in every other round.
    const order = round % 2 === 0 ? lanes : [...lanes].reverse();
    for (const at of questions(1).keys())
      for (const {
        server: { base, pid },
        questions: asked,
      } of order) {
        const question = asked[at];
        if (question !== undefined) question.measured.push(await load(base, pid, question.requests, ROUND_SECONDS));
      }
  }
  const figures: Figure[][] = [];
  for (const { server, heap, questions: asked } of lanes)
    figures.push([
      { what: 'its memory, after load', value: memory(server.pid).now, unit: 'MB' },
      { what: 'of it live heap: garbage collected', value: await heap.measure(server.pid), unit: 'MB' },
      ...asked.flatMap(({ what, measured }): Figure[] => [
        { what, value: median(measured.map((each) => each.requestsPerSecond)), unit: 'requests/s' },
        { what: costOf(what), value: median(measured.map((each) => each.serverMicroseconds)), unit: 'µs' },
      ]),
    ]);
  return figures;
}

/**
 * The first request to a table costs a hundred times as much as the next one, so all first requests
 * are sent before the rounds.
 */
async function warmUp({ base, pid }: RunningServer, requests: readonly HttpRequest[]): Promise<void> {
  for (let seconds = WARM_UP_SECONDS, made = 0; made < requests.length; seconds *= 2)
    made = (await load(base, pid, requests, seconds)).requestsPerSecond * seconds;
}

/** The name of the figure for the server's cost of such a request. */
export const costOf = (what: string): string => `${what}: processor time of the server`;

/** The figures that are compared between sizes. */
export const costs: readonly string[] = questions(1).map(({ what }) => costOf(what));

async function answered(base: string, { path, ...request }: HttpRequest): Promise<void> {
  const response = await fetch(base + path, request);
  const text = await response.text();
  if (response.status !== 200 || !text.includes('Record 7'))
    throw new Error(`${path} answered ${response.status}: ${text}`);
}
