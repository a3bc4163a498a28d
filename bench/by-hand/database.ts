import pg from 'pg';
import mysql from 'mysql2/promise';
import { POOL_SIZE } from '../harness/target.js';
import { mysqlStatements } from '../mysql/statements.js';
import { oneSync, type Prepared } from './one-sync.js';
import type { Statements } from './routes.js';
import * as postgresStatements from './statements.js';

/** The database, as the hand-written server uses it. */
export interface ByHandDatabase {
  readonly statements: Statements;
  /** Runs the statements one after the other and returns the rows of the last one. */
  run(statements: readonly Prepared[]): Promise<readonly (readonly string[])[]>;
}

export const openDatabase = (url: string): ByHandDatabase => (url.startsWith('mysql:') ? mariadb(url) : postgres(url));

function postgres(url: string): ByHandDatabase {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });
  return {
    statements: postgresStatements,
    run: async (statements) => {
      const client = await pool.connect();
      try {
        return await oneSync(client, statements);
      } finally {
        client.release();
      }
    },
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
