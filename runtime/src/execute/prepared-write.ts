import type { WriteProgram, Written } from '../plan/write-program.js';
import type { RowFilter } from '../plan/context.js';
import { isNestedWrite, type WriteIntent } from '../plan/write/write-intent.js';
import type { NestedRun, NestedWrites } from './nested/run.js';
import type { NestedHooks } from './nested/writer.js';

/** A write that is ready to run, for every request of its shape. */
export interface PreparedWrite {
  readonly intent: WriteIntent;
  readonly program: WriteProgram;
  /**
   * Whether the user's code runs around the write: hooks of its table, or of a table of nested
   * rows.
   */
  readonly hooked: boolean;
  /** Compiles the statements of rows inside the rows, if there are any. */
  readonly nested?: NestedWrites;
}

/** A write of one request. */
export interface BoundWrite {
  readonly prepared: PreparedWrite;
  readonly inputs: unknown;
  /** Which rows it may read. */
  readonly rowFilter?: RowFilter | undefined;
  /** Checks the writes before the commit: an error rolls back everything. */
  readonly check?: ((written: Written) => void) | undefined;
}

/** The same with the program that runs: hooks may have changed the prepared one. */
export interface WriteJob extends BoundWrite {
  readonly program: WriteProgram;
  readonly nested?: NestedRun;
}

const noHooks: NestedHooks = {
  insert: (_table, rows) => Promise.resolve(rows),
  update: (_table, set) => Promise.resolve(set),
  remove: () => Promise.resolve(),
};

/** @param hooks called for rows inside rows, while they are written */
export function jobOf(write: BoundWrite, program = write.prepared.program, hooks = noHooks): WriteJob {
  const { prepared, inputs, rowFilter, check } = write;
  const { intent, nested } = prepared;
  // Lists the members because a spread is slower, and this runs for every write.
  if (nested === undefined || !isNestedWrite(intent) || program.kind !== 'rows')
    return { prepared, inputs, rowFilter, check, program };
  const run = nested.start(intent, program, hooks, rowFilter);
  return { prepared, inputs, rowFilter, check, program: run.program, nested: run };
}
