import { notifySql, walOutline, walSql } from '@tablewright/runtime/model';
import type { ToolDialect } from './dialect.js';

/** PostgreSQL. */
export const postgres: ToolDialect = {
  name: 'postgres',
  speaks: (url) => /^(postgres(ql)?:\/\/|pglite:)/i.test(url),
  address: { scheme: 'postgres', port: '5432' },
  names: 'contract',
  packages: [{ name: 'pg' }],
  files: {},
  keepsPlaces: true,
  schemaIsDatabase: false,
  grantHint: 'Grant it the right to: GRANT USAGE ON SCHEMA … and GRANT SELECT ON ALL TABLES IN SCHEMA … TO the role.',
  changes: {
    source: (asked, configured) => asked ?? (configured === 'notify' ? 'notify' : 'wal'),
    sql: (source, tables) => (source === 'notify' ? notifySql(tables) : walSql(tables)),
    outline: (command) => ({
      needs:
        "GraphQL subscriptions ('app.changes.source': 'wal') need this SQL at the database, which is restarted after the first line:",
      sql: walOutline,
      more: [
        `With the names of your tables it is printed by ${command}`,
        `If the server cannot read the log, triggers report changes ('app.changes.source': 'notify'): ${command} --source notify`,
      ],
    }),
  },
  script: {
    run: 'psql --set ON_ERROR_STOP=1 --file fix.sql',
    alone: 'One by one, outside a transaction: writes go on meanwhile.',
  },
};
