import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import { Cancelling } from '../../cancelling.js';
import type { ConnectionBudget } from '../../connection-budget.js';
import type { CancelSignal } from '../../../cancel-signal.js';
import type { Driver, Identity, RunOptions } from '../../driver.js';
import { runTransaction, type TransactionState, type TransactionSteps } from '../../driver-transaction.js';
import { firstWord } from '../../custom-statement.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import { databaseUnavailable } from '../../unavailable.js';
import { isCutText } from '../failures/cut-text.js';
import { databaseErrorFields, isConnectionFailure } from '../failures/fields.js';
import { isSomebody } from '../identity.js';
import { timeoutOf } from '../../time-limit.js';
import { mariadbFeatures, type Features } from '../start-up/features.js';
import { Compounds, isPlainRead } from './compound.js';
import type { MysqlConnection } from './connection.js';
import { afterFailedBlock, commit, explainedWrite, rollbackText } from './outcome.js';
import { MysqlPool } from './pool.js';
import { zoneFor, type SessionZone } from './session-settings.js';

/**
 * The driver for MariaDB and MySQL by mysql2: a pool, prepared statements, and the identity set
 * before the statements of each run.
 * @param features of the server, as soon as they are known
 */
export function createMysqlDriver(
  url: string,
  settings: Settings,
  observe: Observer = () => undefined,
  features: () => Features = () => mariadbFeatures,
  budget?: ConnectionBudget,
): Driver {
  const home = (): SessionZone => zoneFor(features(), []);
  const pool = new MysqlPool(url, settings, observe, home, budget);
  const compounds = new Compounds(settings, home);
  const isVerified = settings['app.security.jwt-enabled'];

  const limit = (connection: MysqlConnection, { timeout }: RunOptions, isRead: boolean): Promise<void> =>
    connection.limit(timeout ?? timeoutOf(settings, isRead));

  const needsIdentity = (connection: MysqlConnection, identity: Identity): boolean =>
    isVerified || isSomebody(identity) || connection.isClaimed;

  /** Runs one statement, with its identity if it has one, in one round trip. */
  const read = async (
    connection: MysqlConnection,
    statements: readonly BoundStatement[],
    { identity = {} }: RunOptions,
  ): Promise<readonly RawRow[]> => {
    const [only, ...more] = statements;
    const isBlock = only !== undefined && more.length === 0 && features().compound && isPlainRead(only);
    const runsCode = statements.some((each) => each.runsCode === true);
    if (isBlock && runsCode) return connection.viewBlock(compounds.read(identity, only), settings);
    if (runsCode) connection.touch();
    if (needsIdentity(connection, identity)) {
      if (isBlock) return connection.readBlock(identity, compounds.read(identity, only));
      await connection.claim(identity);
    }
    let rows: readonly RawRow[] = [];
    for (const statement of statements) rows = await connection.read(statement);
    return rows;
  };

  /** Runs a whole transaction in one round trip. */
  const writeAtOnce = (statements: readonly BoundStatement[], options: RunOptions): Promise<readonly RawRow[]> =>
    withConnection(pool, options.signal, async (connection) => {
      const { identity = {} } = options;
      try {
        await limit(connection, options, false);
        await connection.enter(zoneFor(features(), statements));
      } catch (error) {
        throw explainedWrite(error);
      }
      try {
        const rows = await connection.writeBlock(compounds.write(identity, statements), statements.length, settings);
        await connection.tellPosition(options);
        return rows;
      } catch (error) {
        throw await afterFailedBlock(connection, error);
      }
    });

  /** MySQL has no time limit for writes. */
  const limited = <T>(
    connection: MysqlConnection,
    { timeout = timeoutOf(settings, false) }: RunOptions,
    run: () => Promise<T>,
  ): Promise<T> => (features().limitsWrites ? run() : withinTime(timeout, connection, run));

  const transaction: Driver['transaction'] = (work, options = {}) =>
    withConnection(pool, options.signal, async (connection) => {
      const { identity = {} } = options;
      const zone = zoneOfTransaction(features);
      const prepareFor = async (state: TransactionState): Promise<void> => {
        if (state === 'new') {
          await limit(connection, options, false);
          if (needsIdentity(connection, identity)) await connection.claim(identity);
          connection.touch();
          // Reads lock their rows then: of two transactions that read and write a row, one fails.
          if (options.repeatable === true) await connection.plain('set transaction isolation level serializable');
          await connection.plain('start transaction read write');
        } else if (state === 'touched') {
          await connection.limitAnew(options.timeout ?? timeoutOf(settings, false));
          await connection.claim(identity);
        }
      };
      const steps: TransactionSteps = {
        // Statements are sent one by one: the server runs a statement even if the one before it
        // failed.
        run: async (statements, state) => {
          await prepareFor(state);
          let rows: readonly RawRow[] = [];
          for (const statement of statements) {
            await connection.enter(zone(statement));
            rows = await limited(connection, options, () => connection.run(statement));
          }
          return rows;
        },
        query: async (statement, state) => {
          await prepareFor(state);
          const { compiled } = statement;
          // Dates of custom code are in UTC: nothing says which of its values are TIMESTAMPs.
          await connection.enter(compiled === undefined ? 'utc' : zone(compiled));
          if (mayChangeSession(statement.text)) connection.doubt();
          const { result, endsTransaction } = await limited(connection, options, () => connection.runCustom(statement));
          return { result, isOpen: !endsTransaction };
        },
        mark: async (text, state) => {
          if (state === 'new') await prepareFor(state);
          await connection.plain(text);
        },
        mayChangeSession,
        committing,
        restoresSettings: false,
        hasEnded: (error) => databaseErrorFields(error)?.number === DEADLOCK,
        commit: async () => {
          await commit(connection);
          await connection.tellPosition(options);
        },
        rollback: () => connection.plain(rollbackText),
      };
      try {
        return await runTransaction(steps, work, options.signal);
      } catch (error) {
        throw explainedWrite(error);
      }
    });

  return {
    run: (statements, options = {}) => {
      if (options.write !== true) {
        return withConnection(pool, options.signal, async (connection) => {
          await limit(connection, options, true);
          await connection.enter(zoneFor(features(), statements));
          return read(connection, statements, options);
        });
      }
      const isBlock = features().compound && statements.every(({ answers }) => answers !== undefined);
      return isBlock ? writeAtOnce(statements, options) : transaction((run) => run(statements), options);
    },

    transaction,

    ping: () => pool.ping(() => withConnection(pool, undefined, (connection) => connection.plain('select 1'))),

    stats: () => pool.stats,

    close: (grace) => pool.close(grace),
  };
}

