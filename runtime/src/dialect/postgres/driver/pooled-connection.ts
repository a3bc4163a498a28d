import type pg from 'pg';
import type { PgConnection } from './connection.js';

/** The longest time that a timer takes. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1;

/** A connection to work with, to be released once. */
export interface Leased {
  readonly connection: PgConnection;
  readonly release: () => void;
}

/** A connection of a pool. It may be in use, or idle. */
export class PooledConnection implements Leased {
  #isOld = false;
  readonly #aging: NodeJS.Timeout | undefined;

  /**
   * @param lifetime milliseconds until it is to be replaced; 0: never
   * @param onOld is called then
   */
  constructor(
    readonly connection: PgConnection,
    private readonly client: pg.Client,
    readonly release: () => void,
    lifetime: number,
    onOld: () => void,
  ) {
    if (lifetime === 0) return;
    const age = (): void => {
      this.#isOld = true;
      onOld();
    };
    this.#aging = setTimeout(age, Math.min(jittered(lifetime), LONGEST_MILLISECONDS)).unref();
  }

  /** Whether it can be given to another request. */
  get isReusable(): boolean {
    return !this.#isOld && this.connection.usable;
  }

  /** Ends the connection, even if it is in use. */
  end(): void {
    clearTimeout(this.#aging);
    // An error of the end has no consequence: the connection is gone either way.
    this.client.end().catch(() => undefined);
  }
}

/** A tenth more or less: connections that were opened together are not to be replaced together. */
const jittered = (milliseconds: number): number => milliseconds * (0.9 + 0.2 * Math.random());
