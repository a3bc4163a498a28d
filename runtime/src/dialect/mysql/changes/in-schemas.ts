import { tableKey, type FeedListener, type WatchedTable } from '../../change-feed.js';
import type { OpenSession } from '../../feed-session.js';
import type { Databases } from '../databases.js';

/** The tables as the log names them: by the database that has them. */
export const inDatabases = (watched: readonly WatchedTable[], { of }: Databases): readonly WatchedTable[] =>
  watched.map((table) => ({ ...table, schema: of(table.schema) }));

/** Sessions of such tables, whose listener receives the schemas. */
export const inSchemas =
  (open: OpenSession, watched: readonly WatchedTable[], { schemaOf }: Databases): OpenSession =>
  (listener, signal) => {
    const named: FeedListener = {
      ...listener,
      commits: (commits) => {
        const renamed = commits.map((commit) => ({
          ...commit,
          tables: commit.tables.map((table) => ({ ...table, schema: schemaOf(table.schema) })),
        }));
        listener.commits(renamed);
      },
      unreported: (keys) => {
        const found = watched.filter((table) => keys.has(tableKey(table)));
        listener.unreported(new Set(found.map(({ schema, name }) => tableKey({ schema: schemaOf(schema), name }))));
      },
    };
    return open(named, signal);
  };
