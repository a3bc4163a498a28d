import type { ConnectionOptions } from 'mysql2/promise';
import type { Settings } from '../../../settings/settings.js';
import { clientOptions } from '../driver/options.js';

/**
 * The options of the feed's connections: to `app.changes.url` if it is set, with the user in it.
 */
export function changesOptions(url: string, settings: Settings): ConnectionOptions {
  const given = settings['app.changes.url'];
  return {
    ...clientOptions(given ?? url, settings),
    ...(given === undefined ? {} : userOf(new URL(given))),
    rowsAsArray: false,
    timezone: 'Z',
    connectAttributes: { program_name: 'tablewright changes' },
  };
}

/** The user of `app.changes.url` replaces that of the server. */
const userOf = ({ username, password }: URL): ConnectionOptions => ({
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
});
