import { median, memory, timed } from '../harness/figures.js';
import { load } from '../harness/load.js';
import { progress } from '../harness/report.js';
import { startServer, type RunningServer } from '../harness/server.js';
import type { HttpRequest } from '../harness/target.js';
import type { Figure } from './figures.js';

/** A server with its figures so far. */
export interface Started {
  readonly server: RunningServer;
  readonly figures: readonly Figure[];
}

const rest: HttpRequest = { method: 'GET', path: '/api/v1/table_0000/7', headers: {} };
const graphql: HttpRequest = {
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: '{ scaleTable0000ByPk(id: 7) { id name status scaleParentId { id } } }' }),
};

/** Starts the generated server three times; the last one is left running. */
export async function startGenerated(url: string, folder: string): Promise<Started> {
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
    const firstGraphql = await timed(() => answered(server.base, graphql));
    const firstRest = await timed(() => answered(server.base, rest));
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
    return { server, figures };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Rates by key of all the servers, in turn and several times: the machine is not equally fast at all times, so what is measured one after
 * the other could not be compared. Answers the figures of each server, the middle of its rounds.
 */
export async function measureRates(servers: readonly RunningServer[], rounds: number): Promise<readonly Figure[][]> {
  progress('Requests by key');
  const rates = servers.map(() => ({ rest: [] as number[], graphql: [] as number[] }));
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { base, pid }] of servers.entries()) {
      const measured = [await load(base, pid, rest, 1), await load(base, pid, graphql, 1)].map(
        (each) => each.requestsPerSecond,
      );
      if (round === 0) continue;
      rates[at]?.rest.push(measured[0] ?? NaN);
      rates[at]?.graphql.push(measured[1] ?? NaN);
    }
  }
  return servers.map(({ pid }, at) => [
    { what: 'its memory, after load', value: memory(pid).now, unit: 'MB' },
    { what: 'REST by key', value: median(rates[at]?.rest ?? []), unit: 'requests/s' },
    { what: 'GraphQL by key', value: median(rates[at]?.graphql ?? []), unit: 'requests/s' },
  ]);
}

async function answered(base: string, { path, ...request }: HttpRequest): Promise<void> {
  const response = await fetch(base + path, request);
  const text = await response.text();
  if (response.status !== 200 || !text.includes('Record 7'))
    throw new Error(`${path} answered ${response.status}: ${text}`);
}
