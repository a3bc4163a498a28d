import { installedPostgres, startCluster } from './cluster.js';
import { startEmbedded } from './embedded.js';

/** Enough for the connections of the suites in two workers. */
const settings = ['max_connections=400', 'max_wal_size=4GB'];

/**
 * Starts the PostgreSQL that all suites of a run share, and sets its address in the environment:
 * the installed PostgreSQL, otherwise the one from npm. `TEST_DATABASE_URL` selects another server.
 * The cluster belongs to the run alone, so durability is off and no other databases are touched.
 * @returns a function that stops the server and removes its data
 */
export async function startSharedServer(): Promise<() => Promise<void>> {
  if ((process.env['TEST_DATABASE_URL'] ?? '') !== '') return () => Promise.resolve();
  // No other run uses the server, so suites may leave templates on it.
  process.env['TEST_DATABASE_OWNED'] = 'true';
  if (installedPostgres === undefined) {
    const server = await startEmbedded({ settings });
    process.env['TEST_DATABASE_URL'] = server.url;
    process.env['TEST_EMBEDDED_URL'] = server.url;
    return () => server.stop();
  }
  const cluster = await startCluster(settings);
  process.env['TEST_DATABASE_URL'] = cluster.url;
  return () => cluster.remove();
}
