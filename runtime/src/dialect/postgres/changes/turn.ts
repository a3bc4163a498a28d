import pg from 'pg';
import { connectionEnd } from '../driver/connection-end.js';
import type { TurnConnection } from '../../feed-turn.js';

/**
 * A connection that takes an advisory lock for the turn.
 * @param name of those who take turns
 */
export async function turnConnection(config: pg.ClientConfig, name: string): Promise<TurnConnection> {
  const client = new pg.Client(config);
  const lost = connectionEnd(client);
  const leave = (): void => {
    void client.end().catch(() => undefined);
  };
  try {
    await client.connect();
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
