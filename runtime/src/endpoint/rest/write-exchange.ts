import { CountedCache } from '../../observe/metrics/cache-counts.js';
import { boundsOf } from '../../descriptor/cache-bounds.js';
import { ServerError, codes } from '../../errors.js';
import { canMergeByKey } from '../../plan/write/table-writes.js';
import { planContext } from '../../execute/write-plans.js';
import { emptyAnswer } from '../../plan/write/plan-write.js';
import { isRoutine, type InsertIntent, type OnConflict, type UpdateIntent } from '../../plan/write/write-intent.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import {
  parseDelete,
  parseInsert,
  parseUpdate,
  type RestWrite,
  type WriteRequest,
} from '../../request/rest/write/parse-write.js';
import { mayBeNested, parseNested } from '../../request/rest/write/nested.js';
import { parseReplace, type ReplacingWrite } from '../../request/rest/write/replace.js';
import type { Answer } from '../../response/answer.js';
import type { DatabaseFailure } from '../../plan/failure.js';
import type { RestAnswers, WrittenAnswer } from '../../response/rest-answers.js';
import type { Identity, RunOptions } from '../../dialect/driver.js';
import type { Written } from '../../plan/write-program.js';
import { keptFor } from '../../execute/kept-for.js';
import type { RowFilter } from '../../plan/context.js';
import { DryRun, type WriteOptions } from '../../execute/run-writes.js';
import type { BoundWrite, PreparedWrite, WriteRunner } from '../../execute/write-runner.js';
import type { Services } from '../../execute/services.js';
import type { Transaction } from '../../execute/transaction.js';
import { check, checkNamesRow, preconditionOf, whileItChanges } from './precondition.js';
import { recordRestUse } from './use.js';
import { mergeKeys, rowKeyOf } from '../../descriptor/unique-keys.js';

/** The caches of writes. */
export interface WriteCaches {
  readonly runner: WriteRunner;
  /** By the shape of the request. */
  readonly prepared: CountedCache<PreparedWrite>;
}

/**
 * The number of writes is bounded, and the length of their shapes: a shape may be as long as a URL
 * and the names of all columns.
 */
export const createWriteCache = (registry: Registry): CountedCache<PreparedWrite> =>
  new CountedCache({ ...boundsOf(registry, 1000, 8000), sizeCalculation: (_, shape) => 4000 + shape.length });

/** The dependencies of a write over REST. */
export interface WriteExchangeParts extends WriteCaches {
  readonly services: Services;
  readonly identity: Identity;
  readonly options: WriteOptions;
  readonly form: Pick<RestAnswers, 'written'>;
  readonly mark: (stage: string) => void;
  /** The answers that reads of the row have in a transaction. None where there is no row. */
  readonly current: (request: WriteRequest, transaction: Transaction, isOnly: boolean) => AsyncIterable<Answer>;
}

/**
 * Answers POST, PATCH, PUT and DELETE of a table: parses the request, plans its shape once, and
 * runs the write. Source: decision 006.
 */
export class RestWriter {
  private readonly rowFilter: RowFilter | undefined;

  constructor(private readonly parts: WriteExchangeParts) {
    this.rowFilter = parts.services.rowFilter?.(parts.identity);
  }

  async insert(request: WriteRequest): Promise<Answer> {
    const write = this.parsed(() => this.withInside(request, 'insert', parseInsert));
    if (write.rows?.count === 0)
      return this.answer(
        'insert',
        request.table,
        write,
        this.nothing(write),
        write.preferences.resolution === undefined ? 201 : 200,
      );
    const written = await this.runMerging(write, request.table);
    return this.answer('insert', request.table, write, written, written.created > 0 ? 201 : 200);
  }

  async update(request: WriteRequest): Promise<Answer> {
    const write = this.parsed(() => this.withInside(request, 'update', parseUpdate));
    // A body without columns writes nothing. As in PostgREST, this is no error.
    const written = await this.guarded(request, write, {
      alone: () => (write.nothing === true ? Promise.resolve(this.nothing(write)) : this.run(write)),
      inside: (run) => (write.nothing === true ? Promise.resolve(this.nothing(write)) : run(write)),
    });
    return this.answer('update', request.table, write, written, 200);
  }

