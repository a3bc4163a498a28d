import type pg from 'pg';
import type { Settings } from '../../../settings/settings.js';
import type { ChangeFeed, WatchedTable } from '../../change-feed.js';
import { written } from '../driver/session-settings.js';
import { createFeed } from '../../feed-session.js';
import { inTurn } from '../../feed-turn.js';
import { feedErrors } from './errors.js';
import { notifySession } from './notify-feed.js';
import { turnConnection } from './turn.js';
import { walSession } from './wal-feed.js';

/**
 * The feed that `app.changes.source` names; undefined where PostgreSQL has no such one.
 * @param url of the database that is served, where `app.changes.url` names no other role
 */
export function createChangeFeed(
  url: string,
  settings: Settings,
  watched: readonly WatchedTable[],
): ChangeFeed | undefined {
  const source = settings['app.changes.source'];
  if (source !== 'wal' && source !== 'notify') return undefined;
  const config = feedConfig(url, settings);
  const open = source === 'wal' ? walSession(config, watched) : notifySession(config, watched);
  const isShared = settings['app.changes.hub'] !== 'none';
  const turn = () => turnConnection(config, settings['app.changes.hub-subject']);
  return createFeed(isShared ? inTurn(open, turn) : open, feedErrors);
}

/**
 * With time limits of the server's own: one that could not send to us would keep its checkpoints waiting for as long as the connection
 * lasts.
 */
const limits = ['tcp_user_timeout=5000', 'wal_sender_timeout=10000', 'statement_timeout=0'];

function feedConfig(url: string, settings: Settings): pg.ClientConfig {
  const given = settings['app.changes.url'];
  const address = new URL(given ?? url);
  const { searchParams } = address;
  const username = settings['app.datasource.username'];
  const password = settings['app.datasource.password'];
  if (given === undefined && username !== undefined) searchParams.set('user', username);
  if (given === undefined && password !== undefined && address.password === '') searchParams.set('password', password);
  const options = [...limits, ...written.map(([name, value]) => `${name}=${value ?? ''}`)].map((each) => `-c ${each}`);
  const before = searchParams.get('options');
  searchParams.set('options', [...(before === null ? [] : [before]), ...options].join(' '));
  return {
    connectionString: address.href,
    connectionTimeoutMillis: settings['app.datasource.acquire-timeout-ms'],
    keepAlive: true,
    application_name: 'tablewright changes',
  };
}
