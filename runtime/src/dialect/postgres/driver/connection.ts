import pg from 'pg';
import { randomBytes } from 'node:crypto';
import type { BoundStatement, RawRow } from '../../statement.js';
import { begin, commit, rollback } from './transaction.js';
import { AnswerLimit } from './answer-limit.js';
import { Batch, type BatchEnd, type BatchParts, type OwnParts } from './batch.js';
import { requestCancel } from './cancel-request.js';
import { explainedWrite, readOnlyServer, type Reached } from './outcome.js';
import { KEPT_BY_EACH, PreparedStatements } from './prepared.js';
import type { WireClient } from './wire.js';

/** A plan that went stale. */
const stale = '0A000';

/** A statement that the server lost: DEALLOCATE ALL or DISCARD ALL in a function, a pooler. */
const unknownStatement = '26000';

/** A write in a transaction that is read only. */
const readOnly = '25006';

/** A session that is ours alone, and kept from one transaction to the next. */
export interface KeptSession {
  /** Statements that it keeps prepared, at most. */
  readonly mostPrepared: number;
  /**
   * Statements that run after the work of a transaction. They remove everything that code of the
   * database has left in the session.
   */
  readonly reset: readonly BoundStatement[];
}

const nothing: readonly BoundStatement[] = [];

/** One connection of the pool, seen as what runs batches. */
export class PgConnection {
  readonly #client: pg.ClientBase;
  readonly #wire: WireClient;
  readonly #prepared: PreparedStatements | undefined;
  readonly #reset: readonly BoundStatement[];
  readonly #limit: AnswerLimit;
  /** The subject of the server's messages. */
  #current: Batch | undefined;
  #broken = false;
  /** A cancel request on its way. Whatever ran now would be stopped by it. */
  #cancelling: Promise<void> | undefined;

