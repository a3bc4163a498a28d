import pg from 'pg';
import type { CancelConnection, WireClient } from './wire.js';

/** Milliseconds a cancel request may take. */
const PATIENCE_MILLISECONDS = 5000;

/**
 * Asks the server, over a connection of its own, to stop what another connection does. Resolves when the server has taken the request, or
 * cannot; with false when the request is stuck somewhere, and may arrive at any time.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
export function requestCancel({ processID, secretKey }: WireClient, config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config);
  const connection = (client as unknown as { readonly connection: CancelConnection }).connection;
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
      if (!client.ssl) send();
      else connection.requestSsl();
    });
    connection.on('sslconnect', send);
    connection.on('error', done);
    connection.on('end', done);
    if (client.host.startsWith('/')) connection.connect(`${client.host}/.s.PGSQL.${client.port}`);
    else connection.connect(client.port, client.host);
  });
}
