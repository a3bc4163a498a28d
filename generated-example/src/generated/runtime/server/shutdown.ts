import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Stops a server: no new connections, then every request that is being answered has `grace` milliseconds to finish. Answers whether all
 * of them did; those that did not are cut off.
 */
export async function closeGracefully(server: Server, grace: number): Promise<boolean> {
  if (!server.listening) return true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeIdleConnections();
  const timer = new AbortController();
  const late = sleep(grace, 'late', { signal: timer.signal }).catch(() => 'cancelled');
  const finished = (await Promise.race([closed, late])) !== 'late';
  timer.abort();
  if (finished) return true;
  server.closeAllConnections();
  await closed;
  return false;
}
