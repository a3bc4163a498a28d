import type { CancelSignal, Driver, OwnResult, OwnSession, OwnStatement, Savepoint } from '../../driver.js';
import { endedByStatement, firstWord, refuseControl } from '../../own-statement.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { withinTransaction, type LazyTransaction } from '../../within-transaction.js';
import type { MysqlConnection } from './connection.js';

/** What begins a transaction, and what ends it. */
export interface TransactionSteps {
  begin(): Promise<void>;
  /** Sets the identity and the time limit again. */
  again(): Promise<void>;
  commit(): Promise<void>;
  /** Runs a statement within the time that it may take. */
  limited<T>(run: () => Promise<T>): Promise<T>;
}

/**
 * Words of statements that commit:
 * https://mariadb.com/kb/en/sql-statements-that-cause-an-implicit-commit/
 */
const committing: ReadonlySet<string> = new Set(
  'alter analyze cache change check create drop flush grant install lock optimize rename repair reset revoke truncate uninstall unlock'.split(
    ' ',
  ),
);

/** Statements that do not change the session, unless they name a variable. */
const plain: ReadonlySet<string> = new Set(['delete', 'insert', 'replace', 'select', 'update', 'values', 'with']);

/** A transaction on one connection, which afterwards counts as touched: see `withinTransaction`. */
export async function runTransaction<T>(
  connection: MysqlConnection,
  steps: TransactionSteps,
  work: (run: Driver['run'], own: OwnSession) => Promise<T>,
  signal: CancelSignal | undefined,
): Promise<T> {
  const transaction = new Transaction(connection, steps, signal);
  const ends = { commit: () => steps.commit(), rollback: () => connection.plain('rollback') };
  try {
    return await withinTransaction(transaction, ends, work, signal);
  } finally {
    if (transaction.isBegun) connection.touch();
  }
}

class Transaction implements LazyTransaction {
  isBegun = false;
  hasFailed = false;
  /** Whether a statement of the user may have changed the identity. */
  #isTouched = false;
  #savepoints = 0;

  constructor(
    private readonly connection: MysqlConnection,
    private readonly steps: TransactionSteps,
    private readonly signal: CancelSignal | undefined,
  ) {}

  readonly run: Driver['run'] = (statements) => this.#tracked(() => this.#runAll(statements));

  query(statement: OwnStatement): Promise<OwnResult> {
    return this.#tracked(async () => {
      const { text } = statement;
      refuseControl(text, committing);
      if (text.includes('@') || !plain.has(firstWord(text))) {
        this.#isTouched = true;
        this.connection.doubt();
      }
      const { result, endsTransaction } = await this.steps.limited(() => this.connection.own(statement));
      if (endsTransaction) throw endedByStatement();
      return result;
    });
  }

  async savepoint(): Promise<Savepoint> {
    this.#savepoints += 1;
    const name = `tablewright_${String(this.#savepoints)}`;
    const hadFailed = this.hasFailed;
    await this.#tracked(() => this.connection.plain(`savepoint ${name}`));
    return {
      release: () => this.#tracked(() => this.connection.plain(`release savepoint ${name}`)),
      rollback: async () => {
        await this.#tracked(() => this.connection.plain(`rollback to savepoint ${name}`));
        this.hasFailed = hadFailed;
      },
    };
  }

  /** One after another: a statement that follows a failed one would be run all the same. */
  async #runAll(statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
    let rows: readonly RawRow[] = [];
    for (const statement of statements) rows = await this.steps.limited(() => this.connection.run(statement));
    return rows;
  }

  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    if (this.signal?.aborted === true) throw requestAborted();
    try {
      if (!this.isBegun) {
        await this.steps.begin();
        this.isBegun = true;
      } else if (this.#isTouched) {
        this.#isTouched = false;
        await this.steps.again();
      }
      return await work();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}
