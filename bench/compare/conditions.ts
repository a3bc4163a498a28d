import type { Durability } from '../data/server.js';
import { workload, workloadIds } from '../workloads/workloads.js';
import type { WorkloadId } from '../workloads/inputs.js';

/**
 * Under what workloads are measured. `plain`: commits do not wait for the disk, and the database is on the same machine. `durable`: commits
 * wait for the disk, as PostgreSQL does by default. `distant`: as `plain`, with a network between server and database.
 */
export const conditions = ['plain', 'durable', 'distant'] as const;
export type Condition = (typeof conditions)[number];

/** Milliseconds that everything between server and database takes longer in each direction, when it is distant. */
export const DELAY_MS = 1;

export const durabilityOf = (condition: Condition): Durability => (condition === 'durable' ? 'durable' : 'fast');

/** The workloads that are measured: whether a commit waits for the disk makes a difference to writes only. */
export const workloadsUnder = (condition: Condition, only: readonly string[]): readonly WorkloadId[] =>
  workloadIds
    .filter((id) => only.length === 0 || only.includes(id))
    .filter((id) => condition !== 'durable' || workload(id).writes);
