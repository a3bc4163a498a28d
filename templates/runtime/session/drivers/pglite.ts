import type { Settings } from '../../settings.js';
import type { Driver } from '../driver.js';
import { givenUp } from './given-up.js';
import { openPglite, type Pglite } from './pglite/open.js';
import { claimVariables, sessionSettings } from './session-settings.js';
import { begin, mayWrite, runTransaction } from './transaction.js';

/**
 * PostgreSQL in this process, by PGlite: for the demo, and for tests of pgvector. It is one session, so that requests take turns and everything
 * of a request is local to its transaction. A statement cannot be stopped: it runs on the thread that would have to say so.
 * `directory` is where the data is; empty: in memory.
 */
export function createPgliteDriver(directory: string, settings: Settings): Driver {
  let opened: Promise<Pglite> | undefined;
  const database = (): Promise<Pglite> => (opened ??= openPglite(directory).then((db) => prepare(db, settings)));
  return pgliteDriver(database);
}

/** A driver of a database that is open already, or will be. */
export function pgliteDriver(open: () => Promise<Pglite>): Driver {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (db: Pglite) => Promise<T>): Promise<T> => {
    const result = turn.then(open).then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  return {
    run: (statements, { signal, write } = {}) =>
      inTurn((db) => {
        if (signal?.aborted === true) throw givenUp();
        return db.run(write === true ? [mayWrite, ...statements] : statements);
      }),
    transaction: (work, { signal } = {}) =>
      inTurn((db) => {
        if (signal?.aborted === true) throw givenUp();
        return runTransaction((statements) => db.run(statements), [begin], work, signal);
      }),
    ping: async () => {
      await inTurn((db) => db.run([{ text: 'select 1', values: [] }]));
    },
    close: () => inTurn((db) => db.close()),
  };
}

/** The one session is ours alone: what every session of ours has is set once. */
async function prepare(db: Pglite, settings: Settings): Promise<Pglite> {
  const claims = settings['app.security.jwt-enabled'] ? claimVariables.map((name) => [name, ''] as const) : [];
  const all = [...sessionSettings, ['default_transaction_read_only', 'on'] as const, ...claims];
  const calls = all.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
  await db.run([{ text: `select ${calls.join(', ')}`, values: all.flat() }]);
  return db;
}
