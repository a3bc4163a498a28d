import type { ConnectionOptions } from 'mysql2/promise';
import type { CancelSignal } from '../../driver.js';
import type { MysqlConnection } from './connection.js';
import { load } from './load.js';

/**
 * A kill can overtake the statement it is about, which then runs as if nothing had been: it is sent
 * again until that has ended.
 */
const KILL_AGAIN_MILLISECONDS = 200;

/** Stops the statement of a connection at the database when its request is aborted. */
export class Cancelling {
  #isStopped = false;
  #again: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: MysqlConnection,
    private readonly options: ConnectionOptions,
    private readonly signal: CancelSignal | undefined,
  ) {
    if (signal?.aborted === true) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel);
  }

  /** The connection is not used again: a late kill would stop the statement of another request. */
  readonly #cancel = (): void => {
    this.connection.spoil();
    void kill(this.connection.id, this.options).then(() => {
      if (!this.#isStopped && !this.connection.isLost) this.#again = setTimeout(this.#cancel, KILL_AGAIN_MILLISECONDS);
    });
  };

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#again);
    this.signal?.removeEventListener('abort', this.#cancel);
  }
}

/**
 * Work of a connection that the database does not limit: the statement is stopped after so many
 * milliseconds.
 * @param timeout 0: no limit
 */
export async function withinTime<T>(
  timeout: number,
  connection: MysqlConnection,
  options: ConnectionOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (timeout === 0) return work();
  const expired = new AbortController();
  const timer = setTimeout(() => {
    expired.abort();
  }, timeout);
  const cancelling = new Cancelling(connection, options, expired.signal);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    cancelling.stop();
  }
}

/**
 * Never rejects: where there is no second connection to be had, the time limit of the statement
 * ends it.
 */
async function kill(id: number, options: ConnectionOptions): Promise<void> {
  try {
    const { createConnection } = await load();
    const other = await createConnection(options);
    try {
      await other.query(`kill query ${String(id)}`);
    } finally {
      other.destroy();
    }
  } catch {
    // It has ended, or the database is not to be reached.
  }
}
