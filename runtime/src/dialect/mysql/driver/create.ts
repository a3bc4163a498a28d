import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import type { CancelSignal, Driver, Identity, RunOptions } from '../../driver.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { databaseUnavailable } from '../../unavailable.js';
import { isCutText } from '../failures/cut-text.js';
import { isConnectionFailure } from '../failures/fields.js';
import { isSomebody } from '../identity.js';
import { timeoutOf } from './session-settings.js';
import { mariadbFeatures, type Features } from '../start-up/features.js';
import { Cancelling, withinTime } from './cancelling.js';
import { Compounds, isPlainRead } from './compound.js';
import type { MysqlConnection } from './connection.js';
import { afterFailedBlock, commit, explainedWrite } from './outcome.js';
import { MysqlPool } from './pool.js';
import { runTransaction, type TransactionSteps } from './transaction.js';

/**
 * MariaDB and MySQL by mysql2: a pool, prepared statements, and the identity set before the
 * statements of each run.
 * @param features of the server, once they are known
 */
export function createMysqlDriver(
  url: string,
  settings: Settings,
  observe: Observer = () => undefined,
  features: () => Features = () => mariadbFeatures,
): Driver {
  const pool = new MysqlPool(url, settings, observe);
  const compounds = new Compounds(settings);
  const isVerified = settings['app.security.jwt-enabled'];

  const limit = (connection: MysqlConnection, { timeout }: RunOptions, isRead: boolean): Promise<void> =>
    connection.limit(timeout ?? timeoutOf(settings, isRead));

  const needsIdentity = (connection: MysqlConnection, identity: Identity): boolean =>
    isVerified || isSomebody(identity) || connection.isClaimed;

  /** One statement alone: with its identity, where it has one, in one round trip. */
  const read = async (
    connection: MysqlConnection,
    statements: readonly BoundStatement[],
    { identity = {} }: RunOptions,
  ): Promise<readonly RawRow[]> => {
    const [only, ...more] = statements;
    if (needsIdentity(connection, identity)) {
      if (only !== undefined && more.length === 0 && features().compound && isPlainRead(only))
        return connection.readBlock(identity, compounds.read(identity, only));
      await connection.claim(identity);
    }
    let rows: readonly RawRow[] = [];
    for (const statement of statements) rows = await connection.read(statement);
    return rows;
  };

  /** A whole transaction in one round trip. */
  const writeAtOnce = (statements: readonly BoundStatement[], options: RunOptions): Promise<readonly RawRow[]> =>
    withConnection(pool, options.signal, async (connection) => {
      const { identity = {} } = options;
      try {
        await limit(connection, options, false);
      } catch (error) {
        throw explainedWrite(error);
      }
      try {
        return await connection.writeBlock(identity, compounds.write(identity, statements), settings);
      } catch (error) {
        throw await afterFailedBlock(connection, error);
      }
    });

  /** MySQL limits no write. */
  const limited = <T>(
    connection: MysqlConnection,
    { timeout = timeoutOf(settings, false) }: RunOptions,
    run: () => Promise<T>,
  ): Promise<T> => (features().limitsWrites ? run() : withinTime(timeout, connection, pool.options, run));

  const transaction: Driver['transaction'] = (work, options = {}) =>
    withConnection(pool, options.signal, async (connection) => {
      const steps: TransactionSteps = {
        begin: async () => {
          await limit(connection, options, false);
          const { identity = {} } = options;
          if (needsIdentity(connection, identity)) await connection.claim(identity);
          await connection.plain('start transaction read write');
        },
        again: async () => {
          await connection.limitAnew(options.timeout ?? timeoutOf(settings, false));
          await connection.claim(options.identity ?? {});
        },
        commit: () => commit(connection),
        limited: (run) => limited(connection, options, run),
      };
      try {
        return await runTransaction(connection, steps, work, options.signal);
      } catch (error) {
        throw explainedWrite(error);
      }
    });

  return {
    run: (statements, options = {}) => {
      if (options.write !== true) {
        return withConnection(pool, options.signal, async (connection) => {
          await limit(connection, options, true);
          return read(connection, statements, options);
        });
      }
      const isBlock = features().compound && statements.every(({ answers }) => answers !== undefined);
      return isBlock ? writeAtOnce(statements, options) : transaction((run) => run(statements), options);
    },

    transaction,

    ping: async () => {
      const { state, exhaustion } = pool.queue;
      if (state === 'busy') return;
      if (state === 'exhausted') throw exhaustion;
      await withConnection(pool, undefined, (connection) => connection.plain('select 1'));
    },

    stats: () => pool.stats,

    close: () => pool.close(),
  };
}

/**
 * Leases a connection for the work. When the request is aborted, its statement is stopped at the
 * database.
 */
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
    if (signal !== undefined && isAborted(signal) && isCutText(error)) throw requestAborted();
    throw isConnectionFailure(error) ? databaseUnavailable(error) : error;
  } finally {
    cancelling.stop();
    pool.release(connection);
  }
}

const isAborted = (signal: CancelSignal): boolean => signal.aborted;
