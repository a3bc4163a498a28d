import type { Settings } from '../../../settings/settings.js';
import type { ChangeFeed, WatchedTable } from '../../change-feed.js';
import { createFeed } from '../../feed-session.js';
import { inTurn } from '../../feed-turn.js';
import { inSchemas } from '../../in-schemas.js';
import type { SchemaNames } from '../../schema-names.js';
import { feedConfig } from './config.js';
import { feedErrors } from './errors.js';
import { notifySession } from './notify-feed.js';
import { turnConnection } from './turn.js';
import { walSession } from './wal-feed.js';

/**
 * The feed that `app.changes.source` names; undefined if PostgreSQL has no feed of that name.
 * @param url of the served database, used if `app.changes.url` names no other role
 */
export function createChangeFeed(
  url: string,
  settings: Settings,
  watched: readonly WatchedTable[],
  names: SchemaNames,
): ChangeFeed | undefined {
  const source = settings['app.changes.source'];
  if (source !== 'wal' && source !== 'notify') return undefined;
  const config = feedConfig(url, settings);
  const session = source === 'wal' ? walSession : notifySession;
  const open = inSchemas((tables) => session(config, tables), watched, names);
  const isShared = settings['app.changes.hub'] !== 'none';
  const turn = () => turnConnection(config, settings['app.changes.hub-subject']);
  return createFeed(isShared ? inTurn(open, turn) : open, feedErrors);
}
