import type pg from 'pg';
import type { Settings } from '../../../settings/settings.js';
import { KEEP_ALIVE_MILLISECONDS } from '../../silence.js';
import type { KeptSession } from './connection.js';
import { maxPrepared } from './prepared.js';
import { emptyClaims, resetRole, searchPath, sessionSettings } from './session-settings.js';

/**
 * The configuration of each connection. In node-postgres the address overrides the other settings,
 * but the parameters of the address override its own user part.
 */
export function clientConfig(url: string, settings: Settings): pg.ClientConfig {
  const address = new URL(url);
  const { searchParams } = address;
  const username = settings['app.datasource.username'];
  const password = settings['app.datasource.password'];
  if (username !== undefined) searchParams.set('user', username);
  if (password !== undefined && address.password === '') searchParams.set('password', password);
  if (isDirect(settings)) searchParams.set('options', startupOptions(settings, searchParams.get('options')));
  return {
    connectionString: address.href,
    connectionTimeoutMillis: settings['app.datasource.acquire-timeout-ms'],
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
    application_name: 'tablewright',
  };
}

/** Settings sent when a connection starts, without a round trip. */
function startupOptions(settings: Settings, given: string | null): string {
  // A search path in the address takes precedence.
  const path = given?.includes('search_path') === true ? [] : searchPath(settings);
  const options = [...sessionSettings(settings), ...path, ...emptyClaims(settings)].map(
    ([name, value]) => `-c ${name}=${escaped(value ?? '')}`,
  );
  return [...(given === null ? [] : [given]), ...options].join(' ');
}

/** Source: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-OPTIONS */
const escaped = (value: string): string => value.replace(/[\\\s]/g, '\\$&');

/**
 * The end of a transaction resets everything in the session. Each transaction sets the identity, if
 * tokens are verified. Undefined behind a pooler.
 */
export const keptSession = (settings: Settings, tables: number): KeptSession | undefined =>
  isDirect(settings)
    ? {
        mostPrepared: maxPrepared(tables, settings['app.datasource.pool-size']),
        reset: [{ text: 'reset all', values: [] }, ...(settings['app.security.jwt-enabled'] ? [] : [resetRole])],
      }
    : undefined;

const isDirect = (settings: Settings): boolean => settings['app.datasource.pooler'] === 'none';
