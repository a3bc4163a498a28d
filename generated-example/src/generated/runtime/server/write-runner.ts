import type { Table } from '../registry.js';
import { createPrepareWrite } from '../plan/write-prepare.js';
import { keyColumns } from '../plan/orders.js';
import type { WriteIntent } from '../plan/write-intent.js';
import { explainWriteError } from '../response/write-error.js';
import type { Driver, Identity, RunOptions } from '../session/driver.js';
import type { WriteProgram, Written } from '../session/write-program.js';
import { runWrites, WriteFailure, type WriteJob, type WriteOptions } from '../session/write-run.js';
import type { Services } from './services.js';
import type { CommitEvent } from './write-hooks.js';
import { hookedTables, hookWrite, isHooked } from './write-hooking.js';

/** A write that is ready to run, for every request of its shape. */
export interface PreparedWrite {
  readonly intent: WriteIntent;
  readonly program: WriteProgram;
  /** Whether code of the user's runs around it: that of its table, or of a table with rows inside its rows. */
  readonly hooked: boolean;
}

/** One write of a request. */
export interface WriteRequest {
  readonly prepared: PreparedWrite;
  readonly inputs: unknown;
  /** Looks at what was written before it is kept. */
  readonly check?: (written: Written) => void;
}

/** What became of a request's writes. `at` is which of them failed: nothing of any was kept. */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly written: readonly Written[] }
  | { readonly kind: 'failed'; readonly at: number; readonly error: unknown };

/** A transaction whose writes are not known before: code of the user's runs between them. */
export interface WriteSession {
  /** Runs in the transaction, and sees what it wrote. */
  readonly driver: Driver;
  /** Runs hooks, then the write. Rejects with what a client may see. */
  readonly write: (request: WriteRequest) => Promise<Written>;
  /** Nothing of the transaction is kept from now on, even when `work` passes over the error. */
  readonly abandon: (error: unknown) => void;
}

/**
 * Runs the writes of both protocols: hooks first, then everything in one transaction, in order, then what is to be told of it.
 *
 *     const prepared = runner.prepare(intent);               // kept by the request's shape
 *     await runner.run([{ prepared, inputs }], identity, { signal, timeout });
 */
export class WriteRunner {
  private readonly plan: (intent: WriteIntent) => WriteProgram;

  constructor(private readonly services: Services) {
    this.plan = createPrepareWrite(services);
  }

  /** Throws ServerError 400 for what the planner refuses. */
  prepare(intent: WriteIntent): PreparedWrite {
    const wanted = this.withKeys(intent);
    return { intent: wanted, program: this.plan(wanted), hooked: isHooked(wanted, this.services) };
  }

  /** Never rejects for what a client may see: that is in the outcome. */
  async run(requests: readonly WriteRequest[], identity: Identity, options: WriteOptions = {}): Promise<WriteOutcome> {
    const jobs: WriteJob[] = [];
    for (const [at, request] of requests.entries()) {
      const { hooked, program } = request.prepared;
      try {
        jobs.push(hooked ? await this.hooked(request, identity) : jobOf(request, program));
      } catch (error) {
        return { kind: 'failed', at, error };
      }
    }
    try {
      const written = await runWrites(this.services.driver, jobs, identity, options);
      if (options.dryRun !== true) this.tell(requests, written, identity);
      return { kind: 'written', written };
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error;
      return { kind: 'failed', at: error.at, error: explainWriteError(error.error, this.services.registry) };
    }
  }

  /**
   * One transaction around all of `work`: kept when it resolves, undone when it rejects. `afterCommit` is told as in `run`.
   * Rejects with what `work` threw, and with what the database reports.
   */
  async together<T>(identity: Identity, options: RunOptions, work: (session: WriteSession) => Promise<T>): Promise<T> {
    const { driver } = this.services;
    const requests: WriteRequest[] = [];
    const done: Written[] = [];
    const result = await driver.transaction(async (rawRun) => {
      const failures: unknown[] = [];
      const run: Driver['run'] = (statements) =>
        rawRun(statements).catch((error: unknown) => {
          failures.push(error);
          throw error;
        });
      const within: Driver = { ...driver, run, transaction: (inside) => inside(run) };
      const write = async (request: WriteRequest): Promise<Written> => {
        const written = await this.writeOne(request, identity, within);
        requests.push(request);
        done.push(written);
        return written;
      };
      const answer = await work({ driver: within, write, abandon: (error) => failures.push(error) });
      // Whoever caught a failure of a statement could not mend it: the database would keep nothing either.
      if (failures.length > 0) throw failures[0];
      return answer;
    }, options);
    this.tell(requests, done, identity);
    return result;
  }

  private async writeOne(request: WriteRequest, identity: Identity, driver: Driver): Promise<Written> {
    const { hooked, program } = request.prepared;
    const job = hooked ? await this.hooked(request, identity) : jobOf(request, program);
    try {
      const [written] = await runWrites(driver, [job], identity);
      if (written === undefined) throw new TypeError('a write answered nothing');
      return written;
    } catch (error) {
      throw error instanceof WriteFailure ? explainWriteError(error.error, this.services.registry) : error;
    }
  }

  /** What hooks have changed is planned anew: its columns may be others. */
  private async hooked(request: WriteRequest, identity: Identity): Promise<WriteJob> {
    const { intent, program } = request.prepared;
    const changed = await hookWrite(intent, request.inputs, identity, this.services);
    return jobOf(request, changed === intent ? program : this.plan(changed));
  }

  private withKeys(intent: WriteIntent): WriteIntent {
    if (intent.kind === 'call' || this.hooksOf(intent.table)?.afterCommit === undefined) return intent;
    return { ...intent, returning: { ...intent.returning, keys: true } };
  }

  private tell(requests: readonly WriteRequest[], written: readonly Written[], identity: Identity): void {
    for (const [at, { prepared, inputs }] of requests.entries()) {
      const { intent, hooked } = prepared;
      const done = written[at];
      if (!hooked || intent.kind === 'call' || done === undefined) continue;
      const keys = keysOf(intent.table, done);
      this.tellOf(intent.table, { operation: intent.kind, affected: done.affected, ...keys }, identity);
      for (const { table, affected } of hookedTables(intent, inputs, this.services)) {
        this.tellOf(table, { operation: 'insert', affected }, identity);
      }
    }
  }

  private tellOf(table: Table, what: Pick<CommitEvent, 'operation' | 'affected' | 'keys'>, identity: Identity): void {
    const hooks = this.hooksOf(table);
    if (hooks?.afterCommit === undefined) return;
    const event: CommitEvent = { ...what, table: `${table.schema}.${table.name}`, identity };
    // It is committed: whatever the hook does, the client's answer stands.
    void Promise.resolve()
      .then(() => hooks.afterCommit?.(event))
      .catch((error: unknown) => {
        this.services.observe({ kind: 'failure', error });
      });
  }

  private hooksOf = (table: Table) => this.services.hooks?.[`${table.schema}.${table.name}`];
}

const jobOf = ({ inputs, check }: WriteRequest, program: WriteProgram): WriteJob =>
  check === undefined ? { program, inputs } : { program, inputs, check };

function keysOf(table: Table, { keys }: Written): Pick<CommitEvent, 'keys'> {
  const columns = keyColumns(table);
  if (columns === undefined || keys === undefined) return {};
  return { keys: keys.map((key) => Object.fromEntries(columns.map((column, at) => [column, key[at] ?? null]))) };
}