  async remove(request: WriteRequest): Promise<Answer> {
    const write = this.parsed(() => parseDelete(request));
    const written = await this.guarded(request, write, {
      alone: () => this.run(write),
      inside: (run) => run(write),
    });
    return this.answer('delete', request.table, write, written, 200);
  }

  /** Updates the row; inserts it only if there is none. */
  async replace(request: WriteRequest): Promise<Answer> {
    const { table } = request;
    const { update, insert } = this.parsed(() => parseReplace(request, this.withheld(table)));
    const insertable = canBeInserted(table);
    if (update === undefined && !insertable) throw noSuchRow();
    const inside: Inside = async (run) => {
      const first = update === undefined ? nothingWritten : await run(update, true);
      if (first.affected > 0) return updated(first);
      if (!insertable) throw noSuchRow();
      return run(insert);
    };
    const alone = (): Promise<Written> => {
      if (update === undefined) return this.run(insert);
      if (!insertable) return this.updateOnly(update);
      return canMergeByKey(table) ? this.updateOrInsert(update, insert, table, inside) : this.inSteps(insert, inside);
    };
    const written = await this.guarded(request, insert, { alone, inside, mayInsert: true });
    // The row exists, but the role may not read it, so the statement did not change it.
    if (written.affected === 0 && this.rowFilter?.shape(table) !== undefined) throw noSuchRow();
    return this.answer('replace', table, insert, written, written.created > 0 ? 201 : 200);
  }

  /** The columns that a rule or grants keep from the identity. */
  private withheld(table: Table): ReadonlySet<string> {
    const { rowFilter } = this;
    return new Set([...(rowFilter?.hidden(table) ?? []), ...(rowFilter?.unread?.(table) ?? [])]);
  }

  /** The outcome of a write without rows or values, which is not run. As CSV it is the header. */
  private nothing(write: RestWrite): Written {
    if (write.format === 'object') exactlyOne(nothingWritten);
    if (write.format !== 'csv') return nothingWritten;
    const { services } = this.parts;
    const intent = write.intent(services.registry);
    if (isRoutine(intent)) return nothingWritten;
    return { ...nothingWritten, text: emptyAnswer(intent, planContext(services, this.rowFilter)) };
  }

  private async updateOnly(update: RestWrite): Promise<Written> {
    const written = await this.execute(this.request(this.prepare(update), update), update);
    if (written.affected === 0) throw noSuchRow();
    return updated(written);
  }

  /**
   * Updates or inserts the row in one statement. If the statement writes nothing, another client
   * has inserted the row meanwhile, or the role does not see it: then the insert alone merges the
   * row or reports the conflict.
   */
  private async updateOrInsert(
    update: ReplacingWrite<UpdateIntent>,
    insert: ReplacingWrite<InsertIntent>,
    table: Table,
    inside: Inside,
  ) {
    const { registry } = this.parts.services;
    const once = this.known(`${insert.shape}\0once`, () =>
      this.preparedReplace(insert.intent(registry), update.intent(registry)),
    );
    if (once.hooked) return this.inSteps(insert, inside);
    try {
      const written = await this.execute(this.request(once, insert), insert);
      if (written.affected > 0) return written;
    } catch (error) {
      const failure = this.failure(error);
      // A rule protects the row with this key. MariaDB reports a conflict here, but the client has
      // to get the refusal by the rule, which the insert alone reports.
      const isLimited = this.rowFilter?.shape(table) !== undefined;
      if (isLimited && failure?.kind === 'unique' && failure.constraint === table.primaryKey?.name)
        return this.run(insert);
      // The database may refuse the combined statement before it begins: the role may not insert,
      // the key is checked only at commit, or the table has rules.
      if (failure?.isRefusedForm !== true) throw error;
      const written = await this.execute(this.request(this.prepare(update), update), update);
      if (written.affected > 0) return updated(written);
    }
    return this.run(insert);
  }

  private preparedReplace(insert: InsertIntent, update: UpdateIntent): PreparedWrite {
    const { services, runner } = this.parts;
    recordRestUse(services, 'PUT', insert.table, insert);
    return runner.prepareReplace(update, insert, this.rowFilter);
  }

