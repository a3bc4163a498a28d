import mysql from 'mysql2/promise';
import { POOL_SIZE } from '../harness/target.js';
import { mysqlStatements } from '../mysql/statements.js';
import { OwnPool, type Prepared } from './own-client.js';
import type { Statements } from './routes.js';
import * as postgresStatements from './statements.js';

/** The database, as the hand-written server uses it. */
export interface ByHandDatabase {
  readonly statements: Statements;
  /** The encoding in which rows are text: in latin1 they are the bytes that came. */
  readonly encoding: 'latin1' | 'utf8';
  /** Runs the statements one after the other and returns the rows of the last one. */
  run(statements: readonly Prepared[]): Promise<readonly (readonly string[])[]>;
  /**
   * Runs one that writes as the generated server does: in a transaction of its own in a session
   * that only reads, after which advisory locks and settings that code of the database has left are
   * gone. Absent where there is no such form.
   */
  writeWithCare?(statement: Prepared): Promise<readonly (readonly string[])[]>;
}

export const openDatabase = (url: string): ByHandDatabase => (url.startsWith('mysql:') ? mariadb(url) : postgres(url));

function postgres(url: string): ByHandDatabase {
  const pool = new OwnPool(url, POOL_SIZE);
  return {
    statements: postgresStatements,
    encoding: 'latin1',
    run: (statements) => pool.run(statements),
    // Code of the database may discard prepared statements: COMMIT is parsed each time.
    writeWithCare: (statement) =>
      pool.run(
        [
          { name: 'begin', text: 'begin read write', values: [] },
          statement,
          { name: '', text: 'commit', values: [] },
          { name: 'unlock', text: 'select pg_catalog.pg_advisory_unlock_all()', values: [] },
          { name: 'reset', text: 'reset all', values: [] },
        ],
        1,
      ),
  };
}

/** Uses the driver of the generated server, with prepared statements. */
function mariadb(url: string): ByHandDatabase {
  const pool = mysql.createPool({
    uri: url,
    connectionLimit: POOL_SIZE,
    rowsAsArray: true,
    jsonStrings: true,
    timezone: 'Z',
  });
  pool.on('connection', (connection) => {
    void connection.query("set time_zone = '+00:00', group_concat_max_len = 1073741824");
  });
  const texts = new Map<string, { readonly text: string; readonly order: readonly number[] }>();
  /** Statements have `$1`, PostgreSQL's form of a parameter; MariaDB takes `?`. */
  const positional = (text: string): { readonly text: string; readonly order: readonly number[] } => {
    const order = [...text.matchAll(/\$(\d)/g)].map(([, number]) => Number(number) - 1);
    const made = { text: text.replaceAll(/\$\d/g, '?'), order };
    texts.set(text, made);
    return made;
  };
  return {
    statements: mysqlStatements,
    encoding: 'utf8',
    run: async (statements) => {
      let rows: readonly (readonly string[])[] = [];
      for (const { text, values } of statements) {
        const known = texts.get(text) ?? positional(text);
        const [answer] = await pool.execute(
          known.text,
          known.order.map((at) => values[at] ?? null),
        );
        rows = answer as unknown as readonly (readonly string[])[];
      }
      return rows;
    },
  };
}
