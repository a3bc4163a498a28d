import type { ChangeFeed, FeedListener, FeedState } from './change-feed.js';
import type { Outage } from '../plan/failure.js';
import { keepOpen, type Session } from './keep-open.js';

/**
 * Resolves when the session reports every commit from now on. Rejects with the obstacle, and when
 * the signal is aborted.
 */
export type OpenSession = (listener: FeedListener, signal: AbortSignal) => Promise<FeedSession>;

export interface FeedSession extends Session {
  /** Asks again which tables are reported, and notifies the listener. A session that fails ends. */
  readonly check: () => Promise<void>;
}

/** An operator has to change something at the database: waiting alone does not help. */
export class FeedObstacle extends Error {
  override readonly name = 'FeedObstacle';

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** What the errors of a database mean for its feed. */
export interface FeedErrors {
  readonly outage: (error: unknown) => Outage | undefined;
  /** The action that helps, if waiting does not. */
  readonly hint: (error: unknown) => string | undefined;
  /** Whether the database lacks what the feed needs: it is not opened again. */
  readonly lacks?: (error: unknown) => boolean;
}

/** Milliseconds between two attempts: the first pause, and the longest. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

/** A feed that opens its session again whenever it ends. */
export function createFeed(openSession: OpenSession, errors: FeedErrors): ChangeFeed {
  let close: () => Promise<void> = () => Promise.resolve();
  let session: FeedSession | undefined;
  return {
    start: (listener) => {
      const open = async (signal: AbortSignal): Promise<Session> => (session = await openSession(listener, signal));
      close = keepOpen(open, {
        firstPause: MIN_PAUSE_MS,
        longestPause: MAX_PAUSE_MS,
        ...(errors.lacks === undefined ? {} : { givesUp: errors.lacks }),
        opened: () => {
          listener.state({ state: 'live' });
          listener.gap('The change feed has begun.');
        },
        interrupted: (error) => {
          session = undefined;
          listener.state(interruptedBy(error, errors));
        },
      });
    },
    check: async () => {
      await session?.check().catch(() => undefined);
    },
    close: () => close(),
  };
}

function interruptedBy(error: unknown, { outage, hint: hintOf }: FeedErrors): FeedState {
  const reason = outage(error) ?? (error instanceof Error ? error.message : String(error));
  const hint = error instanceof FeedObstacle ? error.hint : hintOf(error);
  return { state: 'interrupted', reason, ...(hint === undefined ? {} : { hint }) };
}
