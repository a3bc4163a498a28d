import type { Kysely } from 'kysely';
import type { Driver, Identity, RunOptions } from '../../dialect/driver.js';
import type { AnyDatabase } from '../hooks/table-hooks.js';
import type { Services } from '../services.js';
import { Transaction } from '../transaction.js';
import type { WriteRunner } from '../write-runner.js';
import type { ActAs, ActingIdentity } from './acting-identity.js';
import { textOfDocument, type TypedDocument, type VariablesOf } from './documents.js';
import { Loaders, type Batch, type Loader } from './loader.js';

export interface TransactionOptions {
  /**
   * Milliseconds that each statement may take. Default: `app.datasource.write-timeout-ms`, else
   * `app.datasource.statement-timeout-ms`.
   */
  readonly timeout?: number;
}

/** The database as one caller: policies apply to everything. */
export interface Caller<Database = AnyDatabase> {
  /** The verified claims of the caller. Empty for an anonymous request. */
  readonly identity: Identity;
  /**
   * Runs code in one transaction as this identity, with a Kysely on it: kept when it resolves,
   * undone when it rejects. Inside another transaction of the same identity, that of a mutation's
   * generated fields too, it is a savepoint of that one.
   * @throws errors of the code, and ServerError if the database cannot be reached or the
   * transaction cannot commit
   */
  readonly transaction: <T>(work: (db: Kysely<Database>) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /**
   * Runs a document of generated fields as this identity and gives its `data`, parsed. In a
   * transaction, that of a mutation's generated fields too, it reads and writes inside that.
   * @throws ServerError for a document that does not validate, and errors of the database
   */
  readonly query: RunDocument;
  /**
   * Batches the requests of many rows: all keys that are asked for in one tick are given to one
   * call of `batch`. Define `batch` once, not anew for each row.
   */
  readonly loader: <Key, Value>(batch: Batch<Key, Value, Caller<Database>>) => Loader<Key, Value>;
  /** The same database as another identity, in a transaction of its own. */
  readonly as: (identity: ActingIdentity) => Caller<Database>;
}

/** Data and variables are typed where the document says their types. */
export interface RunDocument {
  (document: string, variables?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  <Data, Variables>(document: TypedDocument<Data, Variables>, ...variables: VariablesOf<Variables>): Promise<Data>;
}

/** The parts of callers: of one API, for one request or for none. */
export interface CallerParts {
  readonly runner: Pick<WriteRunner, 'inTransaction'>;
  readonly driver: Driver;
  readonly options: RunOptions;
  readonly actAs: ActAs;
  readonly ask: Ask;
}

/** Runs a document as an identity, in the transaction if there is one. */
export type Ask = (
  query: string,
  variables: Readonly<Record<string, unknown>> | undefined,
  exchange: { readonly identity: Identity; readonly options: RunOptions; readonly transaction?: Transaction },
) => Promise<Readonly<Record<string, unknown>>>;

/** The services of an API whose documents another API may run. */
export interface AskingServices extends Services {
  /**
   * Runs the documents of the user's code. The API of a role sets it to the whole API. Absent: the
   * API that called the code runs them.
   */
  readonly ask?: Ask;
}

/** @param outer the transaction of the mutation whose resolver is called */
export function createCaller(parts: CallerParts, identity: Identity, outer?: Transaction): Caller {
  const { runner, driver, options, actAs, ask } = parts;
  const loaders = new Loaders<Caller>();
  const caller: Caller = {
    identity,
    transaction: (work, { timeout } = {}) => {
      const around = Transaction.current(driver, identity) ?? outer;
      if (around?.isOver === false) return around.nested((inner) => work(inner.db));
      const limited = timeout === undefined ? options : { ...options, timeout };
      return runner.inTransaction(identity, limited, (opened) => opened.within(() => work(opened.db)));
    },
    query: <Data>(
      document: TypedDocument<Data, unknown>,
      variables?: Readonly<Record<string, unknown>>,
    ): Promise<Data> => {
      const transaction = Transaction.current(driver, identity) ?? outer;
      const exchange = { identity, options, ...(transaction === undefined ? {} : { transaction }) };
      return ask(textOfDocument(document), variables, exchange) as Promise<Data>;
    },
    loader: (batch) => loaders.of(batch, caller),
    as: (given) => createCaller(parts, actAs(sameTenant(identity, given))),
  };
  return caller;
}

/** A caller stays at its tenant, unless the user's code names another one. */
const sameTenant = ({ tenant }: Identity, given: ActingIdentity): ActingIdentity =>
  tenant === undefined ? given : { tenant, ...given };
