import pg from 'pg';
import { randomBytes } from 'node:crypto';
import type { ReadBack, RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import type { PoolMember } from '../../connection-pool.js';
import { cutAtClose, endSoon } from '../../silence.js';
import { committedPosition } from '../replication.js';
import { begin, commit, rollback, unlock } from './transaction.js';
import { AnswerLimit, type BatchConnection } from './batch-connection.js';
import { Batch, type BatchEnd, type BatchParts, type EncodedStatement } from './batch.js';
import { requestCancel } from './cancel-request.js';
import { explainedWrite, readOnlyServer, type Reached } from './outcome.js';
import { KEPT_BY_EACH, PreparedStatements } from './prepared.js';
import type { WireClient } from './wire.js';

/** The SQLSTATE of a stale plan. */
const stale = '0A000';

/**
 * The SQLSTATE of an unknown prepared statement: a function ran DEALLOCATE ALL or DISCARD ALL, or a
 * pooler changed the server.
 */
const unknownStatement = '26000';

/** The SQLSTATE of a write in a read-only transaction. */
const readOnly = '25006';

/** A session that only this runtime uses, kept from one transaction to the next. */
export interface KeptSession {
  /** The largest number of statements that it keeps prepared. */
  readonly mostPrepared: number;
  /**
   * Statements that run at the end of a transaction. They remove everything that functions and
   * triggers have left in the session.
   */
  readonly reset: readonly BoundStatement[];
}

const nothing: readonly BoundStatement[] = [];

/** A connection of the pool. It runs batches of statements. */
export class PgConnection implements PoolMember {
  readonly #client: pg.Client;
  readonly #wire: WireClient & { readonly connection: BatchConnection };
  readonly #prepared: PreparedStatements | undefined;
  readonly #reset: readonly BoundStatement[];
  /** What ends a transaction that may write, after its COMMIT or ROLLBACK. */
  readonly #released: readonly BoundStatement[];
  readonly #limit: AnswerLimit;
  /** The batch that the server's messages are about. */
  #current: Batch | undefined;
  #broken = false;
  /** Time limit of each statement of the current work in ms; 0: no limit. */
  timeout = 0;
  /** A cancel request on its way. It would stop any statement that ran now. */
  #cancelling: Promise<void> | undefined;
  /** Whether a transaction has begun after which the session was not reset yet. */
  #isUsed = false;

  /**
   * @param kept undefined behind a pooler, where others use the session, too: every batch sets its
   * own settings
   * @param client of `batchClient`, connected
   * @param mostBytes the largest answer of a read
   * @param onLost called when the connection is lost, perhaps twice
   */
  constructor(
    client: pg.Client,
    kept: KeptSession | undefined,
    mostBytes: number,
    onLost: (connection: PgConnection) => void,
  ) {
    this.#client = client;
    this.#wire = client as unknown as WireClient & { readonly connection: BatchConnection };
    this.#reset = kept?.reset ?? nothing;
    // Behind a pooler, the session may be another one after the transaction.
    this.#released = kept === undefined ? nothing : [unlock, ...kept.reset];
    if (kept !== undefined)
      this.#prepared = new PreparedStatements(kept.mostPrepared, `${randomBytes(3).toString('base64url')}_`);
    const { connection } = this.#wire;
    this.#limit = new AnswerLimit(connection.stream, mostBytes);
    connection.receiver = {
      parsed: () => this.#prepared?.parsed(),
      bound: () => this.#current?.bound(),
      closed: () => this.#prepared?.closed(),
      row: (fields) => this.#current?.row(fields),
      completed: (tag) => this.#current?.complete(tag),
    };
    const lost = (): void => {
      this.#broken = true;
      onLost(this);
    };
    connection.once('end', lost);
    // Without a listener a lost connection would end the process; the batch itself rejects, too.
    client.on('error', lost);
  }

  /**
   * Whether the next request can use it: it is connected, and no transaction is open. A rollback
   * that failed, for example because it was cancelled, leaves a transaction open. A connection that
   * was cut in the last piece of an answer is not told so before the next request.
   */
  get isUsable(): boolean {
    return !this.#broken && !this.isCutShort && this.#client.getTransactionStatus() === 'I';
  }

  /** Whether the server sends nothing on it any more. */
  get isLost(): boolean {
    return this.#broken;
  }

  get bytesRead(): number {
    return this.#wire.connection.stream.bytesRead;
  }

  /** The batch whose end is awaited. */
  get awaited(): unknown {
    return this.#current;
  }

  /** Each statement of a batch has the time limit, and their answers may arrive together. */
  get allowed(): number {
    return this.timeout * (this.#current?.slowCount ?? 1);
  }

  cut(error: Error): void {
    this.#wire.connection.stream.destroy(error);
  }

  end(): void {
    endSoon(this.#client.end(), () => {
      this.cut(cutAtClose());
    });
  }

  /** Whether it was discarded for an answer that was too long. */
  get isCutShort(): boolean {
    return this.#limit.isExceeded;
  }

  /**
   * Runs reads under one Sync, in a read-only transaction; behind a pooler the batch itself sets it
   * to read only. Settles when the connection is ready again, so that an error leaves nothing
   * behind.
   */
  async read(statements: readonly BoundStatement[], after?: ReadBack, bytes?: boolean): Promise<readonly RawRow[]> {
    const parts = { statements, readBack: after?.statement, closing: this.#reset, bytes };
    let end = await this.#run(parts, true);
    // Functions in the last statement may discard prepared statements, so later statements are
    // parsed again.
    if (isReparsable(end.error) && this.#canForget(end.error, statements))
      end = await this.#run({ ...parts, parsedFrom: statements.length }, true);
    if (end.error !== undefined) throw this.#failedRead(end.error);
    after?.answered(end.readBack?.[0]);
    return end.rows;
  }

  /**
   * Runs statements in a transaction that may write, under one Sync. `preamble` are the runtime's
   * own statements at their beginning.
   */
  async write(
    preamble: readonly BoundStatement[],
    statements: readonly BoundStatement[],
    after?: ReadBack,
    committed?: RunOptions['committed'],
  ): Promise<readonly RawRow[]> {
    const opening = [begin, ...preamble];
    const all = [...opening, ...statements];
    const beforeCommit = all.length + (after === undefined ? 0 : 1);
    const end = await this.#begin({
      statements: all,
      readBack: after?.statement,
      closing: [commit, ...this.#afterCommit(committed)],
      parsedFrom: opening.length + 1,
      parsedTo: beforeCommit + 1,
    });
    if (end.error !== undefined && end.completed <= beforeCommit)
      throw this.#failedWrite(end, end.completed < beforeCommit ? 'sent' : 'failed');
    await this.#ensureReset(end);
    notifyCommitted(end, committed);
    after?.answered(end.readBack?.[0]);
    return end.rows;
  }

  /** Begins a transaction over several round trips with its first statements. */
  async begin(preamble: readonly BoundStatement[], statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    const opening = [begin, ...preamble];
    const end = await this.#begin({ statements: [...opening, ...statements], parsedFrom: opening.length + 1 });
    if (end.error !== undefined) throw this.#failedWrite(end, 'not sent');
    return end.rows;
  }

  /**
   * Runs statements in that transaction. Earlier statements may have discarded prepared statements,
   * and an error would undo everything.
   */
  async within(statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    const end = await this.#run({ statements, parsedFrom: 0 });
    if (end.error !== undefined) throw this.#failedWrite(end, 'not sent');
    return end.rows;
  }

  /**
   * Runs a statement of the user's code in a transaction, after the runtime's statements, in one
   * round trip.
   * @param isFirst whether the transaction has to be begun first
   */
  async runCustom(isFirst: boolean, preamble: readonly BoundStatement[], custom: EncodedStatement): Promise<BatchEnd> {
    const statements = isFirst ? [begin, ...preamble] : preamble;
    const end = isFirst
      ? await this.#begin({ statements, custom, parsedFrom: statements.length })
      : await this.#run({ statements, custom, parsedFrom: 0 });
    if (end.error !== undefined) throw this.#failedWrite(end, 'not sent');
    // The statement has ended the transaction and may have left anything in the session.
    if (this.#client.getTransactionStatus() === 'I') this.#broken = true;
    return end;
  }

  /** Whether a transaction is open, even a failed one. */
  get isInTransaction(): boolean {
    return !this.#broken && this.#client.getTransactionStatus() !== 'I';
  }

  async commit(committed?: RunOptions['committed']): Promise<void> {
    const end = await this.#end(commit, this.#afterCommit(committed));
    if (end.completed === 0 && end.error !== undefined) throw this.#failedWrite(end, 'failed');
    await this.#ensureReset(end);
    notifyCommitted(end, committed);
  }

  #afterCommit(committed: RunOptions['committed']): readonly BoundStatement[] {
    return committed === undefined ? this.#released : [committedPosition, ...this.#released];
  }

  async rollback(): Promise<void> {
    if (this.isInTransaction) await this.#ensureReset(await this.#end(rollback, this.#released));
    else if (this.#isUsed) await this.#release();
  }

  /** Code of the database may have discarded the statement that ends its transaction. */
  #end(ending: BoundStatement, closing: readonly BoundStatement[]): Promise<BatchEnd> {
    return this.#run({ statements: [ending], closing, parsedFrom: 0, parsedTo: 1 });
  }

  /** The transaction is over; its end may not have reset the session. */
  async #ensureReset({ error }: BatchEnd): Promise<void> {
    if (isReparsable(error)) this.#forget(error, this.#released);
    if (error === undefined) this.#isUsed = false;
    else if (!this.isInTransaction) await this.#release();
  }

  /** Resets the session after a failed commit, or where its prepared statements are discarded. */
  async #release(): Promise<void> {
    this.#isUsed = false;
    if (this.#broken || this.#released.length === 0) return;
    const { error } = await this.#run({ statements: this.#released, parsedFrom: 0 });
    if (error !== undefined) this.#broken = true;
  }

  /**
   * Begins a transaction, and leaves none open when it fails. If the first statement after the
   * runtime's own could not be bound, nothing has been done yet, so it is parsed again.
   */
  async #begin(parts: BatchParts & { readonly parsedFrom: number }): Promise<BatchEnd> {
    this.#isUsed = true;
    const end = await this.#run(parts);
    if (end.error === undefined) return end;
    await this.rollback();
    const isUntouched = !end.isRunning && end.completed < parts.parsedFrom;
    if (!isUntouched || !isReparsable(end.error) || !this.#canForget(end.error, parts.statements)) return end;
    const again = await this.#run(parts);
    if (again.error !== undefined) await this.rollback();
    return again;
  }

  /**
   * The error of a statement that had to be parsed again on a connection that was lost meanwhile.
   */
  #failedRead(error: Error): Error {
    return this.#broken && isReparsable(error) ? lostBeforeParsing(error) : error;
  }

  #failedWrite({ error, completed, isRunning }: BatchEnd, commitment: Reached['commit']): unknown {
    const reached: Reached = { commit: commitment, isConnectionLost: this.#broken };
    if (this.#broken && !isRunning && isReparsable(error))
      return explainedWrite(lostBeforeParsing(error), { ...reached, commit: 'not sent' });
    // Only a standby refuses to begin.
    const isStandby = completed === 0 && isRunning && hasCode(error, stale);
    if (isStandby || hasCode(error, readOnly)) this.#broken = true;
    return isStandby ? readOnlyServer(error) : explainedWrite(error, reached);
  }

  /** Whether statements that could not be bound can be parsed again. */
  #canForget(error: unknown, statements: readonly BoundStatement[]): boolean {
    this.#forget(error, statements);
    return this.#prepared !== undefined && !this.#broken;
  }

  #forget(error: unknown, statements: readonly BoundStatement[]): void {
    if (hasCode(error, unknownStatement)) this.#prepared?.forgetAll();
    else this.#prepared?.forget(statements.map(({ text }) => text));
  }

  /** Runs a batch. Never rejects. */
  #run(parts: BatchParts, isRead = false): Promise<BatchEnd> {
    if (this.#cancelling !== undefined) return this.#cancelling.then(() => this.#run(parts, isRead));
    return new Promise((resolve) => {
      this.#give(this.#newBatch(parts, resolve), isRead);
    });
  }

  /** A batch. `done` is called when the connection is ready for the next batch, or lost. */
  #newBatch(parts: BatchParts, done: (end: BatchEnd) => void): Batch {
    const batch = new Batch(parts, this.#prepared, (end) => {
      const { error } = end;
      if (error === undefined) {
        this.#forgetBatch();
        done(end);
      } else
        this.#whenReady(error, () => {
          this.#forgetBatch();
          done({ ...end, error: this.#limit.explain(batch, error) });
        });
    });
    return batch;
  }

  /** An idle connection releases its last answer, which may be long. */
  #forgetBatch(): void {
    this.#current = undefined;
    this.#limit.end();
  }

  #give(batch: Batch, isRead: boolean): void {
    this.#current = batch;
    this.#limit.begin(batch, isRead);
    this.#client.query(batch as unknown as pg.Submittable);
  }

  /** Whether the server has prepared all of these statements. */
  has(statements: readonly BoundStatement[]): boolean {
    const prepared = this.#prepared;
    if (prepared === undefined) return false;
    for (const { text } of statements) if (!prepared.has(text)) return false;
    return true;
  }

  /**
   * Whether reads of several requests can be sent to it together: the server has prepared these
   * statements and those that follow them.
   */
  canShare(statements: readonly BoundStatement[]): boolean {
    return this.has(statements) && this.has(this.#reset);
  }

  /**
   * Whether it may prepare statements that other connections have prepared; behind a pooler,
   * nothing is kept.
   */
  get hasRoom(): boolean {
    return this.#prepared === undefined || this.#prepared.size < KEPT_BY_EACH;
  }

  /** The number of prepared statements. */
  get preparedCount(): number {
    return this.#prepared?.size ?? 0;
  }

  /**
   * Runs reads of several requests one after the other, each with its own Sync, and sends them in
   * one write. The connection must be able to share them. `answered` is called for each read in
   * turn, `ended` when the connection is ready for other work, or lost.
   */
  runInTurn(
    runs: readonly Pick<BatchParts, 'statements' | 'bytes'>[],
    answered: (error: Error | undefined, rows: readonly RawRow[]) => void,
    ended: () => void,
  ): void {
    let next = 0;
    const batches = runs.map(({ statements, bytes }) =>
      this.#newBatch({ statements, closing: this.#reset, bytes }, ({ error, rows }) => {
        if (isReparsable(error)) this.#forget(error, statements);
        answered(error, rows);
        proceed(error);
      }),
    );
    // The client knows one query at a time: it receives the next query within the call that reports
    // the end of the query before.
    const proceed = (error: Error | undefined): void => {
      const batch = batches[next];
      next += 1;
      if (batch === undefined) ended();
      else if (error !== undefined && this.#broken) batch.handleError(error);
      else this.#give(batch, true);
    };
    Batch.sendAll(batches, this.#wire.connection);
    proceed(undefined);
  }

  /**
   * The client forgets a failed query at once, but the connection is ready only after the server
   * has seen the Sync.
   */
  #whenReady(error: Error, then: () => void): void {
    const { connection } = this.#wire;
    if (!(error instanceof pg.DatabaseError) || this.#broken) {
      this.#broken = true;
      then();
      return;
    }
    const settle = (): void => {
      connection.off('readyForQuery', settle);
      connection.off('end', settle);
      then();
    };
    connection.once('readyForQuery', settle);
    connection.once('end', settle);
  }

  /**
   * Asks the server to stop the statement of this connection. Resolves when the server has taken
   * the request; until then the connection runs nothing else. When a request is stuck, its arrival
   * time is unknown: its connection is discarded.
   */
  cancel(): Promise<void> {
    const requested = requestCancel(this.#wire).then((sent) => {
      if (sent) return;
      this.#broken = true;
      this.#wire.connection.stream.destroy();
    });
    this.#cancelling = requested.finally(() => (this.#cancelling = undefined));
    return this.#cancelling;
  }

  /**
   * Calls `then` when no cancel request is on its way: the request would stop the next statement.
   */
  onceUncancelled(then: () => void): void {
    if (this.#cancelling === undefined) then();
    else void this.#cancelling.then(then);
  }
}

function notifyCommitted({ closingRow }: BatchEnd, committed: RunOptions['committed']): void {
  const position = closingRow?.[0];
  if (typeof position === 'string') committed?.(position);
}

const hasCode = (error: unknown, code: string): boolean => error instanceof pg.DatabaseError && error.code === code;

/**
 * The error if no part of the statement has run and it cannot be parsed again: the connection is
 * lost.
 */
const lostBeforeParsing = (cause: unknown): Error =>
  new Error('Connection terminated before a statement was parsed again', { cause });

export const isReparsable = (error: unknown): boolean => hasCode(error, stale) || hasCode(error, unknownStatement);
