import type { Table } from '../descriptor/registry.js';
import { planReplacing, planWrite } from '../plan/write/plan-write.js';
import type { PlanContext, Readable } from '../plan/context.js';
import type { WritePlan } from '../plan/write/write-plan.js';
import {
  isNestedWrite,
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
import type { Identity, RunOptions } from '../dialect/driver.js';
import type { WriteProgram, Written } from '../dialect/write-program.js';
import { DryRun, runWrites, WriteFailure, type WriteJob, type WriteOptions } from './run-writes.js';
import type { Services } from './services.js';
import type { WriteEvent } from './hooks.js';
import { hooksOf, hookWrite, isHooked, nestedHooks, rowsIn, tellsRows, type Row } from './hooking.js';
import { NestedWrites } from './nested/run.js';
import { notifyCommit } from './notify-commit.js';
import { doneOf, doneWrite, jobOf, plainJob, type RunnerJob } from './runner-job.js';
import { DeferredWrites, HookedFailure, type HookUnit } from './hook-unit.js';
import { eventOf } from './hook-event.js';
import { HookRows, pairs } from './hook-rows.js';
import { hold } from './held-session.js';
import { openSession } from './open-session.js';
import { currentFrame, inFrame } from './own/frame.js';
import { SharedSession } from './own/shared-session.js';
import type { DoneWrite, WriteRequest, WriteSession } from './write-session.js';

export type { WriteRequest, WriteSession } from './write-session.js';

/** A write that is ready to run, for every request of its shape. */
export interface PreparedWrite {
  readonly intent: WriteIntent;
  readonly program: WriteProgram;
  /**
   * Whether the user's code runs around the write: hooks of its table, or of a table of nested
   * rows.
   */
  readonly hooked: boolean;
  /** Which rows it may read. */
  readonly readable?: Readable | undefined;
  /** Where it has rows inside its rows: what makes their statements. */
  readonly nested?: NestedWrites;
}

/**
 * What became of a request's writes. `at` is which of them failed, undefined where it was not one
 * of them but their commit: nothing of any was kept.
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

  constructor(private readonly services: Services) {
    this.nested = this.nestedWrites(undefined);
  }

  /** Throws ServerError 400 if the planner refuses. */
  prepare(intent: WriteIntent, readable?: Readable): PreparedWrite {
    const wanted = this.withKeys(intent);
    if (isNestedWrite(wanted)) {
      // Statements say which rows may be read, and are kept.
      const nested = readable === undefined ? this.nested : this.nestedWrites(readable);
      const hooked = isHooked(wanted, this.services);
      return { intent: wanted, program: nested.prepare(wanted), hooked, readable, nested };
    }
    return {
      intent: wanted,
      program: this.compile(planWrite(wanted, this.contextFor(readable))),
      hooked: isHooked(wanted, this.services),
      readable,
    };
  }

  private nestedWrites(readable: Readable | undefined): NestedWrites {
    return new NestedWrites(this.contextFor(readable), (plan) => this.compile(plan));
  }

  private contextFor(readable: Readable | undefined): PlanContext {
    const { registry, settings, dialect } = this.services;
    return { registry, settings, dialect, readable };
  }

  /**
   * An update and an insert of the same row as one statement. Where the table has hooks it can't be
   * run: which of them to call is not known before.
   */
  prepareReplace(update: UpdateIntent, insert: InsertIntent, readable?: Readable): PreparedWrite {
    const program = this.compile(planReplacing(update, insert, this.contextFor(readable)));
    return { intent: insert, program, hooked: isHooked(insert, this.services), readable };
  }

  /** Never rejects with an error that a client may see: the outcome has it. */
  async run(requests: readonly WriteRequest[], identity: Identity, options: WriteOptions = {}): Promise<WriteOutcome> {
    const isPart = requests.length > 1 || options.dryRun !== undefined;
    if (requests.some(({ prepared }) => prepared.hooked)) return this.runHooked(requests, identity, options, isPart);
    const jobs: RunnerJob[] = [];
    for (const [at, request] of requests.entries()) {
      try {
        this.checkAlone(request, isPart);
      } catch (error) {
        return { kind: 'failed', at, error };
      }
      jobs.push(jobOf(request, request.prepared.program));
    }
    return this.runJobs(requests, jobs, identity, options);
  }

  private async runHooked(
    requests: readonly WriteRequest[],
    identity: Identity,
    options: WriteOptions,
    isPart: boolean,
  ): Promise<WriteOutcome> {
    const unit = new DeferredWrites(
      () => hold((work) => this.together(identity, options, work)),
      (session, at, job) => this.writeDeferred(session, this.inTransaction(job, requests[at], session), requests[at]),
    );
    for (const [at, request] of requests.entries()) {
      try {
        this.checkAlone(request, isPart);
        if (request.prepared.hooked) await this.performHooked(request, identity, unit);
        else unit.defer(jobOf(request, request.prepared.program));
        await unit.idle();
        if (unit.failure !== undefined) throw unit.failure;
      } catch (thrown) {
        return this.discard(unit, unit.failure ?? new HookedFailure(at, thrown));
      }
    }
    if (unit.held !== undefined) return this.finish(unit, requests.length, options.dryRun);
    await unit.end();
    return this.runJobs(requests, unit.jobs, identity, options);
  }

  private async runJobs(
    requests: readonly WriteRequest[],
    jobs: readonly RunnerJob[],
    identity: Identity,
    options: WriteOptions,
  ): Promise<WriteOutcome> {
    try {
      const written = await runWrites(this.services.driver, jobs, identity, options);
      if (options.dryRun === undefined) notifyCommit(doneOf(requests, written, jobs), identity, this.services);
      return { kind: 'written', written };
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error;
      const { at } = error;
      const explained =
        at === undefined ? this.explained(error, undefined) : this.explained(error, requests[at], jobs[at]);
      return { kind: 'failed', at, error: explained };
    }
  }

  private async discard(unit: DeferredWrites, { at, error }: HookedFailure): Promise<WriteOutcome> {
    await unit.end();
    await unit.held?.rollback(error);
    return {
      kind: 'failed',
      at,
      error: this.isOfDatabase(error) ? toServerError(error, this.services.dialect) : error,
    };
  }

  /** Completes the transaction that a hook has opened, and ends it. */
  private async finish(unit: DeferredWrites, count: number, dryRun: WriteOptions['dryRun']): Promise<WriteOutcome> {
    const at = count > 1 ? undefined : 0;
    try {
      const { driver, failures } = await unit.open();
      if (dryRun !== undefined && dryRun.length > 0) await driver.run(dryRun);
      if (failures.length > 0) throw failures[0];
      await unit.end();
      if (dryRun === undefined) await unit.held?.commit();
      else await unit.held?.rollback(new DryRun(unit.written));
      return { kind: 'written', written: unit.written };
    } catch (thrown) {
      const { at: place, error } = thrown instanceof HookedFailure ? thrown : { at, error: thrown };
      await unit.end();
      await unit.held?.rollback(error);
      return {
        kind: 'failed',
        at: place,
        error: this.isOfDatabase(error) ? explainFailure(error, together, this.services) : error,
      };
    }
  }

  private async writeDeferred(
    session: WriteSession,
    job: RunnerJob,
    request: WriteRequest | undefined,
  ): Promise<Written> {
    const written = await this.writeJob(session, job, request);
    if (request !== undefined) session.record(doneWrite(request, written, job));
    return written;
  }

  /**
   * Rows inside rows call hooks while they are written: in the transaction that is open by then.
   */
  private inTransaction(job: WriteJob, request: WriteRequest | undefined, session: WriteSession): RunnerJob {
    if (request?.prepared.nested === undefined) return job;
    const unit: HookUnit = { open: () => Promise.resolve(session), write: notInside };
    const event = (table: Table): WriteEvent =>
      eventOf(table, session.identity, unit, this.services.dialect.queryBuilder);
    return jobOf(request, request.prepared.program, nestedHooks(event, this.services));
  }

  /**
   * Runs a write with the hooks of its table. Returns the writes, if they are known
   * already.
   */
  private async performHooked(request: WriteRequest, identity: Identity, unit: HookUnit): Promise<Written | undefined> {
    const { prepared, inputs } = request;
    const { intent, program } = prepared;
    if (isRoutine(intent) || isNestedWrite(intent)) return unit.write(plainJob(request, program));
    const { services } = this;
    const context = this.contextFor(prepared.readable);
    const rows = new HookRows(services, context, unit, intent, inputs);
    const event = (table: Table): WriteEvent => eventOf(table, identity, unit, services.dialect.queryBuilder);
    const changed = await hookWrite(intent, inputs, { event, current: () => rows.current() }, services);
    const job = jobOf(request, changed === intent ? program : this.compile(planWrite(changed, context)));
    const hooks = hooksOf(intent.table, services);
    if (hooks === undefined || !tellsRows(intent.kind, hooks)) {
      if (unit.defer === undefined) return unit.write(job);
      unit.defer(job);
      return undefined;
    }
    const before = await rows.current();
    const written = await unit.write(job);
    const after = intent.kind === 'delete' ? [] : await rows.written(written);
    const own = event(intent.table);
    if (intent.kind === 'insert') await hooks.afterInsert?.({ ...own, rows: after });
    if (intent.kind === 'update') await hooks.afterUpdate?.({ ...own, rows: pairs(intent.table, before, after) });
    if (intent.kind === 'delete') await hooks.afterDelete?.({ ...own, rows: before });
    return written;
  }

  /**
   * One transaction around all of `work`: kept when it resolves, undone when it rejects.
   * `afterCommit` is called as in `run`.
   * Rejects with errors of `work` and of the database.
   */
  async together<T>(identity: Identity, options: RunOptions, work: (session: WriteSession) => Promise<T>): Promise<T> {
    const done: DoneWrite[] = [];
    const result = await this.services.driver
      .transaction(
        async (rawRun, own) => {
          const shared = new SharedSession(rawRun, own);
          const session: WriteSession = openSession(this.services, shared, identity, done, (request) =>
            this.writeOne(request, identity, session),
          );
          try {
            const answer = await work(session);
            session.frame.end();
            await shared.close();
            if (shared.failures.length > 0) throw shared.failures[0];
            return answer;
          } finally {
            session.frame.end();
            await shared.close();
          }
        },
        { ...options, identity },
      )
      .catch((error: unknown): never => {
        // For example, a constraint that is checked at the commit. An error that a client may see
        // does not change.
        throw this.isOfDatabase(error) ? explainFailure(error, together, this.services) : error;
      });
    notifyCommit(done, identity, this.services);
    return result;
  }

  /** A commit of a procedure cannot be rolled back with the rest of a transaction. */
  private checkAlone({ prepared }: WriteRequest, isPart: boolean): void {
    if (!isPart || prepared.intent.kind !== 'call' || this.services.dialect.capabilities.callsInTransaction) return;
    throw unsupported(
      'A procedure of this database is called alone: it may commit.',
      'Send the call in a request of its own, which is no dry run.',
    );
  }

  private async writeOne(request: WriteRequest, identity: Identity, session: WriteSession): Promise<Written> {
    this.checkAlone(request, true);
    const job = this.inTransaction(plainJob(request, request.prepared.program), request, session);
    const unit: HookUnit = {
      open: () => Promise.resolve(session),
      write: (changed) => this.writeJob(session, job.nested === undefined ? changed : job, request),
    };
    try {
      const written = request.prepared.hooked
        ? await inSession(session, () => this.performHooked(request, identity, unit))
        : await this.writeJob(session, job, request);
      if (written === undefined) throw new TypeError('a write answered nothing');
      session.record(doneWrite(request, written, job));
      return written;
    } catch (error) {
      // Some of its statements are done, and none of them may be kept alone.
      if (job.nested !== undefined) session.abandon(error);
      throw error;
    }
  }

  /** Rejects with an error that a client may see. */
  private async writeJob(
    { driver, identity }: WriteSession,
    job: RunnerJob,
    request: WriteRequest | undefined,
  ): Promise<Written> {
    try {
      const [written] = await runWrites(driver, [job], identity);
      if (written === undefined) throw new TypeError('a write answered nothing');
      return written;
    } catch (error) {
      throw error instanceof WriteFailure ? this.explained(error, request, job) : error;
    }
  }

  private explained({ error, statement }: WriteFailure, request: WriteRequest | undefined, job?: RunnerJob): unknown {
    if (!this.isOfDatabase(error)) return error;
    if (job?.nested !== undefined) {
      const { operation, table } = job.nested.last();
      return explainFailure(error, { does: operation, slots: statement?.slots, table }, this.services);
    }
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

  private compile(plan: WritePlan): WriteProgram {
    return this.services.dialect.compileWrite(plan, this.services.registry);
  }

  private withKeys(intent: WriteIntent): WriteIntent {
    const hooks = isRoutine(intent) ? undefined : hooksOf(intent.table, this.services);
    if (isRoutine(intent) || hooks === undefined) return intent;
    if (hooks.afterCommit === undefined && !tellsRows(intent.kind, hooks)) return intent;
    return { ...intent, returning: { ...intent.returning, keys: true } };
  }
}

/** Hooks of rows inside rows run while their write does. */
const notInside = (): Promise<never> => Promise.reject(new TypeError('a write cannot begin inside another one'));

/** Hooks find the transaction that they run in; one inside it stays where it is. */
const inSession = <T>(session: WriteSession, work: () => Promise<T>): Promise<T> =>
  currentFrame(session.on, session.identity)?.session === session ? work() : inFrame(session.frame, work);

/** The rows of the request, before hooks changed them. */
function rowsOf(intent: Exclude<WriteIntent, RoutineIntent>, inputs: unknown): readonly Row[] {
  const value = intent.kind === 'insert' ? intent.rows : intent.kind === 'update' ? intent.set : undefined;
  return value === undefined ? [] : rowsIn(value, inputs);
}

const together: FailedStatement = { does: 'several' };
