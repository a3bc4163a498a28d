import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect, LiveCatalog } from '../../dialect/dialect.js';
import type { Driver } from '../../dialect/driver.js';
import { TablewrightError } from '../../tablewright-error.js';
import type { Failure } from './channel.js';

/**
 * Milliseconds that a question waits for the same question of other workers: all of them look when
 * one is to look.
 */
const GATHER_MS = 20;

/** Milliseconds after which the connection for checks is closed: the next check may be far. */
const IDLE_MS = 10_000;

/** Reads the catalogue for all workers, on one connection and once for each check. */
export class ParentCatalog {
  readonly #gathering = new Map<string, Promise<unknown>>();
  #driver: Driver | undefined;
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly live: LiveCatalog,
    private readonly dialect: Pick<Dialect, 'outage' | 'lacks'>,
    private readonly open: () => Driver,
  ) {}

  readonly probe = (schemas: readonly string[] | null): Promise<string> =>
    this.#once('probe', schemas, (driver) => this.live.probe(driver, schemas ?? undefined));

  readonly read = (schemas: readonly string[] | null): Promise<string> =>
    this.#once('read', schemas, (driver) => this.live.read(driver, schemas ?? undefined));

  readonly otherSchemas = (schemas: readonly string[]): Promise<readonly string[]> =>
    this.#once('others', schemas, (driver) => this.live.otherSchemas?.(driver, schemas) ?? Promise.resolve([]));

  /** What a worker needs of an error: whether waiting helps, and the hint. */
  readonly failureOf = (error: unknown): Failure => ({
    message: error instanceof Error ? error.message : String(error),
    hint: error instanceof TablewrightError ? error.hint : undefined,
    outage: this.dialect.outage(error),
    lacks: this.dialect.lacks?.(error),
  });

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const driver = this.#driver;
    this.#driver = undefined;
    await driver?.close(0);
  }

  /** Answers questions that arrive before it asks the database. Those that come later ask again. */
  #once<T>(name: string, schemas: unknown, ask: (driver: Driver) => Promise<T>): Promise<T> {
    const key = `${name} ${JSON.stringify(schemas)}`;
    const known = this.#gathering.get(key);
    if (known !== undefined) return known as Promise<T>;
    const asked = sleep(GATHER_MS).then(() => {
      this.#gathering.delete(key);
      return this.#ask(ask);
    });
    this.#gathering.set(key, asked);
    return asked;
  }

  async #ask<T>(ask: (driver: Driver) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    const driver = (this.#driver ??= this.open());
    this.#running += 1;
    try {
      return await ask(driver);
    } finally {
      this.#running -= 1;
      if (this.#running === 0)
        this.#idle = setTimeout(() => {
          void this.close();
        }, IDLE_MS).unref();
    }
  }
}
