import pg from 'pg';
import type { CancelConnection, ConnectionAddress, WireClient } from './wire.js';

/** Milliseconds a cancel request may take. */
const PATIENCE_MILLISECONDS = 5000;

/**
 * A client of its own would read the address and all its settings again, for each of many that are
 * cancelled at once.
 */
const Connection = pg.Connection as unknown as new (
  config: Pick<ConnectionAddress, 'ssl' | 'sslNegotiation'>,
) => CancelConnection;

/**
 * Asks the server, over a connection of its own, to stop what another connection does. Resolves
 * when the server has taken the request, or cannot; with false when the request is stuck somewhere,
 * and may arrive at any time.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
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
    }, PATIENCE_MILLISECONDS);
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
