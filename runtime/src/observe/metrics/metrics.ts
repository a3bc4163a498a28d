import type { Aggregator, Counter, Gauge, Histogram, MetricObjectWithValues, MetricValue } from 'prom-client';
import type { PoolStats } from '../pool-stats.js';
import type { ServerError } from '../../errors.js';
import type { Observation, Observer } from '../observation.js';
import type { CacheCounts, CacheName, CacheListener } from './cache-counts.js';
import { createDurations, type Durations } from './durations.js';
import { protocolOf, type StageListener } from './stages.js';

/** The gauges that are read for each request of metrics. */
export interface Watched {
  readonly pool: () => PoolStats | undefined;
  /** Undefined where there are no subscriptions. */
  readonly subscriptions: () => { readonly subscribers: number; readonly groups: number } | undefined;
}

/** Makes the series of an extension. The function that it returns sets their current values. */
export type CreateSeries = (make: { readonly gauge: MakeGauge; readonly counter: MakeCounter }) => () => void;

/** Why a token was taken or not; `none`: the request had none. */
export type TokenOutcome = 'accepted' | 'none' | 'refused' | 'forbidden' | 'unavailable';

/**
 * Kinds of statements. `re-read` reads a changed row for its subscribers; `own` is a statement of
 * the user's code.
 */
export type StatementKind = 'read' | 'write' | 're-read' | 'own';

/** The figures of a server. */
export interface Metrics {
  readonly observe: Observer;
  readonly stage: StageListener;
  readonly cache: CacheListener;
  readonly statement: (kind: StatementKind, milliseconds: number) => void;
  readonly token: (outcome: TokenOutcome) => void;
  /** @param more the series of extensions */
  readonly watch: (watched: Watched, more?: readonly CreateSeries[]) => void;
  /** In Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  /** The same as data, to be added up with those of other processes. */
  readonly exported: () => Promise<readonly ExportedMetric[]>;
}

export type ExportedMetric = MetricObjectWithValues<MetricValue<string>>;

/** Seconds: from a read by key to the time-out of a typical client. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Counts in a registry of prom-client's. No label has values of users, and none has the names of
 * tables: the number of series does not grow with the database. Names follow
 * https://prometheus.io/docs/practices/naming/.
 */
export async function createMetrics(): Promise<Metrics> {
  const client = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter: MakeCounter = (name, help, labelNames = [], aggregator = 'sum') =>
    new client.Counter({ name: `tablewright_${name}`, help, labelNames, registers, aggregator });
  const histogram: MakeHistogram = (name, help, labelNames = [], aggregator = 'sum') =>
    new client.Histogram({ name: `tablewright_${name}`, help, labelNames, registers, buckets, aggregator });
  const gauge: MakeGauge = (name, help, labelNames = [], aggregator = 'sum') =>
    new client.Gauge({ name: `tablewright_${name}`, help, labelNames, registers, aggregator });
  const durations = <L extends string>(name: string, help: string, labelNames: readonly L[]): Durations<L> =>
    createDurations(client, { name: `tablewright_${name}`, help, labelNames, registers, buckets });

  const stages = durations('stage_duration_seconds', 'Stages of a request.', ['protocol', 'stage']);
  const statements = durations('statement_duration_seconds', 'Runs at the database, with the wait for a connection.', [
    'kind',
  ]);
  const tokens = counter('tokens_total', 'Requests by the outcome of their token.', ['outcome']);
  const gauges = createGauges(gauge, counter);
  return {
    observe: createCounting(counter, histogram, gauge, durations),
    stage: (protocol, stage, start, end) => {
      stages.add(`${protocol} ${stage}`, { protocol, stage }, (end - start) / 1000);
    },
    cache: gauges.cache,
    statement: (kind, milliseconds) => {
      statements.add(kind, { kind }, milliseconds / 1000);
    },
    token: (outcome) => {
      tokens.inc({ outcome });
    },
    watch: gauges.watch,
    text: async () => {
      gauges.look();
      return registry.metrics();
    },
    contentType: registry.contentType,
    exported: () => {
      gauges.look();
      return registry.getMetricsAsJSON();
    },
  };
}

