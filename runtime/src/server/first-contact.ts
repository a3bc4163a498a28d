import { setTimeout as sleep } from 'node:timers/promises';
import { codes, ServerError } from '../errors.js';
import type { Observation, Observer } from '../observe/observation.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Outage } from '../plan/failure.js';
import { otherDatabase } from '../dialect/other-database.js';
import { databaseUnavailable } from '../dialect/unavailable.js';
import { toServerError } from '../response/server-error.js';
import type { Driver } from '../dialect/driver.js';
import { GuardedDriver } from '../execute/guarded-driver.js';

/** Milliseconds between two attempts: at first, and at most. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Milliseconds between two reports that the database cannot be reached. */
const REMINDER_INTERVAL_MS = 60_000;

/**
 * The first contact with the database, tried again until it answers: then it is checked, and
 * `driver` lets requests pass. A problem that waiting does not solve ends it.
 */
export class FirstContact {
  readonly driver: GuardedDriver;
  /**
   * Resolves when the database has answered and is checked. Rejects with an error that an operator
   * has to fix.
   */
  readonly made: Promise<void>;
  readonly #stopped = new AbortController();
  #reason: Outage | undefined;
  #attempts = 0;
  #observedAt = -Infinity;

  /**
   * @param check the conditions of serving requests; returns warnings
   * @param address of the database, if the server has opened it
   */
  constructor(
    private readonly database: Driver,
    private readonly dialect: Pick<Dialect, 'failure' | 'outage'>,
    private readonly check: () => Promise<readonly Observation[]>,
    private readonly observe: Observer,
    private readonly address?: string,
  ) {
    this.driver = new GuardedDriver(database);
    this.made = this.#make();
    this.made.catch((error: unknown) => {
      this.driver.refuse(toServerError(error, dialect));
    });
  }

  /** Resolves when the contact is made or the time to wait is over. Rejects as `made` does. */
  async within(milliseconds: number): Promise<void> {
    const ended = new AbortController();
    try {
      await Promise.race([this.made, sleep(milliseconds, undefined, { signal: ended.signal })]);
    } finally {
      ended.abort();
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #make(): Promise<void> {
    const since = performance.now();
    for (let pause = MIN_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        await this.database.ping();
        const findings = await this.check();
        this.driver.open();
        this.#notifyAvailable(performance.now() - since);
        for (const finding of findings) this.observe(finding);
        return;
      } catch (error) {
        const reason = this.dialect.outage(error);
        if (this.#stopped.signal.aborted) throw error;
        if (reason !== undefined) this.#waitFor(reason, error);
        if (this.#attempts <= 1 && mayBeOther(reason, error)) await this.#refuseOther(error);
        if (reason === undefined) throw error;
      }
      await sleep(pause, undefined, { signal: this.#stopped.signal });
    }
  }

  /** Throws ServerError where another kind of database answers: waiting does not solve that. */
  async #refuseOther(cause: unknown): Promise<void> {
    const other = this.address === undefined ? undefined : await otherDatabase(this.address);
    if (other === undefined) return;
    const message = `No connection to the database of app.datasource.url: ${other.message}.`;
    throw new ServerError(503, codes.unavailable, message, { hint: other.hint, cause });
  }

  /** Reports each reason once, and then once a minute. */
  #waitFor(reason: Outage, error: unknown): void {
    this.driver.refuse(databaseUnavailable(error));
    this.#attempts += 1;
    const now = performance.now();
    if (reason === this.#reason && now - this.#observedAt < REMINDER_INTERVAL_MS) return;
    this.#reason = reason;
    this.#observedAt = now;
    this.observe({ kind: 'database', state: 'unavailable', reason, attempts: this.#attempts, error });
  }

  #notifyAvailable(milliseconds: number): void {
    if (this.#attempts === 0) return;
    this.observe({ kind: 'database', state: 'available', attempts: this.#attempts + 1, milliseconds });
  }
}

/**
 * Whether an error shows that another kind of database answers at this address: the error does not
 * come from a server of the expected kind, nor from the check.
 */
function mayBeOther(reason: Outage | undefined, error: unknown): boolean {
  if (reason !== undefined && reason !== 'no answer in time' && reason !== 'connection lost') return false;
  const cause = error instanceof ServerError ? error.cause : error;
  return cause instanceof Error && !('severity' in cause) && !('sqlState' in cause);
}
