import type { Settings } from '../../../settings/settings.js';
import type { ChangeFeed, WatchedTable } from '../../change-feed.js';
import { createFeed } from '../../feed-session.js';
import { inTurn } from '../../feed-turn.js';
import { inSchemas } from '../../in-schemas.js';
import type { SchemaNames } from '../../schema-names.js';
import { binlogSession } from './binlog-feed.js';
import { feedErrors } from './errors.js';
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
  databases: SchemaNames,
): ChangeFeed | undefined {
  if (settings['app.changes.source'] !== 'binlog') return undefined;
  const options = changesOptions(url, settings);
  const open = inSchemas((tables) => binlogSession(options, tables), watched, databases);
  const turn = () => turnConnection(options, settings['app.changes.hub-subject']);
  return createFeed(settings['app.changes.hub'] === 'none' ? open : inTurn(open, turn), feedErrors);
}
