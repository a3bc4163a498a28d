import { setTimeout as sleep } from 'node:timers/promises';
import type { Driver } from '../../dialect/driver.js';
import { covers, type Position } from '../../dialect/position.js';
import type { Replication, ServerState } from '../../dialect/replication.js';
import { databaseUnavailable } from '../../dialect/unavailable.js';
import { inTime } from '../../in-time.js';

/**
 * The use of a server. `behind`: too far behind the primary. `diverged`: it does not follow the
 * primary. `fenced`: it takes writes, but another server is the primary.
 */
export type ServerUse = 'primary' | 'in' | 'behind' | 'diverged' | 'fenced' | 'away';

/** Milliseconds that a server has to answer about its state. */
export const TIMEOUT_MS = 2_000;

/** Milliseconds between two questions while reads wait: at first, and later. */
const MIN_PAUSE_MS = 1;
const PAUSE_MS = 5;

/** Milliseconds of the first pauses after a read has begun to wait. */
const EAGER_MS = 10;

/** The most reads that wait for a server. */
const MAX_WAITING = 1_000;

export const tooSlow = (): Error => new Error('timeout of a question to a database server');

interface Waiter {
  readonly wanted: Position;
  readonly end: (isThere: boolean) => void;
}

/** A database server: the driver for requests, and a connection that asks for its state. */
export class ReplicaServer {
  use: ServerUse = 'away';
  /** Milliseconds that it is behind the primary. */
  lag = 0;
  /** As of the last answer. */
  state: ServerState | undefined;
  /** When that came, by `performance.now()`. */
  seenAt = -Infinity;
  /** Why there was no answer to the last question. */
  failure: unknown;
  #asking: Promise<void> | undefined;
  #isChecked = false;
  #isPolling = false;
  #eagerUntil = 0;
  readonly #waiting = new Set<Waiter>();

  /** @param monitor a driver with one connection, so that busy requests do not delay questions */
  constructor(
    /** Its place in the settings; 0: `app.datasource.url`. */
    readonly number: number,
    readonly driver: Driver,
    private readonly monitor: Driver,
    private readonly replication: Replication,
  ) {}

  get isAway(): boolean {
    return this.state === undefined || this.failure !== undefined;
  }

  get position(): Position | undefined {
    return this.state?.position;
  }

  /** Asks for the state. Callers at the same time share a question. Never rejects. */
  ask(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<void> {
    try {
      this.state = await inTime(this.replication.state(this.monitor), TIMEOUT_MS, tooSlow);
      this.seenAt = performance.now();
      if (!this.#isChecked) {
        await this.replication.check?.(this.monitor, this.state);
        await inTime(this.driver.ping(), TIMEOUT_MS, tooSlow);
      }
      this.#isChecked = true;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  /** Resolves when the server has all changes that its peers acknowledged before. */
  async catchUp(): Promise<void> {
    try {
      await this.replication.catchUp?.(this.driver);
    } catch (error) {
      throw databaseUnavailable(error, true);
    }
  }

  /**
   * Whether the server has these changes within the time. Callers hold no connection while they
   * wait: a statement that waits on a standby can block the replay that it waits for.
   */
  reaches(wanted: Position, milliseconds: number): Promise<boolean> {
    if (covers(this.position, wanted)) return Promise.resolve(true);
    if (milliseconds <= 0 || this.#waiting.size >= MAX_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isThere: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(isThere);
      };
      const timer = setTimeout(end, milliseconds, false);
      const waiter = { wanted, end };
      this.#waiting.add(waiter);
      this.#eagerUntil = performance.now() + EAGER_MS;
      if (!this.#isPolling) void this.#poll();
    });
  }

  /** Asks as long as a read waits. */
  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.#waiting.size > 0) {
      await this.ask();
      for (const { wanted, end } of this.#waiting) {
        if (this.isAway || this.position?.history !== wanted.history) end(false);
        else if (covers(this.position, wanted)) end(true);
      }
      if (this.#waiting.size > 0) await sleep(performance.now() < this.#eagerUntil ? MIN_PAUSE_MS : PAUSE_MS);
    }
    this.#isPolling = false;
  }

  async close(grace?: number): Promise<void> {
    for (const { end } of this.#waiting) end(false);
    await Promise.all([this.driver.close(grace), this.monitor.close(0)]);
  }
}
