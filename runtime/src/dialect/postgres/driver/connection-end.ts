import type pg from 'pg';

/**
 * Rejects when a connection that is not of the pool is lost or closed. Nothing has to wait for it.
 * To be called before `connect`.
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
