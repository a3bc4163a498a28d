import type { Connection, ConnectionOptions } from 'mysql2/promise';
import { keepAsking } from '../../silence.js';
import { load } from '../driver/load.js';
import { destroy } from '../driver/socket.js';

export interface FeedConnection {
  readonly connection: Connection;
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
}

export async function openConnection(options: ConnectionOptions): Promise<FeedConnection> {
  const { createConnection } = await load();
  const connection = await createConnection(options);
  const lost = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.on('end', () => {
      reject(new Error('Connection lost: the server closed the connection.'));
    });
  });
  lost.catch(() => undefined);
  keepAsking(
    () => connection.query('select 1'),
    lost,
    (error) => {
      destroy(connection, error);
    },
  );
  return { connection, lost };
}
