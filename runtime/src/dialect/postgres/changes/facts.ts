import type pg from 'pg';
import { tableKey, type WatchedTable } from '../../change-feed.js';

/** The database's settings of the feed's source. */
export interface SourceFacts {
  readonly walLevel: string;
  readonly publicationExists: boolean;
  /** The tables of which the publication reports every change, as `tableKey` writes them. */
  readonly published: ReadonlySet<string>;
  /** The tables that have row level security. */
  readonly secured: ReadonlySet<string>;
  /** The tables that have the triggers of the source `notify`. */
  readonly triggered: ReadonlySet<string>;
}

const query = `
  select current_setting('wal_level') as wal_level,
    exists (select from pg_catalog.pg_publication where pubname = $1) as publication_exists,
    array(
      select json_build_array(t.schemaname, t.tablename)::text from pg_catalog.pg_publication_tables t
      join pg_catalog.pg_publication p on p.pubname = t.pubname
      where p.pubname = $1 and p.pubinsert and p.pubupdate and p.pubdelete
    ) as published,
    array(
      select json_build_array(n.nspname, c.relname)::text from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relrowsecurity
    ) as secured,
    array(
      select json_build_array(n.nspname, c.relname)::text from pg_catalog.pg_trigger t
      join pg_catalog.pg_class c on c.oid = t.tgrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and t.tgenabled <> 'D' and t.tgname like 'tablewright\\_changes\\_%'
      group by n.nspname, c.relname having count(*) >= 3
    ) as triggered`;

interface Row {
  readonly wal_level: string;
  readonly publication_exists: boolean;
  readonly published: readonly string[];
  readonly secured: readonly string[];
  readonly triggered: readonly string[];
}

/** Runs `query` with its values and answers the rows as objects. */
export type Ask = (text: string, values: readonly string[]) => Promise<readonly unknown[]>;

export const askClient =
  (client: pg.Client): Ask =>
  async (text, values) =>
    (await client.query<object>(text, [...values])).rows;

export async function readSourceFacts(ask: Ask, publication: string): Promise<SourceFacts> {
  const [row] = (await ask(query, [publication])) as readonly Row[];
  if (row === undefined) throw new Error('The database has not answered the query about its change feed.');
  return {
    walLevel: row.wal_level,
    publicationExists: row.publication_exists,
    published: keysOf(row.published),
    secured: keysOf(row.secured),
    triggered: keysOf(row.triggered),
  };
}

const keysOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts.map((text) => {
      const [schema, name] = JSON.parse(text) as [string, string];
      return tableKey({ schema, name });
    }),
  );

/** The watched tables that are not in `found`. */
export const missingFrom = (watched: readonly WatchedTable[], found: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(watched.map(tableKey).filter((key) => !found.has(key)));
