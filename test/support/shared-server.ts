import pg from 'pg';
import { startCluster } from './cluster.js';
import { startEmbedded } from './embedded.js';
import { installedPostgres } from './postgres-programs.js';

/** Enough for the connections of the suites in two workers. */
const settings = ['max_connections=400', 'max_wal_size=4GB'];

/** The PostgreSQL that all suites of a run share. */
export interface SharedServer {
  /** The databases that suites have not dropped, a line for each. */
  left(): Promise<readonly string[]>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that all suites of a run share, and sets its address in the environment:
 * the installed PostgreSQL, otherwise the one from npm. `TEST_DATABASE_URL` selects another server.
 * The cluster belongs to the run alone, so durability is off and no other databases are touched.
 */
export async function startSharedServer(): Promise<SharedServer> {
  if ((process.env['TEST_DATABASE_URL'] ?? '') !== '') {
    return { left: () => Promise.resolve([]), stop: () => Promise.resolve() };
  }
  // No other run uses the server, so suites may leave templates on it.
  process.env['TEST_DATABASE_OWNED'] = 'true';
  if (installedPostgres() === undefined) {
    const server = await startEmbedded({ settings });
    process.env['TEST_EMBEDDED_URL'] = server.url;
    return shared(server.url, () => server.stop());
  }
  const cluster = await startCluster(settings);
  return shared(cluster.url, () => cluster.remove());
}

function shared(url: string, stop: () => Promise<void>): SharedServer {
  process.env['TEST_DATABASE_URL'] = url;
  return { left: () => databasesOf(url), stop };
}

async function databasesOf(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly name: string }>(
      `select datname as name from pg_database where not datistemplate and datname <> 'postgres' order by 1`,
    );
    return rows.map(({ name }) => `the database ${name}`);
  } finally {
    await client.end();
  }
}
