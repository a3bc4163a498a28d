import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed, FeedListener, FeedState } from './change-feed.js';
import type { Outage } from './failure.js';

/** A feed as long as its connections last. */
export interface FeedSession {
  /** Rejects when it is over, for whatever reason. */
  readonly ended: Promise<never>;
  close(): void;
}

/** Resolves when every commit from now on is told. Rejects with what stands in the way, and when the signal is aborted. */
export type OpenSession = (listener: FeedListener, signal: AbortSignal) => Promise<FeedSession>;

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

/** What a database's errors mean for its feed. */
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
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;
  let session: FeedSession | undefined;
  let running: Promise<void> = Promise.resolve();

  const runOnce = async (listener: FeedListener): Promise<void> => {
    session = await openSession(listener, closing.signal);
    listener.state({ state: 'live' });
    listener.gap('The change feed has begun.');
    await session.ended;
  };

  const run = async (listener: FeedListener): Promise<void> => {
    let pause = FIRST_PAUSE;
    while (!isClosing()) {
      const since = Date.now();
      try {
        await runOnce(listener);
      } catch (error) {
        if (isClosing()) return;
        listener.state(interruptedBy(error, errors));
      } finally {
        session?.close();
        session = undefined;
      }
      pause = Date.now() - since > LONGEST_PAUSE ? FIRST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  return {
    start: (listener) => {
      running = run(listener);
    },
    close: async () => {
      closing.abort();
      session?.close();
      await running;
    },
  };
}

function interruptedBy(error: unknown, { outage, hint: hintOf }: FeedErrors): FeedState {
  const reason = outage(error) ?? (error instanceof Error ? error.message : String(error));
  const hint = error instanceof FeedObstacle ? error.hint : hintOf(error);
  return { state: 'interrupted', reason, ...(hint === undefined ? {} : { hint }) };
}
