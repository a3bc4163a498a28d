import { codes, ServerError } from '../../../errors.js';
import type { Settings } from '../../../settings/settings.js';
import type { CancelSignal, Driver, RunOptions } from '../../driver.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { databaseUnavailable } from '../../unavailable.js';
import { databaseErrorFields, isConnectionFailure } from '../failures/fields.js';
import { isSomebody, setIdentity } from '../identity.js';
import { timeoutOf } from './session-settings.js';
import { Cancelling } from './cancelling.js';
import type { MysqlConnection } from './connection.js';
import { MysqlPool } from './pool.js';

/** MariaDB by mysql2: a pool, prepared statements, and who asks set before the statements of each run. */
export function createMysqlDriver(url: string, settings: Settings): Driver {
  const pool = new MysqlPool(url, settings);
  const isVerified = settings['app.security.jwt-enabled'];

  /** What precedes the statements of a run: its time limit, and who asks. */
  const prepare = async (connection: MysqlConnection, options: RunOptions, isRead: boolean): Promise<void> => {
    await connection.limit(options.timeout ?? timeoutOf(settings, isRead));
    const { identity = {} } = options;
    if (isVerified || isSomebody(identity)) await connection.run(setIdentity(identity));
  };

  const transaction: Driver['transaction'] = (work, options = {}) =>
    withConnection(pool, options.signal, async (connection) => {
      const state = { begun: false, failed: false };
      const run: Driver['run'] = async (statements) => {
        if (options.signal?.aborted === true) throw requestAborted();
        try {
          if (!state.begun) {
            await prepare(connection, options, false);
            await connection.plain('start transaction read write');
            state.begun = true;
          }
          return await runAll(connection, statements);
        } catch (error) {
          state.failed = true;
          throw error;
        }
      };
      try {
        const result = await work(run);
        if (state.failed) throw new Error('a statement of the transaction failed and was passed over');
        if (options.signal?.aborted === true) throw requestAborted();
        if (state.begun) await commit(connection);
        return result;
      } catch (error) {
        // On a lost connection there is nothing to roll back, and the first error is the one to tell.
        if (state.begun) await connection.plain('rollback').catch(() => undefined);
        throw explainedWrite(error);
      } finally {
        if (state.begun) connection.touch();
      }
    });

  return {
    run: (statements, options = {}) =>
      options.write === true
        ? transaction((run) => run(statements), options)
        : withConnection(pool, options.signal, async (connection) => {
            await prepare(connection, options, true);
            let rows: readonly RawRow[] = [];
            for (const statement of statements) rows = await connection.read(statement);
            return rows;
          }),

    transaction,

    ping: async () => {
      const { state, exhaustion } = pool.queue;
      if (state === 'busy') return;
      if (state === 'exhausted') throw exhaustion;
      await withConnection(pool, undefined, (connection) => connection.plain('select 1'));
    },

    close: () => pool.close(),
  };
}

/** One after another: a statement that follows a failed one would be run all the same. */
async function runAll(connection: MysqlConnection, statements: readonly BoundStatement[]): Promise<readonly RawRow[]> {
  let rows: readonly RawRow[] = [];
  for (const statement of statements) rows = await connection.run(statement);
  return rows;
}

/** A connection that is lost while it commits proves nothing: the outcome is unknown. */
async function commit(connection: MysqlConnection): Promise<void> {
  try {
    await connection.plain('commit');
  } catch (error) {
    if (databaseErrorFields(error) !== undefined && !connection.isLost) throw error;
    throw new ServerError(
      503,
      codes.unavailable,
      'The database was lost while it was writing: the outcome is unknown.',
      {
        hint: 'Read before you write again: the write may have been done.',
        headers: { 'retry-after': '1' },
        cause: error,
      },
    );
  }
}

/** Leases a connection for the work. When the request is given up, what it does at the database is stopped. */
async function withConnection<T>(
  pool: MysqlPool,
  signal: CancelSignal | undefined,
  work: (connection: MysqlConnection) => Promise<T>,
): Promise<T> {
  if (signal !== undefined && isAborted(signal)) throw requestAborted();
  const connection = await pool.lease();
  const cancelling = new Cancelling(connection, pool.options, signal);
  try {
    if (signal !== undefined && isAborted(signal)) throw requestAborted();
    return await work(connection);
  } catch (error) {
    throw isConnectionFailure(error) ? databaseUnavailable(error) : error;
  } finally {
    cancelling.stop();
    pool.release(connection);
  }
}

const isAborted = (signal: CancelSignal): boolean => signal.aborted;

const explainedWrite = (error: unknown): unknown =>
  isConnectionFailure(error)
    ? new ServerError(503, codes.unavailable, 'The database ended the connection: nothing was written.', {
        hint: 'Send the request again in a moment.',
        headers: { 'retry-after': '1' },
        cause: error,
      })
    : error;
