import type { Connection, RowDataPacket } from 'mysql2/promise';
import { tableKey, type WatchedTable } from '../../change-feed.js';
import { FeedObstacle } from '../../feed-session.js';
import { logObstacle } from './obstacle.js';

/**
 * The type of each column of a key, as MariaDB writes it: `binary(16)`. By `tableKey`, then by
 * column name.
 */
export type KeyTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The database's settings of its binary log. */
export interface SourceFacts {
  readonly types: KeyTypes;
  /** The watched tables that the log leaves out, as `tableKey` writes them. */
  readonly unreported: ReadonlySet<string>;
}

/** @throws FeedObstacle if the log has no changes of rows */
export async function readSourceFacts(connection: Connection, watched: readonly WatchedTable[]): Promise<SourceFacts> {
  const obstacle = await logObstacle(connection);
  if (obstacle !== undefined) throw obstacle;
  const [[about]] = await connection.query<RowDataPacket[]>('select @@global.binlog_format as format');
  if (String(about?.['format']).toUpperCase() !== 'ROW')
    throw new FeedObstacle(
      `The binary log has statements instead of rows: binlog_format is ${String(about?.['format'])}.`,
      "Run `set global binlog_format = 'ROW'`, and put it into the configuration of the database server.",
    );
  const isLogged = await logFilter(connection);
  const types = await keyTypes(connection, watched);
  // A table whose columns the user may not see cannot be decoded.
  const unreported = watched.filter((table) => !isLogged(table.schema) || types.get(tableKey(table)) === undefined);
  return { types, unreported: new Set(unreported.map(tableKey)) };
}

/** The schemas that `binlog_do_db` and `binlog_ignore_db` leave in the log. */
async function logFilter(connection: Connection): Promise<(schema: string) => boolean> {
  const [[status]] = await connection.query<RowDataPacket[]>('show master status');
  const [only, ignored] = [listOf(status?.['Binlog_Do_DB']), listOf(status?.['Binlog_Ignore_DB'])];
  return (schema) => (only.size === 0 || only.has(schema)) && !ignored.has(schema);
}

const listOf = (value: unknown): ReadonlySet<string> =>
  new Set(typeof value === 'string' && value !== '' ? value.split(',') : []);

async function keyTypes(connection: Connection, watched: readonly WatchedTable[]): Promise<KeyTypes> {
  const types = new Map<string, ReadonlyMap<string, string>>();
  for (const schema of new Set(watched.map((table) => table.schema))) {
    const [rows] = await connection.query<RowDataPacket[]>(
      'select table_name as name, column_name as col, column_type as type from information_schema.columns where table_schema = ?',
      [schema],
    );
    for (const table of watched.filter((each) => each.schema === schema)) {
      const own = new Map(
        rows.filter(({ name }) => name === table.name).map(({ col, type }) => [String(col), String(type)]),
      );
      if (table.key.every((column) => own.has(column))) types.set(tableKey(table), own);
    }
  }
  return types;
}