/**
 * The zone for each statement of the compiler in a transaction. Local times that a procedure has
 * answered are read in the zone of the call.
 */
function zoneOfTransaction(features: () => Features): (statement: BoundStatement) => SessionZone {
  let zone: SessionZone = 'utc';
  let isSettled = false;
  return (statement) => {
    if (!isSettled && zone !== 'fixed') zone = zoneFor(features(), [statement]);
    isSettled ||= statement.resultSet === true;
    return zone;
  };
}

async function withConnection<T>(
  pool: MysqlPool,
  signal: CancelSignal | undefined,
  work: (connection: MysqlConnection) => Promise<T>,
): Promise<T> {
  try {
    return await pool.use(signal, work);
  } catch (error) {
    if (signal?.aborted === true && isCutText(error)) throw requestAborted();
    throw isConnectionFailure(error) ? databaseUnavailable(error) : error;
  }
}

/**
 * Work of a connection that the database does not limit: the statement is stopped after so many
 * milliseconds.
 * @param timeout 0: no limit
 */
async function withinTime<T>(timeout: number, connection: MysqlConnection, work: () => Promise<T>): Promise<T> {
  if (timeout === 0) return work();
  const expired = new AbortController();
  const timer = setTimeout(() => {
    expired.abort();
  }, timeout);
  const cancelling = new Cancelling(connection, expired.signal);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    cancelling.stop();
  }
}

/** InnoDB, and Galera for a write set that another node was faster with, roll all of it back. */
const DEADLOCK = 1213;

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

/** Whether a statement of the user's code may change the identity or another variable. */
const mayChangeSession = (text: string): boolean => text.includes('@') || !plain.has(firstWord(text));