/* The aggregator says how the values of several processes become one. Default: `sum`. */
type MakeCounter = <L extends string>(
  name: string,
  help: string,
  labelNames?: readonly L[],
  aggregator?: Aggregator,
) => Counter<L>;
type MakeHistogram = <L extends string>(
  name: string,
  help: string,
  labelNames?: readonly L[],
  aggregator?: Aggregator,
) => Histogram<L>;
type MakeDurations = <L extends string>(name: string, help: string, labelNames: readonly L[]) => Durations<L>;
type MakeGauge = <L extends string>(
  name: string,
  help: string,
  labelNames?: readonly L[],
  aggregator?: Aggregator,
) => Gauge<L>;

/** Counts observations. */
function createCounting(
  counter: MakeCounter,
  histogram: MakeHistogram,
  gauge: MakeGauge,
  durations: MakeDurations,
): Observer {
  const requests = durations('request_duration_seconds', 'Requests of the data plane, until their answer is made.', [
    'protocol',
    'route',
    'method',
    'status',
  ]);
  const refusals = counter('refusals_total', 'Mistakes of clients by code.', ['code']);
  const exceeded = counter('rate_limited_total', 'Requests above a rate of app.limits.rates.', ['rate']);
  const failures = counter('failures_total', 'Failures that an operator has to look at.');
  const shared = counter('shared_reads_total', 'Reads that were sent over one connection with others.');
  const stalls = counter('stalled_reads_total', 'Reads that held up others on their connection.');
  const slowReaders = counter('slow_readers_total', 'Clients that did not read their answer and were disconnected.');
  const slowStatements = counter('slow_statements_total', 'Statements above app.log.slow-statement-ms.');
  const waits = histogram('connection_wait_seconds', 'Waits of requests that found no free connection.');
  const outages = counter('database_outages_total', 'Times that the database did not answer at the start.');
  /** Only servers with tenants have it. */
  let tenantOutages: Counter<never> | undefined;
  const swaps = histogram('schema_swap_duration_seconds', 'Changes of the database that the API has followed.', [
    'trigger',
  ]);
  const stale = gauge('schema_stale', '1 while the API differs from the database.', [], 'max');
  const live = gauge('change_feed_live', '1 while the change feed is live.', [], 'min');
  // Every process receives every change.
  const changes = counter('changes_total', 'Committed changes that came from the feed.', [], 'max');
  const lag = histogram(
    'change_lag_seconds',
    "From the commit of a change to its arrival, by this machine's clock.",
    [],
    'max',
  );
  const events = counter('change_events_total', 'Events sent to subscribers.');
  const resyncs = counter('resyncs_total', 'Times that subscribers received RESYNC.');
  const closed = counter('sockets_closed_total', 'WebSockets and event streams that the server closed.', ['code']);
  return (observation: Observation) => {
    switch (observation.kind) {
      case 'request': {
        const { route, template, status, milliseconds } = observation;
        const method = methodOf(observation.method);
        const labels = { protocol: protocolOf(route), route: template, method, status };
        requests.add(`${template} ${method} ${String(status)}`, labels, milliseconds / 1000);
        break;
      }
      case 'refusal':
        refusals.inc({ code: observation.code });
        break;
      case 'rate-exceeded':
        exceeded.inc({ rate: observation.rate });
        break;
      case 'failure':
        failures.inc();
        break;
      case 'shared':
        shared.inc(observation.runs);
        break;
      case 'stalled':
        stalls.inc();
        break;
      case 'slow-reader':
        slowReaders.inc();
        break;
      case 'slow-statement':
        slowStatements.inc();
        break;
      case 'waited':
        waits.observe(observation.milliseconds / 1000);
        break;
      case 'database':
        if (observation.state === 'unavailable') outages.inc();
        break;
      case 'schema':
        if (observation.state === 'followed')
          swaps.observe({ trigger: observation.trigger }, observation.milliseconds / 1000);
        stale.set(observation.state === 'stale' ? 1 : 0);
        break;
      case 'feed':
        if (observation.tenant === undefined) live.set(observation.state === 'live' ? 1 : 0);
        break;
      case 'changes':
        changes.inc(observation.changes);
        lag.observe(Math.max(0, observation.lagMilliseconds) / 1000);
        break;
      case 'event':
        events.inc(observation.subscribers);
        break;
      case 'resync':
        resyncs.inc();
        break;
      case 'socket-closed':
        closed.inc({ code: observation.code });
        break;
      case 'tenant':
        tenantOutages ??= counter('tenant_outages_total', 'Times that the database of a tenant could not be used.');
        if (observation.state === 'unavailable') tenantOutages.inc();
        break;
      case 'listening':
      case 'warning':
      case 'worker':
      case 'server':
      case 'shutdown':
        break;
    }
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** A client may send any word as its method. */
const methodOf = (method: string): string => (methods.has(method) ? method : 'other');

/** The gauges that are read for each request of metrics. */
function createGauges(
  gauge: MakeGauge,
  counter: MakeCounter,
): Pick<Metrics, 'cache' | 'watch'> & { readonly look: () => void } {
  const connections = gauge('pool_connections', 'Connections to the database.', ['state']);
  const size = gauge('pool_size', 'Connections to the database, at most.');
  const waiting = gauge('pool_waiting', 'Requests that wait for a connection.');
  /** A gauge says 0 until it is set: a driver that does not count has none. */
  let prepared: Gauge<never> | undefined;
  const subscribers = gauge('subscribers', 'Subscriptions that are open.');
  const groups = gauge('subscription_groups', 'Subscriptions that are equal count once.');
  const entries = gauge('cache_entries', 'Entries of a cache.', ['cache']);
  const hits = counter('cache_hits_total', 'Look-ups that a cache answered.', ['cache']);
  const misses = counter('cache_misses_total', 'Look-ups that a cache did not answer.', ['cache']);
  const caches = new Map<CacheName, { readonly cache: CacheCounts; hits: number; misses: number }>();
  let watched: Watched | undefined;
  let others: readonly (() => void)[] = [];
  return {
    cache: (name, cache) => caches.set(name, { cache, hits: 0, misses: 0 }),
    watch: (given, more = []) => {
      watched = given;
      others = more.map((create) => create({ gauge, counter }));
    },
    look: () => {
      const pool = watched?.pool();
      if (pool !== undefined) {
        connections.set({ state: 'idle' }, pool.idle);
        connections.set({ state: 'used' }, pool.open - pool.idle);
        size.set(pool.size);
        waiting.set(pool.waiting);
        if (pool.prepared !== undefined) {
          prepared ??= gauge('prepared_statements', 'Statements that the connections keep prepared.');
          prepared.set(pool.prepared);
        }
      }
      for (const set of others) set();
      const open = watched?.subscriptions();
      subscribers.set(open?.subscribers ?? 0);
      groups.set(open?.groups ?? 0);
      for (const [cache, known] of caches) {
        entries.set({ cache }, known.cache.size);
        hits.inc({ cache }, known.cache.hits - known.hits);
        misses.inc({ cache }, known.cache.misses - known.misses);
        known.hits = known.cache.hits;
        known.misses = known.cache.misses;
      }
    },
  };
}

/** The outcome that a refused token has. */
export function outcomeOf(error: Pick<ServerError, 'status'>): TokenOutcome {
  if (error.status === 401) return 'refused';
  return error.status === 403 ? 'forbidden' : 'unavailable';
}
