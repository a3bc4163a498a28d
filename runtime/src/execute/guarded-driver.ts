import { codes, ServerError } from '../errors.js';
import { databaseUnavailable } from '../dialect/unavailable.js';
import type { PoolStats } from '../observe/pool-stats.js';
import type { Driver, CustomSession, RunOptions } from '../dialect/driver.js';
import type { BoundStatement, RawRow } from '../plan/statement.js';

/**
 * A driver that runs nothing until its database has been checked: the database role could bypass
 * policies, and names could mean something else than when the code was generated.
 */
export class GuardedDriver implements Driver {
  #refusal: Error | undefined = databaseUnavailable(undefined);
  /** Tables whose names may have another meaning: no statement may have them. */
  #withheld: readonly string[] = [];
  #held: Promise<void> | undefined;

  constructor(private readonly driver: Driver) {}

  open(): void {
    this.#refusal = undefined;
  }

  /** Sets the answer to requests until the driver is opened. */
  refuse(error: Error): void {
    this.#refusal = error;
  }

  /** The driver of the server's own statements, which read catalogues. */
  get unlimited(): Driver {
    return this.driver;
  }

  /** Lets requests wait until a check has ended, also one that fails. */
  hold(checked: Promise<void>): void {
    this.#held = checked
      .catch(() => undefined)
      .finally(() => {
        this.#held = undefined;
      });
  }

  /**
   * Refuses statements with any of these names of tables, in place of those before: the database
   * may have something protected under them.
   */
  withhold(names: readonly string[]): void {
    this.#withheld = names;
  }

  run(statements: readonly BoundStatement[], options?: RunOptions): Promise<readonly RawRow[]> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (this.#isOpen) return this.driver.run(statements, options);
    return this.#checked(statements, () => this.driver.run(statements, options));
  }

  transaction<T>(work: (run: Driver['run'], custom: CustomSession) => Promise<T>, options?: RunOptions): Promise<T> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (this.#isOpen) return this.driver.transaction(work, options);
    const checked: typeof work = (run, custom) =>
      work((statements, of) => this.#checked(statements, () => run(statements, of)), custom);
    return this.#checked([], () => this.driver.transaction(checked, options));
  }

  ping(): Promise<void> {
    return this.#refusal === undefined ? this.driver.ping() : Promise.reject(this.#refusal);
  }

  readonly stats = (): PoolStats | undefined => this.driver.stats?.();

  close(grace?: number): Promise<void> {
    return this.driver.close(grace);
  }

  get #isOpen(): boolean {
    return this.#held === undefined && this.#withheld.length === 0;
  }

  /** Statements name tables in quotation marks. */
  async #checked<T>(statements: readonly BoundStatement[], run: () => Promise<T>): Promise<T> {
    await this.#held;
    for (const name of this.#withheld) {
      const forms = [`"${name.replaceAll('"', '""')}"`, `\`${name.replaceAll('`', '``')}\``];
      if (statements.some(({ text }) => forms.some((form) => text.includes(form)))) throw withheld(name);
    }
    return run();
  }
}

const withheld = (name: string): ServerError =>
  new ServerError(503, codes.unavailable, `The name ${name} may have another meaning in the database than before.`, {
    hint: 'Generate, build and start the server again.',
  });
