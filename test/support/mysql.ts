import { randomBytes } from 'node:crypto';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { TestDatabase } from './postgres.js';

/** All suites take the address from here. */
const localServer = 'mysql://root@127.0.0.1:3306/';

/**
 * The running MariaDB or MySQL: the one at TEST_MYSQL_URL, else the one at 127.0.0.1:3306;
 * undefined when none answers.
 */
const running = await runningServer();
const server = running?.url;

/** The address of the server, without a database. */
export const mysqlServer = new URL('/', server ?? localServer).href;

/** Whether suites that need MariaDB run. */
export const hasMysql = server !== undefined || process.env['CI'] === 'true';

/**
 * `describe` for a suite that needs MariaDB. Without a running MariaDB, the suite is skipped and
 * says so; with CI=true it fails instead.
 */
export const describeMysql: typeof describe = hasMysql ? describe : skipping();

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
  if (serverUrl === undefined) throw new Error('No MariaDB answers at TEST_MYSQL_URL or 127.0.0.1:3306.');
  const database = `${name}_${randomBytes(5).toString('hex')}`;
  await loadMysql(serverUrl, `create database \`${database}\` character set utf8mb4 collate utf8mb4_general_ci`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return {
    name: database,
    prefix: database.replace(/_(.)/g, (_, first: string) => first.toUpperCase()),
    url: url.href,
    drop: () => loadMysql(serverUrl, `drop database if exists \`${database}\``),
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

async function runningServer(): Promise<{ readonly url: string; readonly version: string } | undefined> {
  const given = process.env['TEST_MYSQL_URL'];
  const isGiven = given !== undefined && given !== '';
  const url = isGiven ? given : localServer;
  try {
    const connection = await createConnection({ uri: url, connectTimeout: isGiven ? 10_000 : 2000 });
    const [[row]] = await connection.query<RowDataPacket[]>('select version() as version');
    await connection.end();
    return { url, version: String(row?.['version']) };
  } catch {
    return isGiven ? { url, version: 'MariaDB' } : undefined;
  }
}

function skipping(): typeof describe {
  process.stderr.write('No MariaDB answers at 127.0.0.1:3306: suites that need it do not run. Set TEST_MYSQL_URL.\n');
  return describe.skip;
}
