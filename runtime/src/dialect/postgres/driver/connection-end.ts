import type pg from 'pg';
import { cutAtClose, endSoon, keepAsking } from '../../silence.js';

/**
 * Rejects when a connection outside of the pool is lost or closed. No caller has to handle the
 * rejection. Must be called before `connect`.
 */
export function connectionEnd(client: pg.Client): Promise<never> {
  // An error without a listener would end the process, also after the first error.
  client.on('error', () => undefined);
  const ended = new Promise<never>((_, reject) => {
    client.once('error', reject);
    client.once('end', () => {
      reject(new Error('Connection terminated'));
    });
  });
  ended.catch(() => undefined);
  return ended;
}

interface Socketed {
  readonly connection: { readonly stream: { destroy(error?: Error): void } };
}

/** Ends a connection without asking the server, which may not answer. */
export function destroy(client: pg.Client, error?: Error): void {
  (client as unknown as Socketed).connection.stream.destroy(error);
}

/** Ends a connection, and destroys it unless the server closes it soon. */
export function endClient(client: pg.Client): void {
  endSoon(client.end(), () => {
    destroy(client, cutAtClose());
  });
}

/**
 * Cuts a connection on which the server no longer answers. Must be called when the connection is
 * open.
 * @param ended of `connectionEnd`
 */
export function watchSilence(client: pg.Client, ended: Promise<never>): void {
  keepAsking(
    () => client.query('select 1'),
    ended,
    (error) => {
      destroy(client, error);
    },
  );
}
