import type { Authenticator } from '../auth/authenticator.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Driver, Identity } from '../dialect/driver.js';
import { toServerError } from '../response/server-error.js';
import { MeasuredDriver, type Meter } from '../execute/measured-driver.js';
import type { Metrics, outcomeOf, StatementKind } from '../observe/metrics/metrics.js';
import type { MetricsServer } from '../observe/metrics/metrics-server.js';
import type { StageListener } from '../observe/metrics/stages.js';
import type { Observer } from '../observe/observation.js';
import { SlowStatements } from '../execute/slow-statements.js';
import type { Traces } from '../observe/traces.js';
import type { Settings } from '../settings/settings.js';

/**
 * Metrics, traces and the log of slow statements, if they are on. A part that is off costs a
 * request nothing.
 */
export interface Measuring {
  readonly metrics: Metrics | undefined;
  readonly traces: Traces | undefined;
  /** Undefined if nothing observes stages. */
  readonly stages: StageListener | undefined;
  readonly observe: Observer;
  readonly driver: (driver: Driver, kindOfRead: StatementKind) => Driver;
  readonly authenticate: (authenticate: Authenticator['authenticate']) => Authenticator['authenticate'];
  readonly close: () => Promise<void>;
}

/**
 * Creates the parts that the settings enable, and listens for requests of metrics.
 * @param publish receives the metrics instead of those who ask at their address
 * @throws ServerError `misconfigured` when the address of the metrics cannot be listened on
 */
export async function openMeasuring(
  settings: Settings,
  dialect: Dialect,
  log: Observer,
  publish?: (metrics: Metrics) => void,
): Promise<Measuring> {
  const port = settings['app.metrics.port'];
  const measured = port === undefined ? undefined : await import('../observe/metrics/metrics.js');
  const metrics = await measured?.createMetrics();
  const traces = settings['app.traces.enabled'] ? (await import('../observe/traces.js')).createTraces() : undefined;
  const observe: Observer =
    metrics === undefined
      ? log
      : (observation) => {
          metrics.observe(observation);
          log(observation);
        };
  if (metrics !== undefined) publish?.(metrics);
  const server: MetricsServer | undefined =
    metrics === undefined || port === undefined || publish !== undefined
      ? undefined
      : await (
          await import('../observe/metrics/metrics-server.js')
        ).openMetricsServer(metrics, port, settings['app.metrics.host']);
  if (server !== undefined) observe({ kind: 'listening', address: server.address, of: 'metrics' });
  const slowAbove = settings['app.log.slow-statement-ms'];
  const explain = settings['app.log.slow-statement-plans'] ? dialect.explain : undefined;
  const slow = slowAbove === undefined ? undefined : new SlowStatements(slowAbove, observe, explain);
  const isMeasured = metrics !== undefined || traces !== undefined || slow !== undefined;
  return {
    metrics,
    traces,
    stages: stagesOf(metrics, traces),
    observe,
    driver: (driver, kindOfRead) =>
      isMeasured
        ? new MeasuredDriver(driver, meterOf(driver, metrics, traces, slow, dialect.name.toLowerCase()), kindOfRead)
        : driver,
    authenticate: (authenticate) =>
      metrics === undefined || measured === undefined
        ? authenticate
        : countingTokens(authenticate, metrics, measured.outcomeOf, dialect),
    close: async () => {
      await server?.close();
    },
  };
}

function stagesOf(metrics: Metrics | undefined, traces: Traces | undefined): StageListener | undefined {
  if (metrics === undefined && traces === undefined) return undefined;
  return (protocol, stage, start, end) => {
    metrics?.stage(protocol, stage, start, end);
    traces?.stage(stage, start, end);
  };
}

const meterOf = (
  driver: Driver,
  metrics: Metrics | undefined,
  traces: Traces | undefined,
  slow: SlowStatements | undefined,
  system: string,
): Meter => ({
  begin: (kind, statements, options) => {
    const since = performance.now();
    const end = traces?.statement(kind, system);
    return (rows) => {
      const milliseconds = performance.now() - since;
      end?.(rows?.length);
      metrics?.statement(kind, milliseconds);
      slow?.ended(driver, statements, options, milliseconds, rows?.length);
    };
  },
});

/** Counts accepted, rejected and absent tokens. */
function countingTokens(
  authenticate: Authenticator['authenticate'],
  metrics: Metrics,
  outcome: typeof outcomeOf,
  dialect: Dialect,
): Authenticator['authenticate'] {
  const refuse = (error: unknown): never => {
    metrics.token(outcome(toServerError(error, dialect)));
    throw error;
  };
  return (request): Promise<Identity> | Identity => {
    const taken = (identity: Identity): Identity => {
      metrics.token(request.headers.authorization === undefined ? 'none' : 'accepted');
      return identity;
    };
    try {
      const identity = authenticate(request);
      return identity instanceof Promise ? identity.then(taken, refuse) : taken(identity);
    } catch (error) {
      return refuse(error);
    }
  };
}
