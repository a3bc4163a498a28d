import { mayWrite } from '../transaction.js';
import type { BoundStatement } from '../../statement.js';

/** What a batch does. A procedure may end the transaction it is called in: what it does after that finds the session's default. */
export type Access = 'read' | 'write' | 'procedure';

/** Statements that go before a batch, in its transaction, and what the session's default is once that is committed. */
export interface Opening {
  readonly statements: readonly BoundStatement[];
  readonly writesAfter?: boolean;
}

/** Writes one after the other before the session's default is turned round: among reads it would be turned back at once. */
const writesInARow = 8;

/**
 * Whether transactions of a connection may write when nothing says so. At first they may not: reads are read only at no cost, and each write
 * says that it is one, which is as much as a third of what an insert of one row costs the database. A connection that does nothing but
 * write is spared that: its default is turned round, until the next read, which is read only all the same.
 *
 * What turns it is part of the batch that needs it, so that a batch that fails undoes that, too. Since version 14 PostgreSQL says itself what the
 * default has become: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-ASYNC
 */
export class AccessMode {
  /** Undefined: nobody knows. */
  #writes: boolean | undefined = false;
  #isReported = false;
  #inARow = 0;

  /** Whether a read needs nothing before it. */
  get reads(): boolean {
    return this.#writes === false;
  }

  /** One that needed nothing is sent. */
  hasRead(): void {
    this.#inARow = 0;
  }

  /** What has to go before a batch. */
  opening(access: Access): Opening {
    if (access === 'write') return this.#toWrite();
    this.#inARow = 0;
    if (this.#writes === false) return access === 'read' ? nothing : saysThatItWrites;
    return access === 'read' ? turnsToReading : turnsForProcedure;
  }

  #toWrite(): Opening {
    if (this.#writes === true) return nothing;
    this.#inARow += 1;
    return this.#inARow < writesInARow ? saysThatItWrites : turnsToWriting;
  }

  /** The batch is committed. */
  committed({ writesAfter }: Opening): void {
    if (writesAfter !== undefined && !this.#isReported) this.#writes = writesAfter;
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

const nothing: Opening = { statements: [] };
const saysThatItWrites: Opening = { statements: [mayWrite] };
const turnsToWriting: Opening = { statements: [mayWrite, setDefault('off')], writesAfter: true };
const turnsToReading: Opening = { statements: [mayNotWrite, setDefault('on')], writesAfter: false };
const turnsForProcedure: Opening = { statements: [mayWrite, setDefault('on')], writesAfter: false };
