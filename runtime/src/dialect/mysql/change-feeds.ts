import type { ChangeFeeds } from '../dialect.js';
import { createChangeFeed } from './changes/create.js';
import { changesObstacle } from './changes/obstacle.js';
import type { SchemaNames } from '../schema-names.js';

/** Loaded by a server with `app.changes.source` alone. */
export const changeFeedsOf = (databases: SchemaNames): ChangeFeeds => ({
  createChangeFeed: (url, settings, watched) => createChangeFeed(url, settings, watched, databases),
  changesObstacle,
});
