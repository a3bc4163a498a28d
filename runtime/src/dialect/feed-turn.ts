import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenSession } from './feed-session.js';

/** Milliseconds between two attempts to have the turn. */
const RETRY_MILLISECONDS = 500;

/**
 * A connection whose lock is the turn, so that it is free when the process has gone, however it
 * went.
 */
export interface TurnConnection {
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
  /** Whether it is this process's turn now. */
  readonly hasTurn: () => Promise<boolean>;
  readonly leave: () => void;
}

/** Sessions that wait until it is this process's turn: one process at a time reads for all. */
export const inTurn =
  (open: OpenSession, connect: () => Promise<TurnConnection>): OpenSession =>
  async (listener, signal) => {
    const { lost, hasTurn, leave } = await connect();
    try {
      while (!(await Promise.race([hasTurn(), lost]))) await sleep(RETRY_MILLISECONDS, undefined, { signal });
      const session = await open(listener, signal);
      return {
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
