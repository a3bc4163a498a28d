import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { describeWhere } from './describe-where.js';
import { hold } from './leaks/held.js';
import { describeNeed, found } from './machine/machine.js';
import type { TestDatabase } from './postgres.js';

/**
 * The running MariaDB or MySQL: the one at TEST_MYSQL_URL, else the one at 127.0.0.1:3306;
 * undefined when none answers.
 */
const running = found('mariadb');
const server = running?.at;

/** The address of the server, without a database. */
export const mysqlServer = new URL('/', server ?? 'mysql://root@127.0.0.1:3306').href;

/** Whether suites that need MariaDB run. In CI they run without it, and fail. */
export const hasMysql = server !== undefined || (process.env['CI'] ?? '') !== '';

/** `describe` for a suite that needs MariaDB. */
export const describeMysql = describeWhere('mariadb');

/** Also true when no server answers. */
export const isMariadb = running === undefined || /mariadb/i.test(running.version);

/**
 * `describe` for a suite about what MySQL does not have. On MySQL it is skipped, with that in its
 * name.
 */
export const describeMariadb = (name: string, suite: () => void): void => {
  if (isMariadb) describeMysql(name, suite);
  else describe.skip(`${name} (not run on MySQL: it needs MariaDB)`, suite);
};

export interface MysqlDatabase extends TestDatabase {
  readonly name: string;
  /** The prefix of generated field names: `shop123Ab`. */
  readonly prefix: string;
}

/**
 * Creates an empty database on the running server and returns its address.
 * @param name the prefix of its name; a random suffix separates concurrent runs
 * @param serverUrl another server
 */
export async function createMysqlDatabase(name = 'tablewright', serverUrl = server): Promise<MysqlDatabase> {
  if (serverUrl === undefined) throw new Error(`No MariaDB answers. ${describeNeed('mariadb')}`);
  const database = `${name}_${randomBytes(5).toString('hex')}`;
  await loadMysql(serverUrl, `create database \`${database}\` character set utf8mb4 collate utf8mb4_general_ci`);
  // A server of the suite's own ends with its databases.
  const isShared = serverUrl === server;
  const held = { what: `the database ${database} of MariaDB`, mariadb: { server: serverUrl, database } };
  const letGo = isShared ? hold(held) : () => undefined;
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return {
    name: database,
    prefix: database.replace(/_(.)/g, (_, first: string) => first.toUpperCase()),
    url: url.href,
    drop: async () => {
      await loadMysql(serverUrl, `drop database if exists \`${database}\``);
      letGo();
    },
  };
}

/**
 * Runs SQL text, one statement or many. Routine bodies need no other delimiter. Types that MySQL
 * does not have are texts there.
 */
export async function loadMysql(url: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true, charset: 'utf8mb4' });
  try {
    await connection.query(isMariadb ? sql : sql.replace(/\b(uuid|inet6|inet4)\b(?! *\()/gi, 'varchar(45)'));
  } finally {
    await connection.end();
  }
}
