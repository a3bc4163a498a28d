import type { Dialect } from '../dialect/dialect.js';
import type { Driver } from '../dialect/driver.js';
import { misconfigured } from '../errors.js';
import type { Observer } from '../observe/observation.js';
import type { Replicas } from '../replicas/replicas.js';
import type { Settings } from '../settings/settings.js';

/** The driver of a database, and its replicas if there are any. */
export interface OpenedDatabase {
  readonly driver: Driver;
  readonly replicas?: Replicas;
}

/**
 * Loads what the driver of `app.datasource.url` and its replicas needs. Returns a function that
 * creates it and opens no connection yet. Rejects with ServerError `misconfigured` for replicas
 * that the server cannot use.
 */
export async function databaseOpener(
  dialect: Dialect,
  settings: Settings,
  tables: number,
  observe: Observer,
): Promise<() => OpenedDatabase> {
  const url = settings['app.datasource.url'] ?? '';
  const others = settings['app.datasource.replicas'] ?? [];
  if (others.length === 0) return () => ({ driver: dialect.createDriver(url, settings, tables, observe) });
  const { replication } = dialect;
  const urls = [url, ...others];
  const isServer = (each: string): boolean => each.includes('://') && dialect.speaks(each);
  if (replication === undefined || !urls.every(isServer))
    throw misconfigured(
      'app.datasource.replicas has an address that is not a replica of the database.',
      `Set addresses of servers that follow app.datasource.url, of the same kind: ${dialect.name}.`,
    );
  const { openReplicas } = await import('../replicas/replicas.js');
  return () => openReplicas(urls, { dialect, replication, settings, tables, observe });
}
