import type { ConnectionOptions } from 'mysql2/promise';
import type { Settings } from '../../../settings/settings.js';
import { clientOptions } from '../driver/options.js';

/**
 * How the feed's connections are made: to `app.changes.url` where it is set, whose user is its own.
 */
export function changesOptions(url: string, settings: Settings): ConnectionOptions {
  const given = settings['app.changes.url'];
  return {
    ...clientOptions(given ?? url, settings),
    ...(given === undefined ? {} : userOf(new URL(given))),
    rowsAsArray: false,
    timezone: 'Z',
    enableKeepAlive: true,
    connectAttributes: { program_name: 'tablewright changes' },
  };
}

/** The server's own user is another one. */
const userOf = ({ username, password }: URL): ConnectionOptions => ({
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
});
