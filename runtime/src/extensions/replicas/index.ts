import type { Dialect } from '../../dialect/dialect.js';
import type { Driver } from '../../dialect/driver.js';
import { misconfigured } from '../../errors.js';
import type { Observer } from '../../observe/observation.js';
import { openReplicas, type Replicas } from './replicas.js';
import { dialectAtPrimary } from './at-primary.js';
import type { Extension } from '../../server/extension.js';
import { withSearchPath } from '../../server/search-path.js';
import type { Settings } from '../../settings/settings.js';
import { seriesOf } from './series.js';

/** Reads from standbys of the database: `app.datasource.replicas`. Decision 047. */
export const replicas: Extension = {
  name: 'replicas',
  exposedHeaders: ['X-Data-Version'],
  open: ({ settings, generated, dialect: own, registry, observe }) => {
    const placed = withSearchPath(settings, generated.descriptors);
    const { driver, dialect, replicas: opened } = openReplicated(own, placed, registry.tables.length, observe);
    return {
      openDatabase: () => driver,
      dialect,
      services: { beginVersion: opened.begin },
      settle: opened.settle,
      health: () => ({ servers: opened.health() }),
      series: seriesOf(opened),
    };
  },
};

/** A database with replicas. Nothing is connected yet. */
export interface Replicated {
  readonly driver: Driver;
  /** Reads the catalogue and its changes at the primary. */
  readonly dialect: (next: Dialect) => Dialect;
  readonly replicas: Replicas;
}

/** @throws ServerError `misconfigured` for replicas that the server cannot use */
export function openReplicated(dialect: Dialect, settings: Settings, tables: number, observe: Observer): Replicated {
  const urls = [settings['app.datasource.url'] ?? '', ...(settings['app.datasource.replicas'] ?? [])];
  const { replication } = dialect;
  const isServer = (each: string): boolean => each.includes('://') && dialect.speaks(each);
  if (replication === undefined || !urls.every(isServer))
    throw misconfigured(
      'app.datasource.replicas has an address that is not a replica of the database.',
      `Set addresses of servers that follow app.datasource.url, of the same kind: ${dialect.name}.`,
    );
  const opened = openReplicas(urls, { dialect, replication, settings, tables, observe });
  return { ...opened, dialect: (next) => dialectAtPrimary(next, opened.replicas) };
}
