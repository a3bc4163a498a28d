import pg from 'pg';
import type { BoundStatement, RawRow } from '../../statement.js';
import { mayWrite } from '../transaction.js';
import { AccessMode, type Access, type Opening, type SharedAccess } from './access-mode.js';
import { Batch, type BatchDone } from './batch.js';
import { requestCancel } from './cancel-request.js';
import { KEPT_BY_EACH, PreparedStatements } from './prepared.js';
import type { WireClient } from './wire.js';

/** A stale plan, or a statement the server lost (DISCARD ALL, a pooler): parsed anew, it works. */
const reparse = new Set(['0A000', '26000']);

/** A write in a transaction that is read only. */
const readOnly = new Set(['25006']);

/** A lock was not free, or somebody has set the session to read only. */
const withdrawn = new Set(['55P03', ...readOnly]);

/** One connection of the pool, seen as what runs batches. */
export class PgConnection {
  readonly #client: pg.ClientBase;
  readonly #wire: WireClient;
  readonly #prepared: PreparedStatements | undefined;
  /** Absent behind a pooler, where the session is not ours to change: whoever runs a batch says what it may do. */
  readonly #mode: AccessMode | undefined;
  #broken = false;
  /** A cancel request on its way. Whatever ran now would be stopped by it. */
  #cancelling: Promise<void> | undefined;

  /**
   * @param mostPrepared statements it keeps prepared, undefined behind a pooler
   * @param onLost is told, perhaps twice, that the connection is gone
   */
  constructor(client: pg.ClientBase, mostPrepared: number | undefined, onLost: () => void) {
    this.#client = client;
    this.#wire = client as unknown as WireClient;
    if (mostPrepared !== undefined) {
      this.#prepared = new PreparedStatements(mostPrepared);
      this.#mode = new AccessMode();
    }
    const { connection } = this.#wire;
    connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
      this.#mode?.reported(parameterName, parameterValue),
    );
    connection.on('parseComplete', () => this.#prepared?.parsed());
    connection.on('closeComplete', () => this.#prepared?.closed());
    const lost = (): void => {
      this.#broken = true;
      onLost();
    };
    connection.once('end', lost);
    // Without a listener a lost connection would end the process; whoever runs a batch on it is told by the batch.
    client.on('error', lost);
  }

  /**
   * Whether it can be given to the next request: it is there, and in no transaction. A rollback that failed, as one does that is cancelled,
   * leaves one open.
   */
  get usable(): boolean {
    return !this.#broken && this.#client.getTransactionStatus() === 'I';
  }

  /** Whether nothing will be heard of it any more. */
  get lost(): boolean {
    return this.#broken;
  }

  /**
   * Runs statements that read under one Sync, in a transaction that is read only; behind a pooler they have to say so. Settles when the
   * connection is ready again, so that an error leaves nothing behind.
   */
  async read(statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    try {
      return await this.#inMode('read', statements);
    } catch (error) {
      if (!isReparsable(error) || this.#prepared === undefined || this.#broken) throw error;
      this.#forget(statements);
      return this.#inMode('read', statements);
    }
  }

  /** The same for statements that write: nothing is tried again. */
  write(statements: readonly BoundStatement[], access: Exclude<Access, 'read'> = 'write'): Promise<readonly RawRow[]> {
    return this.#once(statements, () => this.#inMode(access, statements));
  }

  /** What has to follow the beginning of a transaction. */
  get begun(): readonly BoundStatement[] {
    return this.#mode?.begun ?? [];
  }

  /** The same within a transaction that was begun, which an error ends. */
  within(statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    return this.#once(statements, () => this.#batch(statements));
  }

  /** A statement that went stale is parsed anew the next time. */
  async #once(
    statements: readonly BoundStatement[],
    run: () => Promise<readonly RawRow[]>,
  ): Promise<readonly RawRow[]> {
    try {
      return await run();
    } catch (error) {
      if (isReparsable(error)) this.#forget(statements);
      throw error;
    }
  }

  #forget(statements: readonly BoundStatement[]): void {
    this.#prepared?.forget(statements.map(({ text }) => text));
  }

