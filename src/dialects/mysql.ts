import { binlogOutline, binlogSql, isMysqlAddress } from '@tablewright/runtime/model';
import type { ToolDialect } from './dialect.js';

/** MariaDB. */
export const mysql: ToolDialect = {
  name: 'mysql',
  speaks: isMysqlAddress,
  address: { scheme: 'mysql', port: '3306' },
  // A schema is a database, whose name often says no more than the environment: `shop_production`.
  names: 'plain',
  // BOOLEAN is another word for it, and most columns of that type are truth values.
  types: { 'tinyint(1)': 'boolean' },
  packages: [{ name: 'mysql2' }, { name: '@vlasky/zongji', changes: 'binlog' }],
  files: { 'row-filters.sql': 'is for the database: it decides which rows a user sees' },
  // Columns are added anywhere, and indexes are named for each table.
  keepsPlaces: false,
  schemaIsDatabase: true,
  grantHint: 'Grant the user the right to: GRANT SELECT ON schema.* TO the user.',
  changes: {
    source: () => 'binlog',
    sql: (_, tables) => binlogSql(tables),
    outline: (command) => ({
      needs:
        "GraphQL subscriptions ('app.changes.source': 'binlog') need a database server with log_bin and binlog_format=ROW, and this SQL:",
      sql: binlogOutline,
      more: [`With the names of your schemas it is printed by ${command}`],
    }),
  },
  script: {
    run: 'mariadb < fix.sql',
    alone: 'One by one: MariaDB commits each of them, and ends at the first that fails.',
  },
};
