import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import type { ConnectionBudget } from '../../connection-budget.js';
import type { Driver, RunOptions } from '../../driver.js';
import { runTransaction, type TransactionSteps } from '../../driver-transaction.js';
import type { BoundStatement } from '../../../plan/statement.js';
import { explained } from './explained.js';
import type { PgConnection } from './connection.js';
import { CustomRows, encodedStatement } from './custom-values.js';
import { PgPool } from './pool.js';
import { ReadSharing } from './read-sharing.js';
import { checkSession } from './session-check.js';
import { againPreamble, foreignSessionPreamble, ownSessionPreamble } from './session-settings.js';
import { timeoutOf } from '../../time-limit.js';
import type { RunAlone } from './shared-read.js';
import { StatementTimings, textOf } from './statement-timings.js';
import { isolation, sessionOfTransaction } from './transaction.js';

/**
 * The driver for PostgreSQL by node-postgres: a pool, one Sync for each run, and statements
 * prepared by name unless there is a pooler.
 */
export function createPgDriver(
  url: string,
  settings: Settings,
  tables: number,
  observe: Observer,
  budget?: ConnectionBudget,
): Driver {
  const pool = new PgPool(url, settings, tables, observe, budget);
  const timings = new StatementTimings();
  const customRows = new CustomRows();
  const again = againPreamble(settings);
  const pooled = settings['app.datasource.pooler'] !== 'none';
  const limits = { read: timeoutOf(settings, true), write: timeoutOf(settings, false) };
  const preamble = pooled ? foreignSessionPreamble(settings) : ownSessionPreamble(settings);
  /** Behind a pooler every transaction sets its own settings. */
  let isChecked = pooled;

  const readAlone: RunAlone = (statements, options) =>
    withConnection(pool, statements, options, limits.read, async (connection) => {
      const since = performance.now();
      const rows = await connection.read(statements, options.session?.after, options.bytes);
      timings.ranAlone(textOf(statements), performance.now() - since);
      return rows;
    });
  const shares = settings['app.datasource.share-reads'] && !pooled;
  const sharing = shares ? new ReadSharing(pool, timings, readAlone, observe, limits.read) : undefined;

  return {
    run: (statements, options = {}) => {
      if (options.write === true) {
        const before = preamble(options, false);
        return withConnection(pool, statements, options, limits.write, (connection) =>
          connection.write(before, statements, options.session?.after, options.committed),
        );
      }
      const before = preamble(options, true);
      const all = before.length === 0 ? statements : [...before, ...statements];
      const isShared = options.session?.after === undefined;
      return (isShared ? sharing?.run(all, options) : undefined) ?? readAlone(all, options);
    },

    transaction: (work, options = {}) =>
      withConnection(pool, nothing, options, limits.write, (connection) => {
        const before = [...isolation(options), ...preamble(options, false)];
        const anew = again(options);
        const within = (statements: readonly BoundStatement[]) => connection.within(statements);
        const steps: TransactionSteps = {
          run: (statements, state) => {
            if (state === 'new') return connection.begin(before, statements);
            return within(state === 'set' ? statements : [...anew, ...statements]);
          },
          query: async ({ text, values }, state) => {
            const isFirst = state === 'new';
            const end = await connection.runCustom(isFirst, isFirst ? before : anew, encodedStatement(text, values));
            return { result: await customRows.read(end, within), isOpen: connection.isInTransaction };
          },
          mark: async (text, state) => {
            const statements = [{ text, values: [] }];
            await (state === 'new' ? connection.begin(before, statements) : within(statements));
          },
          ...sessionOfTransaction,
          commit: () => connection.commit(options.committed),
          rollback: () => connection.rollback(),
        };
        return runTransaction(steps, work, options.signal);
      }),

    ping: () =>
      pool.ping(() =>
        withConnection(pool, nothing, {}, limits.read, async (connection) => {
          await connection.read([{ text: 'select 1', values: [] }]);
          if (!isChecked) await checkSession(settings, (statements) => connection.read(statements));
          isChecked = true;
        }),
      ),

    stats: () => pool.stats,

    close: (grace) => pool.close(grace),
  };
}

const nothing: readonly BoundStatement[] = [];

/** @param limit milliseconds that each statement may take, unless the options say so */
async function withConnection<T>(
  pool: PgPool,
  statements: readonly BoundStatement[],
  options: RunOptions,
  limit: number,
  work: (connection: PgConnection) => Promise<T>,
): Promise<T> {
  try {
    return await pool.use(
      options.signal,
      (connection) => {
        connection.timeout = options.timeout ?? limit;
        return work(connection);
      },
      () => pool.leaseFor(statements),
    );
  } catch (error) {
    throw explained(error);
  }
}
