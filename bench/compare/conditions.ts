import type { Durability } from '../data/server.js';
import { workload, workloadIds } from '../workloads/workloads.js';
import type { WorkloadId } from '../workloads/inputs.js';

/**
 * The conditions under which workloads are measured. `plain`: commits do not wait for the disk, and
 * the database is on the same machine. `durable`: commits wait for the disk, as PostgreSQL does by
 * default. `distant`: like `plain`, with a network between server and database.
 */
export const conditions = ['plain', 'durable', 'distant'] as const;
export type Condition = (typeof conditions)[number];

/** One-way network delay between server and database under `distant`, in milliseconds. */
export const DELAY_MS = 1;

export const durabilityOf = (condition: Condition): Durability => (condition === 'durable' ? 'durable' : 'fast');

/**
 * The workloads to measure: `durable` measures writes only, because reads do not wait for the disk.
 */
export const workloadsUnder = (condition: Condition, only: readonly string[]): readonly WorkloadId[] =>
  workloadIds
    .filter((id) => only.length === 0 || only.includes(id))
    .filter((id) => condition !== 'durable' || workload(id).writes);
