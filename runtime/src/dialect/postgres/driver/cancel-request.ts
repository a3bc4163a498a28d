import pg from 'pg';
import type { CancelConnection, PgConnectionConfig, WireClient } from './wire.js';

/** Milliseconds a cancel request may take. */
const TIMEOUT_MS = 5000;

/**
 * A new `pg.Client` would parse the address and all settings again for each of many cancel
 * requests.
 */
const Connection = pg.Connection as unknown as new (config: PgConnectionConfig) => CancelConnection;

/**
 * Asks the server, over a separate connection, to stop the statement of another connection.
 * Resolves when the server has received the request or cannot; with false if the request is stuck
 * and may still arrive at any time.
 * Source:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
export function requestCancel({ processID, secretKey, host, port, ssl, sslNegotiation }: WireClient): Promise<boolean> {
  const connection = new Connection({ ssl, sslNegotiation });
  return new Promise((resolve) => {
    const send = (): void => {
      connection.cancel(processID, secretKey);
    };
    const done = (): void => {
      clearTimeout(patience);
      resolve(true);
    };
    const patience = setTimeout(() => {
      connection.stream.destroy();
      resolve(false);
    }, TIMEOUT_MS);
    connection.on('connect', () => {
      if (ssl === false) send();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    connection.on('sslconnect', send);
    connection.on('error', done);
    connection.on('end', done);
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${String(port)}`);
    else connection.connect(port, host);
  });
}
