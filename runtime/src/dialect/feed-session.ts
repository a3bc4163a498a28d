import type { ChangeFeed, FeedListener, FeedState } from './change-feed.js';
import type { Outage } from './failure.js';
import { keepOpen, type Session } from './keep-open.js';

/**
 * Resolves when every commit from now on is reported. Rejects with the obstacle, and when the
 * signal is aborted.
 */
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

/** The effect of a database's errors on its feed. */
export interface FeedErrors {
  readonly outage: (error: unknown) => Outage | undefined;
  /** What helps where waiting does not. */
  readonly hint: (error: unknown) => string | undefined;
}

/** Milliseconds between two attempts: at first, and at most. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1_000;

/** A feed that opens its session again whenever it ends. */
export function createFeed(openSession: OpenSession, errors: FeedErrors): ChangeFeed {
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
          listener.state(interruptedBy(error, errors));
        },
      });
    },
    close: () => close(),
  };
}

function interruptedBy(error: unknown, { outage, hint: hintOf }: FeedErrors): FeedState {
  const reason = outage(error) ?? (error instanceof Error ? error.message : String(error));
  const hint = error instanceof FeedObstacle ? error.hint : hintOf(error);
  return { state: 'interrupted', reason, ...(hint === undefined ? {} : { hint }) };
}
