import pg from 'pg';
import type { Settings } from '../../../settings/settings.js';
import { FeedObstacle } from '../../feed-session.js';
import { connectionEnd, endClient, watchSilence } from '../driver/connection-end.js';
import { feedConfig } from './config.js';

/**
 * Why the database server, as it was started, reports no changes. Rejects if it cannot be asked.
 */
export async function changesObstacle(url: string, settings: Settings): Promise<FeedObstacle | undefined> {
  if (settings['app.changes.source'] !== 'wal') return undefined;
  const client = new pg.Client(feedConfig(url, settings));
  const ended = connectionEnd(client);
  try {
    await client.connect();
    watchSilence(client, ended);
    const { rows } = await client.query<{ level: string }>(`select current_setting('wal_level') as level`);
    return logObstacle(rows[0]?.level ?? '');
  } finally {
    endClient(client);
  }
}

/** The obstacle that only another configuration of the database server removes. */
export const logObstacle = (walLevel: string): FeedObstacle | undefined =>
  walLevel === 'logical'
    ? undefined
    : new FeedObstacle(
        `The database has wal_level=${walLevel}: its log has no changes to read.`,
        "Run `alter system set wal_level = 'logical'` and restart the database server, or set app.changes.source to notify.",
      );
