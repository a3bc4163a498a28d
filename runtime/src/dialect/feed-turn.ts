import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenSession } from './feed-session.js';

/** Milliseconds between two attempts to take the lock. */
const RETRY_MS = 500;

/**
 * A connection that holds a lock. The database frees the lock when the process ends, however it
 * ends.
 */
export interface TurnConnection {
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
  /** Whether this process has the lock. */
  readonly hasTurn: () => Promise<boolean>;
  readonly leave: () => void;
}

/** Sessions that wait for a lock: one process at a time reads the changes for all processes. */
export const inTurn =
  (open: OpenSession, connect: () => Promise<TurnConnection>): OpenSession =>
  async (listener, signal) => {
    const { lost, hasTurn, leave } = await connect();
    try {
      while (!(await Promise.race([hasTurn(), lost]))) await sleep(RETRY_MS, undefined, { signal });
      const session = await open(listener, signal);
      return {
        check: session.check,
        ended: Promise.race([session.ended, lost]),
        close: () => {
          session.close();
          leave();
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  };
