import { tableKey, type FeedListener, type WatchedTable } from './change-feed.js';
import type { OpenSession } from './feed-session.js';
import { sameNames, type SchemaNames } from './schema-names.js';

/**
 * Sessions that read the changes of tables by their names in the database, and whose listener
 * receives the names of the API.
 * @param open gets the tables as the database names them
 */
export function inSchemas(
  open: (watched: readonly WatchedTable[]) => OpenSession,
  watched: readonly WatchedTable[],
  names: SchemaNames,
): OpenSession {
  if (names === sameNames) return open(watched);
  const session = open(watched.map((table) => ({ ...table, schema: names.of(table.schema) })));
  return (listener, signal) => session(named(listener, names), signal);
}

function named(listener: FeedListener, { schemaOf }: SchemaNames): FeedListener {
  const renamed = <T extends { readonly schema: string }>(table: T): T => ({
    ...table,
    schema: schemaOf(table.schema),
  });
  const keys = (found: ReadonlySet<string>): ReadonlySet<string> =>
    new Set(
      [...found].map((key) => {
        const [schema, name] = JSON.parse(key) as [string, string];
        return tableKey(renamed({ schema, name }));
      }),
    );
  return {
    ...listener,
    commits: (commits) => {
      listener.commits(commits.map((commit) => ({ ...commit, tables: commit.tables.map(renamed) })));
    },
    secured: (tables) => {
      listener.secured(keys(tables));
    },
    wantsFormer: (table) => listener.wantsFormer(renamed(table)),
    unreported: (tables) => {
      listener.unreported(keys(tables));
    },
  };
}