  /**
   * @param kept undefined behind a pooler, where the session is not ours: every batch sets its own
   * settings
   * @param mostBytes the largest answer of a read
   * @param onLost is called, perhaps twice, when the connection is gone
   */
  constructor(client: pg.ClientBase, kept: KeptSession | undefined, mostBytes: number, onLost: () => void) {
    this.#client = client;
    this.#wire = client as unknown as WireClient;
    this.#reset = kept?.reset ?? nothing;
    if (kept !== undefined)
      this.#prepared = new PreparedStatements(kept.mostPrepared, `${randomBytes(3).toString('base64url')}_`);
    const { connection } = this.#wire;
    this.#limit = new AnswerLimit(connection.stream, mostBytes);
    connection.on('parseComplete', () => this.#prepared?.parsed());
    connection.on('bindComplete', () => this.#current?.bound());
    connection.on('closeComplete', () => this.#prepared?.closed());
    const lost = (): void => {
      this.#broken = true;
      onLost();
    };
    connection.once('end', lost);
    // Without a listener a lost connection would end the process; the batch itself rejects, too.
    client.on('error', lost);
  }

  /**
   * Whether it can be given to the next request: it is there, and in no transaction. A rollback
   * that failed, as one does that is cancelled, leaves one open.
   */
  get usable(): boolean {
    return !this.#broken && this.#client.getTransactionStatus() === 'I';
  }

  /** Whether nothing will be heard of it any more. */
  get lost(): boolean {
    return this.#broken;
  }

  /** Whether it was given up for an answer that was too long. */
  get isCutShort(): boolean {
    return this.#limit.isExceeded;
  }

  /**
   * Runs statements that read under one Sync, in a transaction that is read only; behind a pooler
   * they have to say so. Settles when the connection is ready again, so that an error leaves
   * nothing behind.
   */
  async read(statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    const parts = { statements, closing: this.#reset };
    let end = await this.#run(parts, true);
    // Functions that the last statement runs may discard prepared statements: later statements are
    // parsed.
    if (isReparsable(end.error) && this.#canForget(end.error, statements))
      end = await this.#run({ ...parts, parsedFrom: statements.length }, true);
    if (end.error !== undefined) throw this.#failedRead(end.error);
    return end.rows;
  }

  /**
   * Runs statements in a transaction that may write, under one Sync. `preamble` are those of them
   * that are ours.
   */
  async write(preamble: readonly BoundStatement[], statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    const opening = [begin, ...preamble];
    const all = [...opening, ...statements];
    const end = await this.#begin({
      statements: all,
      closing: [commit, ...this.#reset],
      parsedFrom: opening.length + 1,
    });
    if (end.error === undefined) return end.rows;
    if (end.completed <= all.length) throw this.#failedWrite(end, end.completed < all.length ? 'sent' : 'failed');
    // It is committed; the session was not reset.
    this.#broken = true;
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
   * Statements of that transaction: what those before have run may have lost all that was prepared,
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
   * @param isFirst whether a transaction has to be begun first
   */
  async own(isFirst: boolean, preamble: readonly BoundStatement[], own: OwnParts): Promise<BatchEnd> {
    const statements = isFirst ? [begin, ...preamble] : preamble;
    const end = isFirst
      ? await this.#begin({ statements, own, parsedFrom: statements.length })
      : await this.#run({ statements, own, parsedFrom: 0 });
    if (end.error !== undefined) throw this.#failedWrite(end, 'not sent');
    // It has ended the transaction, and may have left anything in the session.
    if (this.#client.getTransactionStatus() === 'I') this.#broken = true;
    return end;
  }

  /** Whether a transaction is open, be it a failed one. */
  get isInTransaction(): boolean {
    return !this.#broken && this.#client.getTransactionStatus() !== 'I';
  }

  async commit(): Promise<void> {
    const end = await this.#run({ statements: [commit], closing: this.#reset, parsedFrom: 0 });
    if (end.error === undefined) return;
    if (end.completed === 0) throw this.#failedWrite(end, 'failed');
    this.#broken = true;
  }

  async rollback(): Promise<void> {
    if (this.#broken || this.#client.getTransactionStatus() === 'I') return;
    await this.#run({ statements: [rollback], parsedFrom: 0 });
  }

  /**
   * Runs what begins a transaction, and leaves none when it fails. Where the first statement that
   * is not ours could not be bound nothing has been done yet: it is parsed again.
   */
  async #begin(parts: BatchParts & { readonly parsedFrom: number }): Promise<BatchEnd> {
    const end = await this.#run(parts);
    if (end.error === undefined) return end;
    await this.rollback();
    const isUntouched = !end.isRunning && end.completed < parts.parsedFrom;
    if (!isUntouched || !isReparsable(end.error) || !this.#canForget(end.error, parts.statements)) return end;
    const again = await this.#run(parts);
    if (again.error !== undefined) await this.rollback();
    return again;
  }

  /** A statement that was to be parsed again, on a connection that was lost meanwhile. */
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

  /** Never rejects. */
  #run(parts: BatchParts, isRead = false): Promise<BatchEnd> {
    if (this.#cancelling !== undefined) return this.#cancelling.then(() => this.#run(parts, isRead));
    return new Promise((resolve) => {
      this.#give(this.#newBatch(parts, resolve), isRead);
    });
  }

  /** A batch that is done when the connection is ready for the next one, or lost. */
  #newBatch(parts: BatchParts, done: (end: BatchEnd) => void): Batch {
    const batch = new Batch(parts, this.#prepared, (end) => {
      const { error } = end;
      if (error === undefined) done(end);
      else
        this.#whenReady(error, () => {
          done({ ...end, error: this.#limit.explain(batch, error) });
        });
    });
    return batch;
  }

  #give(batch: Batch, isRead: boolean): void {
    this.#current = batch;
    this.#limit.begin(batch, isRead);
    this.#client.query(batch as unknown as pg.Submittable);
  }

  /** Whether the server has all of these. */
  has(statements: readonly BoundStatement[]): boolean {
    const prepared = this.#prepared;
    if (prepared === undefined) return false;
    for (const { text } of statements) if (!prepared.has(text)) return false;
    return true;
  }

  /**
   * Whether reads of several requests can be sent to it together: the server has them, and what
   * follows each of them.
   */
  canShare(statements: readonly BoundStatement[]): boolean {
    return this.has(statements) && this.has(this.#reset);
  }

  /** Whether it may prepare what others have prepared; behind a pooler, nothing is kept. */
  get hasRoom(): boolean {
    return this.#prepared === undefined || this.#prepared.size < KEPT_BY_EACH;
  }

  /** Statements it has prepared. */
  get preparedCount(): number {
    return this.#prepared?.size ?? 0;
  }

  /**
   * Runs reads of several requests one after the other, each request's under a Sync of its own, and
   * sends them in one piece. They have to be ones that it can share. `answered` is called for each
   * in turn, `ended` when the connection is ready for something else, or lost.
   */
  runInTurn(
    runs: readonly (readonly BoundStatement[])[],
    answered: (error: Error | undefined, rows: readonly RawRow[]) => void,
    ended: () => void,
  ): void {
    let next = 0;
    const batches = runs.map((statements) =>
      this.#newBatch({ statements, closing: this.#reset }, ({ error, rows }) => {
        if (isReparsable(error)) this.#forget(error, statements);
        answered(error, rows);
        proceed(error);
      }),
    );
    // The client knows of one query at a time: it is given each within the call in which it saw the
    // end of the one before.
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
   * The client forgets a failed query at once; the connection is ready only when the server has
   * seen the Sync.
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

const hasCode = (error: unknown, code: string): boolean => error instanceof pg.DatabaseError && error.code === code;

/**
 * Nothing of the statement has run, and it cannot be parsed again: the loss of the connection is
 * what failed.
 */
const lostBeforeParsing = (cause: unknown): Error =>
  new Error('Connection terminated before a statement was parsed again', { cause });

export const isReparsable = (error: unknown): boolean => hasCode(error, stale) || hasCode(error, unknownStatement);
