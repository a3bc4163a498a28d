import type { ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import type { TurnConnection } from '../../feed-turn.js';
import { openConnection } from './connection.js';

/**
 * A connection that takes a named lock for the turn.
 * @param name of those who take turns
 */
export async function turnConnection(options: ConnectionOptions, name: string): Promise<TurnConnection> {
  const { connection, lost } = await openConnection(options);
  return {
    lost,
    hasTurn: async () => {
      const [[row]] = await connection.query<RowDataPacket[]>('select get_lock(sha1(?), 0) as turn', [name]);
      return Number(row?.['turn']) === 1;
    },
    leave: () => {
      connection.destroy();
    },
  };
}
