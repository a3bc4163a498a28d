import { planReplacing, planWrite } from '../plan/write/plan-write.js';
import type { RowFilter } from '../plan/context.js';
import {
  isNestedWrite,
  isRoutine,
  type InsertIntent,
  type RoutineIntent,
  type UpdateIntent,
  type WriteIntent,
} from '../plan/write/write-intent.js';
import { areUnique } from '../descriptor/unique-keys.js';
import { unsupported } from '../plan/refuse.js';
import type { FailedStatement } from '../plan/failure.js';
import { ServerError } from '../errors.js';
import { explainFailure } from '../response/explain-failure.js';
import type { Identity, RunOptions } from '../dialect/driver.js';
import type { Written } from '../plan/write-program.js';
import { hooksOf, isHooked, receivesRows, rowsIn, type Row } from './hooks/before-write.js';
import { HookStatements } from './hooks/hook-statements.js';
import { HookedWrite } from './hooks/hooked-write.js';
import { notifyCommit } from './hooks/notify-commit.js';
import { PendingWrites } from './hooks/pending-writes.js';
import { keptWrite } from './kept-writes.js';
import { NestedWrites } from './nested/run.js';
import { jobOf, type BoundWrite, type PreparedWrite, type WriteJob } from './prepared-write.js';
import { DryRun, runWrites, WriteFailure, type WriteOptions } from './run-writes.js';
import type { Services } from './services.js';
import { Transaction } from './transaction.js';
import { compileWrite, planContext } from './write-plans.js';

export type { BoundWrite, PreparedWrite } from './prepared-write.js';

/**
 * The result of a request's writes. If one failed, nothing of any was kept. `at` is the place of
 * the failed write; undefined: their commit failed.
 */
export type WriteOutcome =
  | { readonly kind: 'written'; readonly written: readonly Written[] }
  | { readonly kind: 'failed'; readonly at: number | undefined; readonly error: unknown };

/**
 * Runs the writes of both protocols: hooks first, then everything in one transaction, in order,
 * then the notifications of the commit.
 *
 *     const prepared = runner.prepare(intent);               // kept by the request's shape
 *     await runner.run([{ prepared, inputs }], identity, { signal, timeout });
 */
export class WriteRunner {
  private readonly nested: NestedWrites;
  private readonly hookStatements: HookStatements;

  constructor(private readonly services: Services) {
    this.nested = new NestedWrites(planContext(services, undefined), (plan) => compileWrite(services, plan));
    this.hookStatements = new HookStatements(services);
  }

  /** Throws ServerError 400 if the planner refuses. */
  prepare(given: WriteIntent, rowFilter?: RowFilter): PreparedWrite {
    const { nested, services } = this;
    const intent = withKeys(given, services);
    const hooked = isHooked(intent, services);
    if (isNestedWrite(intent)) return { intent, program: nested.prepare(intent, rowFilter), hooked, nested };
    return { intent, program: compileWrite(services, planWrite(intent, planContext(services, rowFilter))), hooked };
  }

  /**
   * An update and an insert of the same row as one statement. Where the table has hooks it can't be
   * run: which of them to call is not known before.
   */
  prepareReplace(update: UpdateIntent, insert: InsertIntent, rowFilter?: RowFilter): PreparedWrite {
    const plan = planReplacing(update, insert, planContext(this.services, rowFilter));
    return { intent: insert, program: compileWrite(this.services, plan), hooked: isHooked(insert, this.services) };
  }

  /** Never rejects with an error that a client may see: the outcome has it. */
  async run(writes: readonly BoundWrite[], identity: Identity, options: WriteOptions = {}): Promise<WriteOutcome> {
    const isPart = writes.length > 1 || options.dryRun !== undefined;
    const alone = isPart ? writes.findIndex((write) => this.isCalledAlone(write)) : -1;
    if (alone >= 0) return { kind: 'failed', at: alone, error: calledAlone() };
    const kept = keptWrite(writes, !isPart, this.services.registry);
    if (kept !== undefined) return { kind: 'failed', ...kept };
    if (writes.some(({ prepared }) => prepared.hooked)) return this.runHooked(writes, identity, options);
    const jobs = writes.map((write) => jobOf(write));
    return this.runJobs(jobs, identity, options);
  }

  /**
   * Throws ServerError 400 if the database would keep one of the writes when they are undone.
   * @param alone nothing of the request undoes a single write
   */
  assertUndone(writes: readonly BoundWrite[], alone: boolean): void {
    const kept = keptWrite(writes, alone, this.services.registry);
    if (kept !== undefined) throw kept.error;
  }

  /** Runs a write in a transaction. Rejects with an error that a client may see. */
  async write(write: BoundWrite, transaction: Transaction): Promise<Written> {
    if (this.isCalledAlone(write)) throw calledAlone();
    this.assertUndone([write], true);
    try {
      if (!write.prepared.hooked) return await this.runJob(jobOf(write), transaction);
      const pending = new PendingWrites(
        () => Promise.resolve(transaction),
        (_, job) => this.runJob(job, transaction),
      );
      const hooked = new HookedWrite(this.services, this.hookStatements, pending, transaction.identity, write);
      await transaction.around(() => hooked.perform());
      await pending.flush();
      return required(pending.written[0]);
    } catch (error) {
      // Some of its statements may be done, and none of them may be kept alone.
      if (write.prepared.nested !== undefined) transaction.abandon(error);
      throw error;
    }
  }

  /**
   * One transaction around all of `work`: kept when it resolves, undone when it rejects.
   * `afterCommit` is called as in `run`. Rejects with errors of `work` and of the database.
   */
  async inTransaction<T>(
    identity: Identity,
    options: RunOptions,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    let transaction: Transaction | undefined;
    try {
      transaction = await Transaction.open(this.services, identity, options);
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      throw this.explained((await transaction?.rollback(error)) ?? error);
    }
  }

