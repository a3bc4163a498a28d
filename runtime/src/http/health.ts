import { Router } from 'express';
import type { Driver } from '../dialect/driver.js';
import type { SchemaState } from '../drift/follower.js';
import type { FeedHealth } from '../events/unreported.js';
import type { Dialect } from '../dialect/dialect.js';

/** The parts whose health is checked. */
interface Database {
  readonly driver: Driver;
  readonly dialect: Pick<Dialect, 'outage'>;
  readonly schemaState?: (() => SchemaState) | undefined;
  /** What extensions add to the answer. */
  readonly details?: (() => Readonly<Record<string, unknown>>) | undefined;
}

/**
 * `/health/live`: the process answers. `/health/ready` and `/health`: the server can take requests;
 * not while it shuts down, cannot reach the database, or has no keys to verify tokens with. The
 * answer also shows the change feed, which does not decide readiness: without it, only
 * subscriptions fail.
 */
export function healthRoutes(
  database: Database,
  draining: () => boolean,
  hasKeys: () => boolean,
  feed?: () => FeedHealth,
): Router {
  const router = Router();
  router.use('/health', (_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'live' });
  });
  router.get(['/health', '/health/ready'], async (_request, response) => {
    const readiness = draining() ? { status: 'draining' } : hasKeys() ? await databaseReadiness(database) : noKeys;
    const shown = feed === undefined ? readiness : { ...readiness, changes: feed() };
    response.status(readiness.status === 'ready' ? 200 : 503).json(shown);
  });
  return router;
}

const noKeys = { status: 'no keys to verify tokens' };

interface Readiness {
  readonly status: 'ready' | 'database unavailable';
  readonly reason?: string;
  /** Absent while the server serves the generated API. */
  readonly schema?: SchemaState;
}

async function databaseReadiness({ driver, dialect, schemaState, details }: Database): Promise<Readiness> {
  try {
    await driver.ping();
    const schema = schemaState?.();
    return {
      status: 'ready',
      ...(schema === undefined || schema.state === 'generated' ? {} : { schema }),
      ...details?.(),
    };
  } catch (error) {
    const reason = dialect.outage(error);
    return {
      status: 'database unavailable',
      ...(reason === undefined ? {} : { reason }),
      ...details?.(),
    };
  }
}
