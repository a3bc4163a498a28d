import type { Settings } from '../../../settings/settings.js';
import type { Driver } from '../../driver.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement } from '../../statement.js';
import { OwnRows, ownParts } from '../driver/own-values.js';
import { openPglite, type Pglite } from './open.js';
import { foreignSessionPreamble, type Preamble } from '../driver/session-settings.js';
import type { ListeningDriver } from './change-feed.js';
import { begin, commit, rollback, runTransaction, type TransactionSteps } from '../driver/transaction.js';

/**
 * PostgreSQL in this process, by PGlite: for the demo, and for tests of pgvector. It is one
 * session, so that requests take turns and everything of a request is local to its transaction. A
 * statement cannot be stopped: it runs on the thread that would have to say so. `directory` is
 * where the data is; empty: in memory.
 */
export function createPgliteDriver(directory: string, settings: Settings): ListeningDriver {
  let opened: Promise<Pglite> | undefined;
  return pgliteDriver(() => (opened ??= openPglite(directory)), foreignSessionPreamble(settings));
}

function pgliteDriver(open: () => Promise<Pglite>, preamble: Preamble): ListeningDriver {
  const ownRows = new OwnRows();
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (db: Pglite) => Promise<T>): Promise<T> => {
    const result = turn.then(open).then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const transaction: Driver['transaction'] = (work, options = {}) =>
    inTurn((db) => {
      if (options.signal?.aborted === true) throw requestAborted();
      return runTransaction(stepsOn(db, preamble(options, false), ownRows), work, options.signal);
    });
  return {
    run: (statements, options = {}) =>
      options.write === true
        ? transaction((run) => run(statements), options)
        : inTurn((db) => {
            if (options.signal?.aborted === true) throw requestAborted();
            return db.run([...preamble(options, true), ...statements]);
          }),
    transaction,
    ping: async () => {
      await inTurn((db) => db.run([{ text: 'select 1', values: [] }]));
    },
    listen: (channel, receive) => inTurn((db) => db.listen(channel, receive)),
    close: () => inTurn((db) => db.close()),
  };
}

function stepsOn(db: Pglite, preamble: readonly BoundStatement[], ownRows: OwnRows): TransactionSteps {
  const within: TransactionSteps['within'] = (statements) => db.run(statements);
  let isOpen = true;
  return {
    begin: (statements) => db.run([begin, ...preamble, ...statements]),
    within,
    own: async ({ text, values }, isFirst) => {
      const end = await db.own(isFirst ? [begin, ...preamble] : preamble, ownParts(text, values));
      isOpen = end.isInTransaction;
      return ownRows.read(end, within);
    },
    preamble,
    isOpen: () => isOpen,
    commit: () => db.run([commit]),
    rollback: () => db.run([rollback]),
  };
}
