import { mayWrite } from '../transaction.js';
import type { BoundStatement } from '../../statement.js';

/** What a batch does. A procedure may end the transaction it is called in: what it does after that finds the session's defaults. */
export type Access = 'read' | 'write' | 'procedure';

/** What batches that share a connection do. */
export type SharedAccess = Exclude<Access, 'procedure'>;

/** What the session does when nothing says otherwise. */
interface Defaults {
  readonly writes: boolean;
  /** Whether statements give up a lock that they would have to wait for. */
  readonly hurries: boolean;
}

/** Statements that go before a batch, in its transaction, and what the session's defaults are once that is committed. */
export interface Opening {
  readonly statements: readonly BoundStatement[];
  readonly after?: Partial<Defaults>;
}

/** Writes one after the other before the session's default is turned round: among reads it would be turned back at once. */
const writesInARow = 8;

/** Milliseconds that a write which shares its connection waits for a lock: those behind it wait, too. */
const lockPatience = 25;

/**
 * Whether transactions of a connection may write when nothing says so, and how long they wait for locks. At first they may not write: reads
 * are read only at no cost, and each write says that it is one, which is as much as a third of what an insert of one row costs the database.
 * A connection that does nothing but write is spared that: its default is turned round, until the next read, which is read only all the
 * same. Writes that share a connection are given up by the database when they would have to wait for a lock; others wait as long as the
 * user's settings say.
 *
 * What turns defaults is part of the batch that needs it, so that a batch that fails undoes that, too. Since version 14 PostgreSQL says
 * itself whether transactions are read only: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
export class AccessMode {
  /** Undefined: nobody knows. */
  #writes: boolean | undefined = false;
  #hurries = false;
  #isReported = false;
  #inARow = 0;

  /** Whether nothing has to go before batches that share the connection. */
  isFor(access: SharedAccess): boolean {
    const writes = access === 'write';
    return this.#writes === writes && this.#hurries === writes;
  }

  /** A batch of its own that goes before those that share the connection; undefined when it is as they need it. */
  turning(access: SharedAccess): Opening | undefined {
    this.#inARow = 0;
    if (this.isFor(access)) return undefined;
    return access === 'write' ? turnsToSharedWrites : this.#turningToReads();
  }

  /** What has to go before a batch that has the connection to itself. */
  opening(access: Access): Opening {
    if (access === 'write') return this.#toWrite();
    this.#inARow = 0;
    if (this.isFor('read')) return access === 'read' ? nothing : saysThatItWrites;
    const { statements, after } = this.#turningToReads();
    return { statements: [access === 'read' ? mayNotWrite : mayWrite, ...statements], after };
  }

  #turningToReads(): Required<Opening> {
    const waits = this.#hurries ? [resetsPatience] : [];
    return { statements: [setDefault('on'), ...waits], after: { writes: false, hurries: false } };
  }

  /** The same for a transaction that says itself whether it writes. */
  get begun(): readonly BoundStatement[] {
    return this.#hurries ? [waitsForLocks] : [];
  }

  #toWrite(): Opening {
    const waits = this.begun;
    if (this.#writes === true) return { statements: waits };
    this.#inARow += 1;
    return this.#inARow < writesInARow
      ? { statements: [mayWrite, ...waits] }
      : { statements: [mayWrite, setDefault('off'), ...waits], after: { writes: true } };
  }

  /** The batch is committed. */
  committed({ after }: Opening): void {
    if (after?.hurries !== undefined) this.#hurries = after.hurries;
    if (after?.writes !== undefined && !this.#isReported) this.#writes = after.writes;
  }

  /** A parameter of the session has another value. */
  reported(name: string, value: string): void {
    if (name !== 'default_transaction_read_only') return;
    this.#isReported = true;
    this.#writes = value === 'off';
  }

  /** A write was refused because its transaction was read only: somebody else has set the default. */
  refused(): void {
    this.#writes = undefined;
    this.#inARow = 0;
  }
}

const setDefault = (readOnly: 'on' | 'off'): BoundStatement => ({
  text: `set default_transaction_read_only = ${readOnly}`,
  values: [],
});
const mayNotWrite: BoundStatement = { text: 'set local transaction_read_only = on', values: [] };
const waitsForLocks: BoundStatement = { text: 'set local lock_timeout to default', values: [] };

const nothing: Opening = { statements: [] };
const saysThatItWrites: Opening = { statements: [mayWrite] };
const turnsToSharedWrites: Opening = {
  statements: [setDefault('off'), { text: `set lock_timeout = ${lockPatience}`, values: [] }],
  after: { writes: true, hurries: true },
};
const resetsPatience: BoundStatement = { text: 'reset lock_timeout', values: [] };
