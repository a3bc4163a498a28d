import pg from 'pg';
import { connectionEnd, endClient, watchSilence } from '../driver/connection-end.js';
import type { TurnConnection } from '../../feed-turn.js';

/**
 * A connection that takes an advisory lock.
 * @param name the same for all processes that compete for the lock
 */
export async function turnConnection(config: pg.ClientConfig, name: string): Promise<TurnConnection> {
  const client = new pg.Client(config);
  const lost = connectionEnd(client);
  const leave = (): void => {
    endClient(client);
  };
  try {
    await client.connect();
    watchSilence(client, lost);
  } catch (error) {
    leave();
    throw error;
  }
  return { lost, leave, hasTurn: () => hasTurn(client, name) };
}

async function hasTurn(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ turn: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 7461)) as turn',
    [name],
  );
  return rows[0]?.turn === true;
}
