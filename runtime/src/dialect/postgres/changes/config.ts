import type pg from 'pg';
import type { Settings } from '../../../settings/settings.js';
import { KEEP_ALIVE_MILLISECONDS } from '../../silence.js';
import { written } from '../driver/session-settings.js';

/**
 * Time limits of the server. If it cannot send to this client, it holds back checkpoints as long as
 * the connection lasts.
 */
const limits = ['tcp_user_timeout=5000', 'wal_sender_timeout=10000', 'statement_timeout=0'];

/** The configuration of the feed's connections: to `app.changes.url` if it is set. */
export function feedConfig(url: string, settings: Settings): pg.ClientConfig {
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
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
    application_name: 'tablewright changes',
  };
}
