import type { CreateSeries } from '../../observe/metrics/metrics.js';
import type { Replicas } from './replicas.js';

/**
 * The state of each database server, and what became of the reads that replicas may answer. A
 * server without replicas has no such series: one of 0 would look like a server.
 */
export const seriesOf =
  ({ health, counts }: Pick<Replicas, 'health' | 'counts'>): CreateSeries =>
  ({ gauge, counter }) => {
    const states = gauge(
      'database_server_state',
      'A database server: 1 for its current state.',
      ['server', 'state'],
      'max',
    );
    const lag = gauge('replica_lag_seconds', 'How far a replica is behind the primary.', ['server'], 'max');
    const reads = counter('replica_reads_total', 'Reads that replicas may answer, by their outcome.', ['outcome']);
    const known = new Map<string, number>();
    return () => {
      states.reset();
      lag.reset();
      for (const { server, state, lagMs } of health()) {
        states.set({ server, state }, 1);
        if (lagMs !== undefined) lag.set({ server }, lagMs / 1000);
      }
      for (const [outcome, count] of Object.entries(counts)) {
        reads.inc({ outcome }, count - (known.get(outcome) ?? 0));
        known.set(outcome, count);
      }
    };
  };
