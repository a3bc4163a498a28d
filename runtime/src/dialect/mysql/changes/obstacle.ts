import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { Settings } from '../../../settings/settings.js';
import { FeedObstacle } from '../../feed-session.js';
import { parseVersion } from '../catalog/version.js';
import { featuresOf } from '../start-up/features.js';
import { destroy } from '../driver/socket.js';
import { openConnection } from './connection.js';
import { changesOptions } from './options.js';

/**
 * Why the database server, as it was started, reports no changes. Rejects if it cannot be asked.
 */
export async function changesObstacle(url: string, settings: Settings): Promise<FeedObstacle | undefined> {
  if (settings['app.changes.source'] !== 'binlog') return undefined;
  const { connection } = await openConnection(changesOptions(url, settings));
  try {
    return await logObstacle(connection);
  } finally {
    destroy(connection);
  }
}

/** A MariaDB that was built without Galera does not have these variables. */
const lacksOthers = `select count(*) = 2 as lacks from information_schema.global_variables
  where (variable_name = 'WSREP_PROVIDER' and variable_value not in ('', 'none'))
    or (variable_name = 'LOG_SLAVE_UPDATES' and variable_value = 'OFF')`;

/** The obstacle that only another configuration of the database server removes. */
export async function logObstacle(connection: Connection): Promise<FeedObstacle | undefined> {
  const [[about]] = await connection.query<RowDataPacket[]>('select @@global.log_bin as log_bin, version() as version');
  // A read that follows a commit in the log may still get the old row.
  if (!featuresOf(parseVersion(String(about?.['version']))).snapshotPosition)
    return new FeedObstacle(
      'MySQL has no change feed, because its binary log does not show which commits reads see.',
      'Set app.changes.source to off. MariaDB has subscriptions.',
    );
  const [[node]] = await connection.query<RowDataPacket[]>(lacksOthers);
  if (Number(node?.['lacks']) === 1)
    return new FeedObstacle(
      'The binary log of this node of a Galera cluster has no changes of the other nodes: log_slave_updates is off.',
      'Start all nodes with log_bin, log_slave_updates and binlog_format=ROW, or set app.changes.source to off.',
    );
  if (Number(about?.['log_bin']) !== 1)
    return new FeedObstacle(
      'The database writes no binary log: log_bin is off.',
      'Start the database server with log_bin and binlog_format=ROW, or set app.changes.source to off.',
    );
  return undefined;
}
