import type { Settings } from '../../../settings/settings.js';
import type { ReadBack, RunOptions } from '../../driver.js';
import { runTransaction, type TransactionState, type TransactionSteps } from '../../driver-transaction.js';
import { requestAborted } from '../../request-aborted.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import { CustomRows, encodedStatement } from '../driver/custom-values.js';
import type { Pglite } from './open.js';
import { foreignSessionPreamble, type Preamble } from '../driver/session-settings.js';
import type { ListeningDriver } from './change-feed.js';
import { begin, commit, isolation, rollback, sessionOfTransaction } from '../driver/transaction.js';

/**
 * PostgreSQL in this process, by PGlite: for the demo, and for tests of pgvector. It has one
 * session, so that requests take turns and all state of a request is local to its transaction. A
 * statement cannot be stopped: it runs on this process's only thread. `directory` is the place of
 * the data; empty: in memory.
 */
export function createPgliteDriver(directory: string, settings: Settings): ListeningDriver {
  let opened: Promise<Pglite> | undefined;
  const open = (): Promise<Pglite> => (opened ??= import('./open.js').then(({ openPglite }) => openPglite(directory)));
  return pgliteDriver(open, foreignSessionPreamble(settings));
}

function pgliteDriver(open: () => Promise<Pglite>, preamble: Preamble): ListeningDriver {
  const customRows = new CustomRows();
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (db: Pglite) => Promise<T>): Promise<T> => {
    const result = turn.then(open).then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const transaction = <T>(work: Work<T>, options: RunOptions, isRead: boolean): Promise<T> =>
    inTurn((db) => {
      if (options.signal?.aborted === true) throw requestAborted();
      return runTransaction(
        stepsOn(db, isolation(options), preamble(options, isRead), customRows),
        work,
        options.signal,
      );
    });
  return {
    run: (statements, options = {}) => {
      const isRead = options.write !== true;
      const after = options.session?.after;
      if (!isRead || after !== undefined) return transaction(withReadBack(statements, after), options, isRead);
      return inTurn((db) => {
        if (options.signal?.aborted === true) throw requestAborted();
        return db.run([...preamble(options, true), ...statements]);
      });
    },
    transaction: (work, options = {}) => transaction(work, options, false),
    ping: async () => {
      await inTurn((db) => db.run([{ text: 'select 1', values: [] }]));
    },
    listen: (channel, receive) => inTurn((db) => db.listen(channel, receive)),
    close: () => inTurn((db) => db.close()),
  };
}

type Work<T> = Parameters<typeof runTransaction<T>>[1];

const withReadBack =
  (statements: readonly BoundStatement[], after: ReadBack | undefined): Work<readonly RawRow[]> =>
  async (run) => {
    const rows = await run(statements);
    if (after !== undefined) after.answered((await run([after.statement]))[0]);
    return rows;
  };

function stepsOn(
  db: Pglite,
  first: readonly BoundStatement[],
  preamble: readonly BoundStatement[],
  customRows: CustomRows,
): TransactionSteps {
  const within = (statements: readonly BoundStatement[]) => db.run(statements);
  const opening = (state: TransactionState): readonly BoundStatement[] => {
    if (state === 'set') return [];
    return state === 'new' ? [begin, ...first, ...preamble] : preamble;
  };
  return {
    run: (statements, state) => db.run([...opening(state), ...statements]),
    query: async ({ text, values }, state) => {
      const end = await db.runCustom(opening(state === 'new' ? state : 'touched'), encodedStatement(text, values));
      return { result: await customRows.read(end, within), isOpen: end.isInTransaction };
    },
    mark: async (text, state) => {
      await db.run([...opening(state === 'new' ? state : 'set'), { text, values: [] }]);
    },
    ...sessionOfTransaction,
    commit: () => db.run([commit]),
    rollback: () => db.run([rollback]),
  };
}