  async #inMode(access: Access, statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    const mode = this.#mode;
    if (mode === undefined) return this.#batch(access === 'read' ? statements : [mayWrite, ...statements]);
    const opening = mode.opening(access);
    try {
      const rows = await this.#batch(
        opening.statements.length === 0 ? statements : [...opening.statements, ...statements],
      );
      mode.committed(opening);
      return rows;
    } catch (error) {
      if (isReadOnly(error)) mode.refused();
      throw error;
    }
  }

  #batch(statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    if (this.#cancelling !== undefined) return this.#cancelling.then(() => this.#batch(statements));
    return new Promise((resolve, reject) => {
      const batch = this.#newBatch(statements, (error, rows) => {
        if (error === undefined) resolve(rows);
        else reject(error);
      });
      this.#give(batch);
    });
  }

  /** A batch that is done when the connection is ready for the next one, or lost. */
  #newBatch(statements: readonly BoundStatement[], done: BatchDone): Batch {
    return new Batch(statements, this.#prepared, (error, rows) => {
      if (error === undefined) done(error, rows);
      else
        this.#whenReady(error, () => {
          done(error, rows);
        });
    });
  }

  #give(batch: Batch): void {
    this.#client.query(batch as unknown as pg.Submittable);
  }

  /** Whether the server has all of these. */
  has(statements: readonly BoundStatement[]): boolean {
    const prepared = this.#prepared;
    if (prepared === undefined) return false;
    for (const { text } of statements) if (!prepared.has(text)) return false;
    return true;
  }

  /** Whether it does that without having to say so. */
  isFor(access: SharedAccess): boolean {
    return this.#mode?.isFor(access) === true;
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
   * Runs statements of several requests one after the other, each request's under a Sync of its own, and sends them in one piece. They have to
   * be ones that it has prepared. `answered` is called for each in turn, `ended` when the connection is ready for something else, or lost.
   */
  runInTurn(
    access: SharedAccess,
    runs: readonly (readonly BoundStatement[])[],
    answered: (error: Error | undefined, rows: readonly RawRow[]) => void,
    ended: () => void,
  ): void {
    let next = 0;
    const batches: Batch[] = [];
    const add = (statements: readonly BoundStatement[], done: BatchDone): void => {
      const batch = this.#newBatch(statements, (error, rows) => {
        done(error, rows);
        proceed(error);
      });
      batches.push(batch);
    };
    // The client knows of one query at a time: it is given each within the call in which it saw the end of the one before.
    const proceed = (error: Error | undefined): void => {
      const batch = batches[next];
      next += 1;
      if (batch === undefined) ended();
      else if (error !== undefined && this.#broken) batch.handleError(error);
      else this.#give(batch);
    };
    const turning = this.#mode?.turning(access);
    if (turning !== undefined) add(turning.statements, this.#turned(turning));
    for (const statements of runs) {
      add(statements, (error, rows) => {
        if (error !== undefined) this.#failedInTurn(error, statements);
        answered(error, rows);
      });
    }
    Batch.sendAll(batches, this.#wire.connection);
    proceed(undefined);
  }

  /** What follows was sent for a session that it is not: the connection is given up before it can answer. */
  #turned(turning: Opening): BatchDone {
    return (error) => {
      if (error === undefined) {
        this.#mode?.committed(turning);
        return;
      }
      this.#broken = true;
      this.#wire.connection.stream.destroy();
    };
  }

  #failedInTurn(error: Error, statements: readonly BoundStatement[]): void {
    if (isReparsable(error)) this.#forget(statements);
    if (isReadOnly(error)) this.#mode?.refused();
  }

  /** The client forgets a failed query at once; the connection is ready only when the server has seen the Sync. */
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
   * Asks the server to stop what this connection does. Resolves when the server has taken the request; until then the connection runs
   * nothing else. When a request is stuck, nobody knows when it will arrive: the connection it is about is given up.
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

  /** At once, or when no cancel request is on its way any more, which would stop whatever it did next. */
  onceUncancelled(then: () => void): void {
    if (this.#cancelling === undefined) then();
    else void this.#cancelling.then(then);
  }
}

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && codes.has(error.code);

export const isReparsable = (error: unknown): boolean => hasCode(error, reparse);

const isReadOnly = (error: unknown): boolean => hasCode(error, readOnly);

/** Whether the database has undone a write that shared a connection for reasons that are ours. */
export const isWithdrawn = (error: unknown): boolean => hasCode(error, withdrawn);
