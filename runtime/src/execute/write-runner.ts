import type { Table } from '../descriptor/registry.js';
import { planReplacing, planWrite } from '../plan/write/plan-write.js';
import { keyColumns } from '../plan/read/orders.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import {
  isRoutine,
  type InsertIntent,
  type RoutineIntent,
  type UpdateIntent,
  type WriteIntent,
} from '../plan/write/write-intent.js';
import { unsupported } from '../plan/refuse.js';
import type { FailedStatement } from '../dialect/failure.js';
import { ServerError } from '../errors.js';
import { explainFailure } from '../response/explain-failure.js';
import { toServerError } from '../response/server-error.js';
import type { Driver, Identity, RunOptions } from '../dialect/driver.js';
import type { WriteProgram, Written } from '../dialect/write-program.js';
import { runWrites, WriteFailure, type WriteJob, type WriteOptions } from './run-writes.js';
import type { Services } from './services.js';
import type { CommitEvent } from './hooks.js';
import { hookedTables, hookWrite, isHooked, rowsIn, type Row } from './hooking.js';

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

/**
 * What became of a request's writes. `at` is which of them failed, undefined where it was not one of them but their commit: nothing of any was
 * kept.
 */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly written: readonly Written[] }
  | { readonly kind: 'failed'; readonly at: number | undefined; readonly error: unknown };

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
  constructor(private readonly services: Services) {}

  /** Throws ServerError 400 for what the planner refuses. */
  prepare(intent: WriteIntent): PreparedWrite {
    const wanted = this.withKeys(intent);
    return {
      intent: wanted,
      program: this.compile(planWrite(wanted, this.services)),
      hooked: isHooked(wanted, this.services),
    };
  }

  /** An update and an insert of the same row as one statement. Where the table has hooks it can't be run: which of them to call is not known before. */
  prepareReplace(update: UpdateIntent, insert: InsertIntent): PreparedWrite {
    const program = this.compile(planReplacing(update, insert, this.services));
    return { intent: insert, program, hooked: isHooked(insert, this.services) };
  }

  /** Never rejects for what a client may see: that is in the outcome. */
  async run(requests: readonly WriteRequest[], identity: Identity, options: WriteOptions = {}): Promise<WriteOutcome> {
    const jobs: WriteJob[] = [];
    for (const [at, request] of requests.entries()) {
      const { hooked, program } = request.prepared;
      try {
        this.checkAlone(request, requests.length > 1 || options.dryRun !== undefined);
        jobs.push(hooked ? await this.hooked(request, identity) : jobOf(request, program));
      } catch (error) {
        const { dialect } = this.services;
        return { kind: 'failed', at, error: this.isOfDatabase(error) ? toServerError(error, dialect) : error };
      }
    }
    try {
      const written = await runWrites(this.services.driver, jobs, identity, options);
      if (options.dryRun === undefined) this.notify(requests, written, identity);
      return { kind: 'written', written };
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error;
      const write = error.at === undefined ? undefined : requests[error.at];
      return { kind: 'failed', at: error.at, error: this.explained(error, write) };
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
    const result = await driver
      .transaction(
        async (rawRun) => {
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
          // Catching the error does not help: PostgreSQL has already aborted the transaction.
          if (failures.length > 0) throw failures[0];
          return answer;
        },
        { ...options, identity },
      )
      .catch((error: unknown): never => {
        // A constraint that is checked at the commit, for one; what a client may see stays as it is.
        throw this.isOfDatabase(error) ? explainFailure(error, together, this.services) : error;
      });
    this.notify(requests, done, identity);
    return result;
  }

  /** What a procedure has committed cannot be undone with the rest of a transaction. */
  private checkAlone({ prepared }: WriteRequest, isPart: boolean): void {
    if (!isPart || prepared.intent.kind !== 'call' || this.services.dialect.capabilities.callsInTransaction) return;
    throw unsupported(
      'A procedure of this database is called alone: it may commit.',
      'Send the call in a request of its own, which is no dry run.',
    );
  }

  private async writeOne(request: WriteRequest, identity: Identity, driver: Driver): Promise<Written> {
    this.checkAlone(request, true);
    const { hooked, program } = request.prepared;
    const job = hooked ? await this.hooked(request, identity) : jobOf(request, program);
    try {
      const [written] = await runWrites(driver, [job], identity);
      if (written === undefined) throw new TypeError('a write answered nothing');
      return written;
    } catch (error) {
      throw error instanceof WriteFailure ? this.explained(error, request) : error;
    }
  }

  private explained({ error, statement }: WriteFailure, request: WriteRequest | undefined): unknown {
    if (!this.isOfDatabase(error)) return error;
    const intent = request?.prepared.intent;
    const failed: FailedStatement =
      intent === undefined
        ? together
        : {
            does: intent.kind === 'function' ? 'call' : intent.kind,
            slots: statement?.slots,
            ...(isRoutine(intent) ? {} : { table: intent.table, rows: () => rowsOf(intent, request?.inputs) }),
          };
    return explainFailure(error, failed, this.services);
  }

  private isOfDatabase(error: unknown): boolean {
    return !(error instanceof ServerError) && this.services.dialect.failure(error) !== undefined;
  }

  /** What hooks have changed is planned anew: its columns may be others. */
  private async hooked(request: WriteRequest, identity: Identity): Promise<WriteJob> {
    const { intent, program } = request.prepared;
    const changed = await hookWrite(intent, request.inputs, identity, this.services);
    return jobOf(request, changed === intent ? program : this.compile(planWrite(changed, this.services)));
  }

  private compile(plan: WritePlan): WriteProgram {
    return this.services.dialect.compileWrite(plan, this.services.registry);
  }

  private withKeys(intent: WriteIntent): WriteIntent {
    if (isRoutine(intent) || this.hooksOf(intent.table)?.afterCommit === undefined) return intent;
    return { ...intent, returning: { ...intent.returning, keys: true } };
  }

  private notify(requests: readonly WriteRequest[], written: readonly Written[], identity: Identity): void {
    for (const [at, { prepared, inputs }] of requests.entries()) {
      const { intent, hooked } = prepared;
      const done = written[at];
      if (!hooked || isRoutine(intent) || done === undefined) continue;
      const keys = keysOf(intent.table, done);
      this.notifyHook(intent.table, { operation: intent.kind, affected: done.affected, ...keys }, identity);
      for (const { table, affected } of hookedTables(intent, inputs, this.services)) {
        this.notifyHook(table, { operation: 'insert', affected }, identity);
      }
    }
  }

  private notifyHook(
    table: Table,
    what: Pick<CommitEvent, 'operation' | 'affected' | 'keys'>,
    identity: Identity,
  ): void {
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

/** The rows that the request gave, whatever hooks made of them. */
function rowsOf(intent: Exclude<WriteIntent, RoutineIntent>, inputs: unknown): readonly Row[] {
  const value = intent.kind === 'insert' ? intent.rows : intent.kind === 'update' ? intent.set : undefined;
  return value === undefined ? [] : rowsIn(value, inputs);
}

const together: FailedStatement = { does: 'several' };

const jobOf = ({ inputs, check }: WriteRequest, program: WriteProgram): WriteJob =>
  check === undefined ? { program, inputs } : { program, inputs, check };

function keysOf(table: Table, { keys }: Written): Pick<CommitEvent, 'keys'> {
  const columns = keyColumns(table);
  if (columns === undefined || keys === undefined) return {};
  return { keys: keys.map((key) => Object.fromEntries(columns.map((column, at) => [column, key[at] ?? null]))) };
}
