import type { Settings } from '../../settings.js';
import { codes, ServerError } from '../../errors.js';
import { isConnectionFailure, databaseUnavailable, databaseErrorFields } from '../../response/database-error.js';
import type { CancelSignal, Driver, RunOptions } from '../driver.js';
import type { BoundStatement } from '../statement.js';
import { PgPool, type Leased } from './pg/pool.js';
import { claimVariables, sessionSettings, setLocal } from './session-settings.js';
import { begin, mayWrite, runTransaction } from './transaction.js';

/** PostgreSQL by node-postgres: a pool, one Sync for each run, statements prepared by name where no pooler is in between. */
export function createPgDriver(url: string, settings: Settings): Driver {
  const pool = new PgPool(url, settings);
  const timeout = settings['app.datasource.statement-timeout-ms'];
  const pooled = settings['app.datasource.pooler'] !== 'none';

  /** What has to be set in the transaction because the connection could not bring it, or because this run differs. */
  function preamble(options: RunOptions, readOnly: boolean): readonly BoundStatement[] {
    const own = options.timeout ?? timeout;
    const differing = own === timeout && !pooled ? [] : [['statement_timeout', String(own)] as const];
    const local = pooled ? [...pooledSettings(settings, readOnly), ...differing] : differing;
    return local.length === 0 ? [] : [setLocal(local)];
  }

  return {
    run: (statements, options = {}) =>
      withConnection(pool, options, ({ connection }) =>
        options.write === true
          ? connection.runOnce([mayWrite, ...preamble(options, false), ...statements]).catch(outcomeUnknown)
          : connection.run([...preamble(options, true), ...statements]),
      ),

    transaction: (work, options = {}) =>
      withConnection(pool, options, ({ connection }) =>
        runTransaction(
          (statements) => connection.runOnce(statements),
          [begin, ...preamble(options, false)],
          work,
        ).catch(outcomeUnknown),
      ),

    ping: async () => {
      await withConnection(pool, {}, ({ connection }) => connection.run([{ text: 'select 1', values: [] }]));
    },

    close: () => pool.close(),
  };
}

/** Behind a pooler nothing can be set for the session, and the session before may have left variables empty. */
function pooledSettings(settings: Settings, readOnly: boolean): readonly (readonly [string, string])[] {
  const claims = settings['app.security.jwt-enabled'] ? claimVariables.map((name) => [name, ''] as const) : [];
  return [...sessionSettings, ...(readOnly ? [['transaction_read_only', 'on'] as const] : []), ...claims];
}

/** Leases a connection for the work. When the request is given up, what it does at the database is stopped first. */
async function withConnection<T>(
  pool: PgPool,
  { signal }: RunOptions,
  work: (leased: Leased) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) throw givenUp();
  const leased = await pool.lease();
  if (signal === undefined) return finish(work(leased), leased.release);
  if (isAborted(signal)) {
    leased.release();
    throw givenUp();
  }
  let cancelled: Promise<void> | undefined;
  const onAbort = (): void => {
    cancelled = leased.connection.cancel(pool.config);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return finish(work(leased), () => {
    signal.removeEventListener('abort', onAbort);
    if (cancelled === undefined) leased.release();
    else void cancelled.then(leased.release);
  });
}

async function finish<T>(work: Promise<T>, release: () => void): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explained(error);
  } finally {
    release();
  }
}

/** Lost connections have many faces in Node; a database error keeps its SQLSTATE. */
function explained(error: unknown): unknown {
  if (error instanceof ServerError || databaseErrorFields(error) !== undefined) return error;
  const lost = error instanceof Error && /^Connection terminated|not queryable|^Client was closed/.test(error.message);
  return lost || isConnectionFailure(error) ? databaseUnavailable(error) : error;
}

/** A write whose connection was lost may be done or not: whoever asked has to look before asking again. */
function outcomeUnknown(error: unknown): never {
  const seen = explained(error);
  if (!(seen instanceof ServerError) || seen.code !== codes.unavailable || seen === error) throw error;
  throw new ServerError(503, codes.unavailable, 'The database was lost while it was writing: the outcome is unknown.', {
    hint: 'Read before you write again: the write may have been done.',
    headers: seen.headers,
    cause: error,
  });
}

const isAborted = (signal: CancelSignal): boolean => signal.aborted;

const givenUp = (): ServerError => new ServerError(503, codes.unavailable, 'The request was given up.');
