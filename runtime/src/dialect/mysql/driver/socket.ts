import type { Socket } from 'node:net';
import type { Connection } from 'mysql2/promise';

/** mysql2's promise wrapper around its connection, which its types leave out. */
interface Wrapper {
  readonly connection: { readonly stream: Socket };
}

/** The socket of a connection. */
export const socketOf = (connection: Connection): Socket => (connection as unknown as Wrapper).connection.stream;

/**
 * Ends a connection without asking the server. mysql2's `Connection.destroy` also waits until the
 * server closes it, and the running statement would never settle.
 * @param error the error of the running statement
 */
export function destroy(connection: Connection, error?: Error): void {
  socketOf(connection).destroy(error);
  connection.destroy();
}
