import type { ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import type { TurnConnection } from '../../feed-turn.js';
import { destroy } from '../driver/socket.js';
import { openConnection } from './connection.js';

/**
 * A connection that takes a named lock.
 * @param name the same for all processes that compete for the lock
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
      destroy(connection);
    },
  };
}
