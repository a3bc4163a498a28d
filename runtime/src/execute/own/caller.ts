import type { Kysely } from 'kysely';
import type { Driver, Identity, RunOptions } from '../../dialect/driver.js';
import type { AnyDatabase } from '../hooks.js';
import type { WriteRunner } from '../write-runner.js';
import type { WriteSession } from '../write-session.js';
import { textOfDocument, type TypedDocument, type VariablesOf } from './documents.js';
import { currentFrame, inFrame } from './frame.js';
import { Loaders, type Batch, type Loader } from './loader.js';

export interface TransactionOptions {
  /**
   * Milliseconds that each statement may take. Default: `app.datasource.write-timeout-ms`, else
   * `app.datasource.statement-timeout-ms`.
   */
  readonly timeout?: number;
}

/** Claims with which the user's code acts. The server trusts them without verification. */
export interface ActingIdentity extends Pick<Identity, 'userId' | 'projectId' | 'role'> {
  /**
   * For `request.jwt.claims`: an object, or its JSON text. User, project and role are taken from an
   * object where they are not given.
   */
  readonly claims?: string | Readonly<Record<string, unknown>>;
}

/** The database as one caller: policies hold for everything that is done with it. */
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
   * Batches what many rows ask for: all keys that are asked for in one tick are given to one call
   * of `batch`, which is a function of a module, and not one made for each row.
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

/** Where nothing says who code may act as. */
export const nobodyElse = (): never => {
  throw new TypeError('This server does not say how claims become an identity.');
};

/** What callers are made of: of one API, for one request or for none. */
export interface CallerParts {
  readonly runner: Pick<WriteRunner, 'together'>;
  readonly driver: Driver;
  readonly options: RunOptions;
  readonly actAs: (given: ActingIdentity) => Identity;
  readonly ask: Ask;
}

/** Runs a document as an identity, in a transaction where there is one. */
export type Ask = (
  query: string,
  variables: Readonly<Record<string, unknown>> | undefined,
  exchange: { readonly identity: Identity; readonly options: RunOptions; readonly session?: WriteSession },
) => Promise<Readonly<Record<string, unknown>>>;

/** @param session of the mutation that a resolver is asked in */
export function createCaller(parts: CallerParts, identity: Identity, session?: WriteSession): Caller {
  const { runner, driver, options, actAs, ask } = parts;
  const loaders = new Loaders<Caller>();
  const caller: Caller = {
    identity,
    transaction: (work, { timeout } = {}) => {
      const around = currentFrame(driver, identity) ?? session?.frame;
      if (around?.isOver === false) return around.nested((inner) => work(inner.db));
      const limited = timeout === undefined ? options : { ...options, timeout };
      return runner.together(identity, limited, ({ frame }) => inFrame(frame, () => work(frame.db)));
    },
    query: <Data>(
      document: TypedDocument<Data, unknown>,
      variables?: Readonly<Record<string, unknown>>,
    ): Promise<Data> => {
      const inside = currentFrame(driver, identity)?.session ?? session;
      const exchange = { identity, options, ...(inside === undefined ? {} : { session: inside }) };
      return ask(textOfDocument(document), variables, exchange) as Promise<Data>;
    },
    loader: (batch) => loaders.of(batch, caller),
    as: (given) => createCaller(parts, actAs(given)),
  };
  return caller;
}
