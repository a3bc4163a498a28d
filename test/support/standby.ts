import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster } from './cluster.js';
import { loadSql } from './postgres.js';

export interface Standby {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A hot standby with the data of the SQL: a server that is stopped and started again as the standby
 * of a primary that does not exist.
 */
export async function startStandby(sql: string): Promise<Standby> {
  const cluster = await startCluster();
  await loadSql(cluster.url, sql);
  await cluster.stop();
  await writeFile(join(cluster.data, 'standby.signal'), '');
  await cluster.start();
  return { url: cluster.url, stop: () => cluster.remove() };
}
