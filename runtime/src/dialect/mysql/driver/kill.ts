import type { ConnectionOptions } from 'mysql2/promise';
import { load } from './load.js';
import { destroy } from './socket.js';

/** Milliseconds that the database may take to stop a statement. */
const KILL_MS = 5_000;

/**
 * Stops the statement of a connection. Never rejects: without a second connection, the time limit
 * of the statement ends it.
 * @param id of the connection
 */
export async function kill(id: number, options: ConnectionOptions): Promise<void> {
  try {
    const { createConnection } = await load();
    const other = await createConnection(options);
    try {
      await other.query({ sql: `kill query ${String(id)}`, timeout: KILL_MS });
    } finally {
      destroy(other);
    }
  } catch {
    // The connection has ended, or the database cannot be reached.
  }
}
