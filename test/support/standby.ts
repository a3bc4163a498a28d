import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installedPostgres, startCluster } from './cluster.js';
import { loadSql } from './postgres.js';

/**
 * The installed PostgreSQL alone: the one from npm waits for a message that a standby does not
 * write.
 */
export const standbyIsPossible = installedPostgres !== undefined;

export interface Standby {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A hot standby whose data is what the SQL makes: a server that is stopped, and started again to
 * follow a primary that is not there.
 */
export async function startStandby(sql: string): Promise<Standby> {
  const cluster = await startCluster();
  await loadSql(cluster.url, sql);
  await cluster.stop();
  await writeFile(join(cluster.data, 'standby.signal'), '');
  await cluster.start();
  return { url: cluster.url, stop: () => cluster.remove() };
}
