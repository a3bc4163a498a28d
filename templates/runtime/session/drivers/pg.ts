import type { Settings } from '../../settings.js';
import type { CancelSignal, Driver, RunOptions } from '../driver.js';
import type { BoundStatement, RawRow } from '../statement.js';
import { explained } from './explained.js';
import { givenUp } from './given-up.js';
import { Cancelling } from './pg/cancelling.js';
import type { PgConnection } from './pg/connection.js';
import { explainedWrite } from './pg/outcome-unknown.js';
import { Paces, textOf } from './pg/paces.js';
import type { RunAlone } from './pg/pipelined-run.js';
import { Pipelines } from './pg/pipelines.js';
import { overloaded, PgPool } from './pg/pool.js';
import { claimVariables, sessionSettings, setLocal } from './session-settings.js';
import { begin, runTransaction } from './transaction.js';

/** PostgreSQL by node-postgres: a pool, one Sync for each run, statements prepared by name where no pooler is in between. */
export function createPgDriver(url: string, settings: Settings, tables: number): Driver {
  const pool = new PgPool(url, settings, tables);
  const paces = new Paces();
  const readTimeout = settings['app.datasource.statement-timeout-ms'];
  const writeTimeout = settings['app.datasource.write-timeout-ms'] ?? readTimeout;
  const pooled = settings['app.datasource.pooler'] !== 'none';

  /** What has to be set in the transaction because the connection could not bring it, or because this run differs. */
  function preamble(options: RunOptions, readOnly: boolean): readonly BoundStatement[] {
    const own = options.timeout ?? (readOnly ? readTimeout : writeTimeout);
    if (own === readTimeout && !pooled) return nothing;
    const timeout = ['statement_timeout', String(own)] as const;
    return [setLocal(pooled ? [...pooledSettings(settings, readOnly), timeout] : [timeout])];
  }

  const runAlone: RunAlone = (statements, options) =>
    withConnection(pool, statements, options, async (connection) => {
      const since = performance.now();
      const rows = await (options.write === true
        ? write(connection, statements, options)
        : connection.read(statements));
      paces.ran(textOf(statements), performance.now() - since, false);
      return rows;
    });
  const pipelines = new Pipelines(pool, paces, runAlone);

  return {
    run: (statements, options = {}) => {
      const before = preamble(options, options.write !== true);
      const all = before.length === 0 ? statements : [...before, ...statements];
      return (pooled ? undefined : pipelines.run(all, options)) ?? runAlone(all, options);
    },

    transaction: (work, options = {}) =>
      withConnection(pool, nothing, options, (connection) =>
        runTransaction(
          (statements) => connection.within(statements),
          [begin, ...connection.begun, ...preamble(options, false)],
          work,
          options.signal,
        ).catch(failedWrite),
      ),

    ping: async () => {
      const { state } = pool;
      if (state === 'busy') return;
      if (state === 'exhausted') throw overloaded();
      await withConnection(pool, nothing, {}, async (connection) => {
        const since = performance.now();
        await connection.read([{ text: 'select 1', values: [] }]);
        paces.answered(performance.now() - since);
      });
    },

    close: () => pool.close(),
  };
}

/** Behind a pooler nothing can be set for the session, and the session before may have left variables empty. */
function pooledSettings(settings: Settings, readOnly: boolean): readonly (readonly [string, string])[] {
  const claims = settings['app.security.jwt-enabled'] ? claimVariables.map((name) => [name, ''] as const) : [];
  return [...sessionSettings, ...(readOnly ? [['transaction_read_only', 'on'] as const] : []), ...claims];
}

const nothing: readonly BoundStatement[] = [];

/** Leases a connection for the work. When the request is given up, what it does at the database is stopped first. */
async function withConnection<T>(
  pool: PgPool,
  statements: readonly BoundStatement[],
  options: RunOptions,
  work: (connection: PgConnection) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  if (signal !== undefined && isAborted(signal)) throw givenUp();
  const lease = pool.lease(options.write === true ? 'write' : 'read', statements);
  const { connection, release } = lease instanceof Promise ? await lease : lease;
  if (signal !== undefined && isAborted(signal)) {
    release();
    throw givenUp();
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

const write = (
  connection: PgConnection,
  statements: readonly BoundStatement[],
  { procedure }: RunOptions,
): Promise<readonly RawRow[]> =>
  connection.write(statements, procedure === true ? 'procedure' : 'write').catch(failedWrite);

function failedWrite(error: unknown): never {
  throw explainedWrite(error);
}

const isAborted = (signal: CancelSignal): boolean => signal.aborted;