  private async runHooked(
    writes: readonly BoundWrite[],
    identity: Identity,
    options: WriteOptions,
  ): Promise<WriteOutcome> {
    const pending = new PendingWrites(
      () => Transaction.open(this.services, identity, options),
      (transaction, job) => this.runJob(job, transaction),
    );
    let at: number | undefined;
    try {
      for (const [place, write] of writes.entries()) {
        at = place;
        if (write.prepared.hooked)
          await new HookedWrite(this.services, this.hookStatements, pending, identity, write).perform();
        else pending.defer(jobOf(write));
        await pending.idle();
      }
      await pending.end();
      if (pending.transaction === undefined) return await this.runJobs(pending.jobs, identity, options);
      if (writes.length > 1) at = undefined;
      await finish(await pending.flush(), pending.written, options);
      return { kind: 'written', written: pending.written };
    } catch (thrown) {
      await pending.end();
      const failure = pending.failure ?? { at, error: thrown };
      const error = (await pending.transaction?.rollback(failure.error)) ?? failure.error;
      return { kind: 'failed', at: failure.at, error: this.explained(error) };
    }
  }

  private async runJobs(jobs: readonly WriteJob[], identity: Identity, options: WriteOptions): Promise<WriteOutcome> {
    try {
      const written = await runWrites(this.services.driver, jobs, identity, options);
      for (const [at, each] of written.entries()) {
        const job = jobs[at];
        if (options.dryRun === undefined && job !== undefined) notifyCommit(job, each, identity, this.services);
      }
      return { kind: 'written', written };
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error;
      const { at } = error;
      return { kind: 'failed', at, error: this.explainedWrite(error, at === undefined ? undefined : jobs[at]) };
    }
  }

  private async runJob(job: WriteJob, transaction: Transaction): Promise<Written> {
    const { identity } = transaction;
    try {
      const [only] = await runWrites(transaction, [job], identity);
      const written = required(only);
      transaction.afterCommit(() => {
        notifyCommit(job, written, identity, this.services);
      });
      return written;
    } catch (error) {
      throw error instanceof WriteFailure ? this.explainedWrite(error, job) : error;
    }
  }

  /** A commit of a procedure cannot be rolled back with the rest of a transaction. */
  private isCalledAlone({ prepared }: BoundWrite): boolean {
    const { intent } = prepared;
    const isProcedure =
      intent.kind === 'call' || (intent.kind === 'function' && intent.call.function.resultSet !== undefined);
    return isProcedure && !this.services.dialect.capabilities.callsInTransaction;
  }

  private explainedWrite({ error, statement }: WriteFailure, job: WriteJob | undefined): unknown {
    if (job === undefined) return this.explained(error);
    const { nested, prepared, inputs } = job;
    if (nested !== undefined) {
      const { operation, table } = nested.last();
      // Rows inside rows are merged by the name of a constraint.
      const mergesByKey = table.kind === 'table';
      return this.explained(error, { does: operation, slots: statement?.slots, table, mergesByKey });
    }
    const { intent } = prepared;
    return this.explained(error, {
      does: intent.kind === 'function' ? 'call' : intent.kind,
      slots: statement?.slots,
      ...(isRoutine(intent)
        ? {}
        : { table: intent.table, rows: () => rowsOf(intent, inputs), mergesByKey: mergesByKey(intent) }),
    });
  }

  /** An error of the database as one that a client may see. Other errors stay as they are. */
  private explained(error: unknown, statement: FailedStatement = { does: 'several' }): unknown {
    const isOfDatabase = !(error instanceof ServerError) && this.services.dialect.failure(error) !== undefined;
    return isOfDatabase ? explainFailure(error, statement, this.services) : error;
  }
}

/** Ends a transaction in which every write is done. */
async function finish(transaction: Transaction, written: readonly Written[], { dryRun }: WriteOptions): Promise<void> {
  if (dryRun === undefined) return transaction.commit();
  await transaction.readBack();
  if (dryRun.length > 0) await transaction.run(dryRun);
  await transaction.close();
  await transaction.rollback(new DryRun(written));
}

/** Hooks that receive rows, or their keys after the commit, need the keys of the written rows. */
function withKeys(intent: WriteIntent, services: Services): WriteIntent {
  const hooks = isRoutine(intent) ? undefined : hooksOf(intent.table, services);
  if (isRoutine(intent) || hooks === undefined) return intent;
  if (hooks.afterCommit === undefined && !receivesRows(intent.kind, hooks)) return intent;
  return { ...intent, returning: { ...intent.returning, keys: true } };
}

/** A view is merged by the keys of its table, which the database may not find behind it. */
function mergesByKey(intent: Exclude<WriteIntent, RoutineIntent>): boolean {
  if (intent.kind !== 'insert' || intent.table.kind !== 'table') return false;
  const target = intent.onConflict?.target;
  return target !== undefined && (target.kind === 'constraint' || areUnique(intent.table, target.columns));
}

/** The rows of the request, before hooks changed them. */
function rowsOf(intent: Exclude<WriteIntent, RoutineIntent>, inputs: unknown): readonly Row[] {
  const value = intent.kind === 'insert' ? intent.rows : intent.kind === 'update' ? intent.set : undefined;
  return value === undefined ? [] : rowsIn(value, inputs);
}

function required(written: Written | undefined): Written {
  if (written === undefined) throw new TypeError('a write answered nothing');
  return written;
}

const calledAlone = (): ServerError =>
  unsupported(
    'A procedure of this database is called alone: it may commit.',
    'Send the call in a separate request, and not as a dry run.',
  );
