import type { WatchedTable } from '../../change-feed.js';
import { quoted } from '../quoted.js';

/** The user that docs and SQL suggest for `app.changes.url`. */
const user = 'tablewright_changes';

/** The outline of `binlogSql`, for a user who has no tables yet. */
export const binlogOutline: readonly string[] = [
  `create user ${user}@'%' identified by '…';`,
  `grant replication slave, binlog monitor on *.* to ${user}@'%';`,
  `grant references on schema_name.* to ${user}@'%';`,
];

/**
 * SQL that creates a user with the right to read the binary log and the columns of these tables. It
 * can be run again.
 */
export function binlogSql(tables: readonly WatchedTable[]): string {
  const schemas = [...new Set(tables.map(({ schema }) => schema))].map(quoted);
  return `-- Changes from the binary log. Run it as an administrator of the database server, and again when schemas were added.
-- The database server needs log_bin and binlog_format=ROW in its configuration.
-- The server reads the log as a user of its own, app.changes.url (APP_CHANGES_URL), who reads no table. Give the user a password:
--   alter user ${user}@'%' identified by '…' account unlock;
create user if not exists ${user}@'%' account lock;
grant replication slave, binlog monitor on *.* to ${user}@'%';
${schemas.map((schema) => `grant references on ${schema}.* to ${user}@'%';`).join('\n')}
`;
}
