import { installedPostgres, startCluster } from './cluster.js';
import { startEmbedded } from './embedded.js';

/** As many as two workers' suites open at the same time, and more. */
const settings = ['max_connections=400', 'max_wal_size=4GB'];

/**
 * Starts the PostgreSQL that all suites of a run share, and names it in the environment: the
 * installed one, else the one from npm. `TEST_DATABASE_URL` names another one. The cluster is ours
 * alone, so durability is off and no other databases are touched.
 * @returns what stops the server and removes its data
 */
export async function startSharedServer(): Promise<() => Promise<void>> {
  if ((process.env['TEST_DATABASE_URL'] ?? '') !== '') return () => Promise.resolve();
  // Nobody else uses it: suites may leave templates on it.
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
