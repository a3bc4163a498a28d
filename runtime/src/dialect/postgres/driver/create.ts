import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import type { CancelSignal, Driver, RunOptions } from '../../driver.js';
import type { BoundStatement } from '../../statement.js';
import { explained } from './explained.js';
import { requestAborted } from '../../request-aborted.js';
import { Cancelling } from './cancelling.js';
import type { PgConnection } from './connection.js';
import { OwnRows, ownParts } from './own-values.js';
import { PgPool } from './pool.js';
import { ReadSharing } from './read-sharing.js';
import { checkSession } from './session-check.js';
import { againPreamble, foreignSessionPreamble, ownSessionPreamble } from './session-settings.js';
import type { RunAlone } from './shared-read.js';
import { StatementTimings, textOf } from './statement-timings.js';
import { runTransaction, type TransactionSteps } from './transaction.js';

/**
 * PostgreSQL by node-postgres: a pool, one Sync for each run, statements prepared by name where no
 * pooler is in between.
 */
export function createPgDriver(url: string, settings: Settings, tables: number, observe: Observer): Driver {
  const pool = new PgPool(url, settings, tables, observe);
  const timings = new StatementTimings();
  const ownRows = new OwnRows();
  const again = againPreamble(settings);
  const pooled = settings['app.datasource.pooler'] !== 'none';
  const preamble = pooled ? foreignSessionPreamble(settings) : ownSessionPreamble(settings);
  /** Behind a pooler every transaction sets its own settings. */
  let isChecked = pooled;

  const readAlone: RunAlone = (statements, options) =>
    withConnection(pool, statements, options, async (connection) => {
      const since = performance.now();
      const rows = await connection.read(statements);
      timings.ranAlone(textOf(statements), performance.now() - since);
      return rows;
    });
  const shares = settings['app.datasource.share-reads'] && !pooled;
  const sharing = shares ? new ReadSharing(pool, timings, readAlone, observe) : undefined;

  return {
    run: (statements, options = {}) => {
      if (options.write === true) {
        const before = preamble(options, false);
        return withConnection(pool, statements, options, (connection) => connection.write(before, statements));
      }
      const before = preamble(options, true);
      const all = before.length === 0 ? statements : [...before, ...statements];
      return sharing?.run(all, options) ?? readAlone(all, options);
    },

    transaction: (work, options = {}) =>
      withConnection(pool, nothing, options, (connection) => {
        const before = preamble(options, false);
        const anew = again(options);
        const within = (statements: readonly BoundStatement[]) => connection.within(statements);
        const steps: TransactionSteps = {
          begin: (statements) => connection.begin(before, statements),
          within,
          own: async ({ text, values }, isFirst) =>
            ownRows.read(await connection.own(isFirst, isFirst ? before : anew, ownParts(text, values)), within),
          preamble: anew,
          isOpen: () => connection.isInTransaction,
          commit: () => connection.commit(),
          rollback: () => connection.rollback(),
        };
        return runTransaction(steps, work, options.signal);
      }),

    ping: async () => {
      const { state, exhaustion } = pool.queue;
      if (state === 'busy') return;
      if (state === 'exhausted') throw exhaustion;
      await withConnection(pool, nothing, {}, async (connection) => {
        await connection.read([{ text: 'select 1', values: [] }]);
        if (!isChecked) await checkSession(settings, (statements) => connection.read(statements));
        isChecked = true;
      });
    },

    stats: () => pool.stats,

    close: () => pool.close(),
  };
}

const nothing: readonly BoundStatement[] = [];

/**
 * Leases a connection for the work. When the request is aborted, its statement is stopped at the
 * database first.
 */
async function withConnection<T>(
  pool: PgPool,
  statements: readonly BoundStatement[],
  options: RunOptions,
  work: (connection: PgConnection) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  if (signal !== undefined && isAborted(signal)) throw requestAborted();
  const lease = pool.lease(statements);
  const { connection, release } = lease instanceof Promise ? await lease : lease;
  if (signal !== undefined && isAborted(signal)) {
    release();
    throw requestAborted();
  }
  const cancelling = new Cancelling(connection, signal);
  try {
    return await work(connection);
  } catch (error) {
    throw explained(error);
  } finally {
    cancelling.stop();
    connection.onceUncancelled(release);
  }
}

const isAborted = (signal: CancelSignal): boolean => signal.aborted;
