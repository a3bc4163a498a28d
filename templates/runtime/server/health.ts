import { Router } from 'express';
import type { Driver } from '../session/driver.js';

/** `/health/live`: the process answers. `/health/ready`: it may be sent requests; not while it shuts down or has no database. */
export function healthRoutes(driver: Driver, draining: () => boolean): Router {
  const router = Router();
  router.use('/health', (_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'live' });
  });
  router.get('/health/ready', async (_request, response) => {
    const status = draining() ? 'draining' : await databaseStatus(driver);
    response.status(status === 'ready' ? 200 : 503).json({ status });
  });
  return router;
}

async function databaseStatus(driver: Driver): Promise<'ready' | 'database unavailable'> {
  try {
    await driver.ping();
    return 'ready';
  } catch {
    return 'database unavailable';
  }
}
