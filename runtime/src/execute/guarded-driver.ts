import { databaseUnavailable } from '../dialect/unavailable.js';
import type { PoolStats } from '../observe/pool-stats.js';
import type { Driver, CustomSession, RunOptions } from '../dialect/driver.js';
import type { BoundStatement, RawRow } from '../plan/statement.js';

/**
 * A driver that runs nothing until its database has been checked: the database role could bypass
 * policies.
 */
export class GuardedDriver implements Driver {
  #refusal: Error | undefined = databaseUnavailable(undefined);

  constructor(private readonly driver: Driver) {}

  open(): void {
    this.#refusal = undefined;
  }

  /** Sets the answer to requests until the driver is opened. */
  refuse(error: Error): void {
    this.#refusal = error;
  }

  run(statements: readonly BoundStatement[], options?: RunOptions): Promise<readonly RawRow[]> {
    return this.#refusal === undefined ? this.driver.run(statements, options) : Promise.reject(this.#refusal);
  }

  transaction<T>(work: (run: Driver['run'], custom: CustomSession) => Promise<T>, options?: RunOptions): Promise<T> {
    return this.#refusal === undefined ? this.driver.transaction(work, options) : Promise.reject(this.#refusal);
  }

  ping(): Promise<void> {
    return this.#refusal === undefined ? this.driver.ping() : Promise.reject(this.#refusal);
  }

  readonly stats = (): PoolStats | undefined => this.driver.stats?.();

  close(grace?: number): Promise<void> {
    return this.driver.close(grace);
  }
}
