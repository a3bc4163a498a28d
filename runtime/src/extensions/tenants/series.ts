import type { CreateSeries } from '../../observe/metrics/metrics.js';
import type { PoolStats } from '../../observe/pool-stats.js';

/** @param stats of tenants, by name: as many as may be series of their own */
export const seriesOf =
  (stats: () => Iterable<readonly [name: string, stats: PoolStats]>): CreateSeries =>
  ({ gauge }) => {
    const connections = gauge('tenant_connections', 'Connections to the database of a tenant.', ['tenant', 'state']);
    return () => {
      connections.reset();
      for (const [tenant, { open, idle, waiting }] of stats()) {
        connections.set({ tenant, state: 'idle' }, idle);
        connections.set({ tenant, state: 'used' }, open - idle);
        connections.set({ tenant, state: 'waiting' }, waiting);
      }
    };
  };
