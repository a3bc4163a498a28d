import type { ChangeFeed, FeedListener, FeedState } from '../../change-feed.js';
import { keepOpen, type Session } from '../../keep-open.js';
import { outageOf } from '../failures/outage.js';

/** Resolves when every commit from now on is told. Rejects with what stands in the way, and when the signal is aborted. */
export type OpenSession = (listener: FeedListener, signal: AbortSignal) => Promise<Session>;

/** Something has to be done at the database: waiting alone does not help. */
export class FeedObstacle extends Error {
  override readonly name = 'FeedObstacle';

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** Milliseconds between two attempts: at first, and at most. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1_000;

/** A feed that opens its session again whenever it ends. */
export function createFeed(openSession: OpenSession): ChangeFeed {
  let close: () => Promise<void> = () => Promise.resolve();
  return {
    start: (listener) => {
      close = keepOpen((signal) => openSession(listener, signal), {
        firstPause: FIRST_PAUSE,
        longestPause: LONGEST_PAUSE,
        opened: () => {
          listener.state({ state: 'live' });
          listener.gap('The change feed has begun.');
        },
        interrupted: (error) => {
          listener.state(interruptedBy(error));
        },
      });
    },
    close: () => close(),
  };
}

function interruptedBy(error: unknown): FeedState {
  const reason = outageOf(error) ?? (error instanceof Error ? error.message : String(error));
  const hint = error instanceof FeedObstacle ? error.hint : hintFor(error);
  return { state: 'interrupted', reason, ...(hint === undefined ? {} : { hint }) };
}

/** What helps where the database refuses the role or has no slot left, by SQLSTATE. */
function hintFor(error: unknown): string | undefined {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case '42501':
      return 'The role of app.changes.url needs the attribute REPLICATION: `npx tablewright changes --sql` prints the SQL.';
    case '53400':
      return 'Raise max_replication_slots of the database server: each server process takes one slot. Or set app.changes.hub.';
    case '53300':
      return 'Raise max_wal_senders of the database server: each server process takes one. Or set app.changes.hub.';
    default:
      return undefined;
  }
}
