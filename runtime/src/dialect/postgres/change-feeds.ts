import type { ChangeFeeds } from '../dialect.js';
import { createChangeFeed } from './changes/create.js';
import { changesObstacle } from './changes/obstacle.js';
import { inProcess } from './pglite/address.js';
import { createPgliteFeed } from './pglite/change-feed.js';
import type { SchemaNames } from '../schema-names.js';

/** Loaded by a server with `app.changes.source` alone. */
export const changeFeedsOf = (names: SchemaNames): ChangeFeeds => ({
  createChangeFeed: (url, settings, watched, driver) => {
    if (!url.startsWith(inProcess)) return createChangeFeed(url, settings, watched, names);
    return settings['app.changes.source'] === 'notify' ? createPgliteFeed(driver, watched) : undefined;
  },
  changesObstacle: (url, settings) =>
    url.startsWith(inProcess) ? Promise.resolve(undefined) : changesObstacle(url, settings),
});