  /**
   * Runs a write whose client asks for a state of the row in one transaction with the read of that
   * state. A row that another client changes in between is read again.
   * @throws ServerError 412 where the row has another state, 400 where the request names no row
   */
  private async guarded(
    request: WriteRequest,
    write: RestWrite,
    { alone, inside, mayInsert = false }: Work,
  ): Promise<Written> {
    const precondition = preconditionOf(request.headers, mayInsert);
    if (precondition === undefined) return alone();
    checkNamesRow(request);
    const checked: Inside = async (run, transaction) => {
      // A key of PUT, as one of a merge, is that of rows of the table itself.
      await check(precondition, this.parts.current(request, transaction, mayInsert));
      return inside(run, transaction);
    };
    return whileItChanges(() => this.inSteps(write, checked, { repeatable: true }));
  }

  /**
   * Runs statements in one transaction. Of a PUT: hooks may change either write, and the server
   * calls them only for the write that it makes. A table with rules takes no single statement for
   * both.
   */
  private async inSteps(
    { preferences }: RestWrite,
    work: Inside,
    isolation: Pick<RunOptions, 'repeatable'> = {},
  ): Promise<Written> {
    const { runner, identity, options, services } = this.parts;
    const { deferredChecks } = services.dialect;
    try {
      return await runner.inTransaction(identity, { ...options, ...isolation }, async (transaction) => {
        const written = await work((write, mayMiss = false) => {
          const prepared = this.prepare(write);
          const request = mayMiss ? this.request(prepared, write) : this.checked(prepared, write);
          // Without transactions, another client may write between the steps.
          runner.assertUndone([request], isolation.repeatable !== true && preferences.tx !== 'rollback');
          return runner.write(request, transaction);
        }, transaction);
        if (preferences.tx !== 'rollback') return written;
        if (deferredChecks.length > 0) await transaction.run(deferredChecks);
        throw new DryRun([written]);
      });
    } catch (error) {
      if (error instanceof DryRun) return error.written[0] ?? nothingWritten;
      throw error;
    }
  }

  private failure(error: unknown): DatabaseFailure | undefined {
    return this.parts.services.dialect.failure(error instanceof ServerError ? error.cause : error);
  }

  /** Parses a body as a nested write only if one of its members is not a column. */
  private withInside(request: WriteRequest, does: 'insert' | 'update', parse: typeof parseInsert): RestWrite {
    try {
      return parse(request);
    } catch (error) {
      const nested = mayBeNested(error) ? parseNested(request, does, this.parts.services.registry) : undefined;
      if (nested === undefined) throw error;
      return nested;
    }
  }

  private parsed<T>(parse: () => T): T {
    const parsed = parse();
    this.parts.mark('parse');
    return parsed;
  }

  /**
   * Decision 005: a conflict of the primary key or of a unique key merges, but only one row is
   * touched: that of the first key which has a row. A statement merges by one key. If another key
   * causes the conflict, the statement wrote nothing and runs again with that key, for rows that
   * the keys before have no row for. A conflict in another key of an existing row stays one: 409.
   */
  private async runMerging(write: RestWrite, table: Table): Promise<Written> {
    const { conflict, chosen, rows } = write;
    if (conflict?.action !== 'update' || chosen === true) return this.run(write);
    const tried = conflict.target?.kind === 'constraint' ? [conflict.target.name] : [];
    let run = (): Promise<Written> => this.run(write);
    for (;;) {
      try {
        return await run();
      } catch (error) {
        const other = otherKey(this.failure(error), table);
        if (other === undefined || tried.includes(other)) throw error;
        const next = { ...write, shape: `${write.shape}\0by ${other}\0absent ${tried.join('\0')}` };
        const by = { ...conflict, ...byKey(other, table), absent: [...tried] };
        run = () =>
          this.run(next, by, (written) => {
            if (written.affected !== rows?.count) throw error;
          });
        tried.push(other);
      }
    }
  }

  /** @param check an error of it rolls the write back */
  private run(write: RestWrite, conflict?: OnConflict, check?: BoundWrite['check']): Promise<Written> {
    const request = this.checked(this.prepare(write, conflict), write);
    const checks = [request.check, check].filter((each) => each !== undefined);
    if (check === undefined) return this.execute(request, write);
    const all = (written: Written): void => {
      for (const each of checks) each(written);
    };
    return this.execute({ ...request, check: all }, write);
  }

