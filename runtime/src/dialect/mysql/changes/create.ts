import type { Settings } from '../../../settings/settings.js';
import type { ChangeFeed, WatchedTable } from '../../change-feed.js';
import { createFeed } from '../../feed-session.js';
import { inTurn } from '../../feed-turn.js';
import type { Databases } from '../databases.js';
import { binlogSession } from './binlog-feed.js';
import { feedErrors } from './errors.js';
import { inDatabases, inSchemas } from './in-schemas.js';
import { changesOptions } from './options.js';
import { turnConnection } from './turn.js';

/**
 * The feed that `app.changes.source` names; undefined if MariaDB has no feed of that name.
 * @param url of the served database, used if `app.changes.url` names no other user
 */
export function createChangeFeed(
  url: string,
  settings: Settings,
  watched: readonly WatchedTable[],
  databases: Databases,
): ChangeFeed | undefined {
  if (settings['app.changes.source'] !== 'binlog') return undefined;
  const options = changesOptions(url, settings);
  const tables = inDatabases(watched, databases);
  const open = inSchemas(binlogSession(options, tables), tables, databases);
  const turn = () => turnConnection(options, settings['app.changes.hub-subject']);
  return createFeed(settings['app.changes.hub'] === 'none' ? open : inTurn(open, turn), feedErrors);
}
