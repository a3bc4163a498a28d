import type { Dialect } from '../../dialect/dialect.js';
import type { Replication } from '../../dialect/replication.js';
import type { BeginVersion } from '../../execute/services.js';
import type { Observer } from '../../observe/observation.js';
import type { Settings } from '../../settings/settings.js';
import { DatabaseCluster, type ServerHealth } from './cluster.js';
import { ReplicatedDriver, type ReadCounts } from './driver.js';
import { TIMEOUT_MS, ReplicaServer } from './server.js';
import { createVersions } from './versions.js';

/** Where the primary is. */
export interface PrimaryAddress {
  readonly url: () => string;
  /** Calls `moved` when another server becomes the primary. Returns a function that ends that. */
  readonly onMoved: (moved: () => void) => () => void;
}

/** What the rest of a server knows of the replicas of its database. */
export interface Replicas extends PrimaryAddress {
  readonly begin: BeginVersion;
  /** Called for a changed schema: replicas answer only once they have it. Rejects in an outage. */
  readonly settle: () => Promise<void>;
  readonly health: () => readonly ServerHealth[];
  readonly counts: Readonly<ReadCounts>;
}

interface Parts {
  readonly dialect: Dialect;
  readonly replication: Replication;
  readonly settings: Settings;
  readonly tables: number;
  readonly observe: Observer;
}

/** @param urls the address of the database, and those of its replicas */
export function openReplicas(
  urls: readonly string[],
  { dialect, replication, settings, tables, observe }: Parts,
): { readonly driver: ReplicatedDriver; readonly replicas: Replicas } {
  const ofMonitor: Settings = {
    ...settings,
    'app.datasource.pool-size': 1,
    'app.datasource.share-reads': false,
    'app.datasource.acquire-timeout-ms': TIMEOUT_MS,
    'app.datasource.statement-timeout-ms': TIMEOUT_MS,
  };
  const quiet: Observer = () => undefined;
  const [first, ...others] = urls.map(
    (url, number) =>
      new ReplicaServer(
        number,
        dialect.createDriver(url, settings, tables, observe),
        dialect.createDriver(url, ofMonitor, 1, quiet),
        replication,
      ),
  );
  if (first === undefined) throw new TypeError('There is no address.');
  const limits = {
    maxLag: settings['app.datasource.replica-max-lag-ms'],
    maxWait: settings['app.datasource.replica-max-wait-ms'],
  };
  const cluster = new DatabaseCluster([first, ...others], limits, observe);
  const driver = new ReplicatedDriver(cluster, dialect, replication);
  const replicas: Replicas = {
    begin: createVersions(replication),
    settle: () => cluster.settle(),
    health: () => cluster.health,
    counts: driver.counts,
    url: () => urls[cluster.primary.number] ?? '',
    onMoved: (moved) => {
      void cluster.begin();
      return cluster.onMoved(moved);
    },
  };
  return { driver, replicas };
}