  private async execute(request: BoundWrite, { preferences }: RestWrite): Promise<Written> {
    const { runner, identity, options, services, mark } = this.parts;
    mark('plan');
    const mode = preferences.tx === 'rollback' ? { dryRun: services.dialect.deferredChecks, ...options } : options;
    const outcome = await runner.run([request], identity, mode);
    mark('database');
    if (outcome.kind === 'failed') throw outcome.error;
    return outcome.written[0] ?? nothingWritten;
  }

  private prepare(write: RestWrite, conflict?: OnConflict): PreparedWrite {
    const { services, runner } = this.parts;
    return this.known(write.shape, () => {
      const intent = write.intent(services.registry, conflict);
      if (!isRoutine(intent)) recordRestUse(services, methods[intent.kind], intent.table, intent);
      return runner.prepare(intent, this.rowFilter);
    });
  }

  private request(prepared: PreparedWrite, { inputs }: Pick<RestWrite, 'inputs'>): BoundWrite {
    return { prepared, inputs, rowFilter: this.rowFilter };
  }

  private checked(prepared: PreparedWrite, write: RestWrite): BoundWrite {
    const request = this.request(prepared, write);
    return write.format === 'object' ? { ...request, check: exactlyOne } : request;
  }

  private known(shape: string, make: () => PreparedWrite): PreparedWrite {
    return keptFor(this.parts.prepared, shape, this.rowFilter, make);
  }

  private answer(
    kind: WrittenAnswer['kind'],
    table: Table,
    write: RestWrite,
    written: Written,
    status: number,
  ): Answer {
    const { preferences, format, handler, rows, stripsNulls, conflict } = write;
    const asked = { preferences, format, handler, stripsNulls, rows };
    return this.parts.form.written({ kind, table, ...asked, merges: conflict !== undefined, written, status });
  }
}

/**
 * Statements of a write, in a transaction that is open. `run` checks the number of rows, unless the
 * write may miss its row.
 */
type Inside = (
  run: (write: RestWrite, mayMiss?: boolean) => Promise<Written>,
  transaction: Transaction,
) => Promise<Written>;

interface Work {
  /** Runs the write in as few steps as it takes. */
  readonly alone: () => Promise<Written>;
  readonly inside: Inside;
  readonly mayInsert?: boolean;
}

const methods = { insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

/** A statement counts all its rows as created unless it is an upsert; an updated row is not new. */
const updated = (written: Written): Written => ({ ...written, created: 0 });

const nothingWritten: Written = { text: null, affected: 0, created: 0, keys: undefined };

/**
 * A client that asks for a single object writes exactly one row, even if it wants no answer;
 * otherwise the write is rolled back.
 */
function exactlyOne({ affected }: Written): void {
  if (affected === 1) return;
  throw new ServerError(406, codes.notAcceptable, 'A single object was asked for, and the answer is not one row.', {
    details: `The answer would have ${String(affected)} rows. Nothing was written.`,
    reason: { kind: 'notOneRow', rows: affected },
    hint: 'Filter by a key, or accept application/json.',
  });
}

/** The existing row keeps its primary key: rows of other tables refer to it. */
const byKey = (name: string, { primaryKey }: Table): OnConflict => ({
  target: { kind: 'constraint', name },
  action: 'update',
  keep: primaryKey?.columns ?? [],
});

/** The unique key of the table that caused the conflict. */
function otherKey(failure: DatabaseFailure | undefined, table: Table): string | undefined {
  if (failure?.kind !== 'unique') return undefined;
  return mergeKeys(table).find(({ name }) => name === failure.constraint)?.name;
}

/** Whether a row with a key of the client's choice can be inserted. */
const canBeInserted = (table: Table): boolean =>
  table.insertable === true && rowKeyOf(table)?.every((name) => table.byName.get(name)?.readOnly !== true) === true;

const noSuchRow = (): ServerError =>
  new ServerError(404, codes.notFound, 'There is no row with this key, and none can be inserted with it.');
