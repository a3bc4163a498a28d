import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionEnd } from '../driver/connection-end.js';
import type { OpenSession } from './feed.js';

/** Milliseconds between two attempts to have the turn. */
const RETRY_MILLISECONDS = 500;

/**
 * Sessions that wait until it is this process's turn: one process at a time reads for all. The turn is a lock of a connection, so that it is
 * free when the process has gone, however it went.
 * @param name of those who take turns
 */
export const inTurn =
  (open: OpenSession, config: pg.ClientConfig, name: string): OpenSession =>
  async (listener, signal) => {
    const client = new pg.Client(config);
    const lost = connectionEnd(client);
    const leave = (): void => {
      void client.end().catch(() => undefined);
    };
    try {
      await client.connect();
      while (!(await Promise.race([hasTurn(client, name), lost])))
        await sleep(RETRY_MILLISECONDS, undefined, { signal });
      const session = await open(listener, signal);
      return {
        ended: Promise.race([session.ended, lost]),
        close: () => {
          session.close();
          leave();
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  };

async function hasTurn(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ turn: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 7461)) as turn',
    [name],
  );
  return rows[0]?.turn === true;
}
