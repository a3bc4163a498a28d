import { readFile } from 'node:fs/promises';
import { connect, isMysqlAddress, legalStart, lowerCamel, type CatalogConnection } from '@tablewright/runtime/model';
import { createConnection } from 'mysql2/promise';
import { quoted } from '../doctor/mysql/quote.js';
import { loadConfig } from '../config/load.js';
import { TablewrightError } from '../errors.js';
import {
  contractNames,
  expectRows,
  ownNotifications,
  plainNames,
  urgentWork,
  waitingForReview,
  type BoardNames,
  type CommandInputs,
  type DemoCommand,
} from './commands.js';
import { demoFile } from './files.js';
import { mysqlTasks } from './guide.js';
import type { DemoSource } from './source.js';

/** The demo's SQL for MariaDB, in the order in which it is loaded. */
const scriptNames = ['mysql/schema.sql', 'mysql/seed.sql'];

/**
 * A MariaDB database, which the address names.
 * @param folder the project's
 * @throws TablewrightError USAGE for another address
 */
export function mysqlSource(url: string, folder: string): DemoSource {
  const database = databaseOf(url);
  return {
    url,
    serverUrl: url,
    configuration: 'mysql/tablewright.config.ts',
    board: false,
    reset: () => onServer(url, (server) => removeDatabase(server, database)),
    prepare: async ({ stage }) => {
      const fresh = await onServer(url, (server) => makeDatabase(server, database));
      if (fresh) await stage('Load the demo: a kanban board and a shop', () => load(url));
      const names = await boardNames(folder, database);
      return { fresh, commands: (inputs) => mysqlCommands(inputs, names), tasks: mysqlTasks(names) };
    },
  };
}

/** A project of an earlier version has a configuration without `names`, which it keeps. */
async function boardNames(folder: string, database: string): Promise<BoardNames> {
  const { model } = await loadConfig({ folder, environment: {}, flags: { out: folder } });
  return model.names === undefined ? contractNames(legalStart(lowerCamel(database))) : plainNames;
}

function databaseOf(url: string): string {
  const named = isMysqlAddress(url) && URL.canParse(url) ? new URL(url).pathname.slice(1) : '';
  if (named !== '') return decodeURIComponent(named);
  throw new TablewrightError(
    'USAGE',
    'The demo cannot be loaded there: --url has to name a MariaDB database.',
    'Write --url mysql://root@127.0.0.1/tablewright_demo. Without --url the demo is a PostgreSQL inside Node.js.',
  );
}

/** Asks the server of the address, whether or not the database is there. */
async function onServer<T>(url: string, ask: (server: CatalogConnection) => Promise<T>): Promise<T> {
  const address = new URL(url);
  address.pathname = '/';
  const connection = await connect(address.href);
  try {
    return await ask(connection);
  } finally {
    await connection.close();
  }
}

/**
 * Whether the demo has to be loaded. What an interrupted first start left is removed.
 * @throws TablewrightError DATABASE_UNSUPPORTED for MySQL
 */
async function makeDatabase(server: CatalogConnection, database: string): Promise<boolean> {
  const [about] = await server.query('select version() as version');
  if (!/mariadb/i.test(String(about?.['version'])))
    throw new TablewrightError(
      'DATABASE_UNSUPPORTED',
      'The demo is for MariaDB: its tables use types that MySQL does not have.',
      'Name a MariaDB database with --url, or run the demo without --url.',
    );
  if (await isDemo(server, database)) {
    const [row] = await server.query(`select count(*) as number from ${quoted(database)}.users`).catch(() => []);
    if (Number(row?.['number'] ?? 0) > 0) return false;
    await server.query(`drop database ${quoted(database)}`);
  }
  await server.query(`create database ${quoted(database)} character set utf8mb4`);
  return true;
}

async function removeDatabase(server: CatalogConnection, database: string): Promise<void> {
  if (await isDemo(server, database)) await server.query(`drop database ${quoted(database)}`);
}

/**
 * Whether a database is there, and the demo's or empty.
 * @throws TablewrightError OUTPUT_FOREIGN when it has a table that is not the demo's
 */
async function isDemo(server: CatalogConnection, database: string): Promise<boolean> {
  const [there] = await server.query('select schema_name from information_schema.schemata where schema_name = ?', [
    database,
  ]);
  if (there === undefined) return false;
  const rows = await server.query('select table_name as name from information_schema.tables where table_schema = ?', [
    database,
  ]);
  const own = new Set(
    [...(await readFile(demoFile('mysql/schema.sql'), 'utf8')).matchAll(/^create (?:table|view) (\w+)/gm)].map(
      ([, name]) => name,
    ),
  );
  const foreign = rows.map((row) => String(row['name'])).find((name) => !own.has(name));
  if (foreign === undefined) return true;
  throw new TablewrightError(
    'OUTPUT_FOREIGN',
    `The database ${database} has a table ${foreign}, which is not the demo's.`,
    'Name a database of its own for the demo: --url mysql://root@127.0.0.1/tablewright_demo',
  );
}

/**
 * The rows are one transaction at the end: without them the next start creates the database again.
 */
async function load(url: string): Promise<void> {
  const scripts = await Promise.all(scriptNames.map((name) => readFile(demoFile(name), 'utf8')));
  const connection = await createConnection({ uri: url, multipleStatements: true, charset: 'utf8mb4' });
  try {
    for (const script of scripts) await connection.query(script);
  } catch (cause) {
    throw new TablewrightError(
      'DATABASE_QUERY',
      'The demo could not be loaded into the database.',
      'The account has to be allowed to create tables, views and routines there.',
      { cause },
    );
  } finally {
    await connection.end();
  }
}

/**
 * The commands of the demo: without full-text and vector search, with MariaDB's replacements.
 */
function mysqlCommands(inputs: CommandInputs, names: BoardNames): readonly DemoCommand[] {
  const { base } = inputs;
  const curl = 'curl -s';
  return [
    urgentWork(base, curl),
    waitingForReview(base, names),
    {
      title: 'JSON: bugs that are about performance, by the list in a JSON column',
      line: `${curl} -G '${base}/api/v1/issues?select=number,title,labels&limit=3' --data-urlencode 'labels=cs.["bug","performance"]'`,
      wrong: (answer) =>
        expectRows(
          answer,
          (rows) => rows.length === 3 && rows.every((row) => String(row['labels']).includes('performance')),
        ),
    },
    {
      title: 'Text: slow connections, but not the login',
      line: `${curl} '${base}/api/v1/issues?select=number,title&title=ilike.*SLOW*connections*&title=not.ilike.*login*&limit=3'`,
      wrong: (answer) =>
        expectRows(
          answer,
          (rows) => rows.length > 0 && rows.every((row) => String(row['title']).includes('slow connections')),
        ),
    },
    ...ownNotifications(curl, inputs, 'Views that filter by user', 'my_notifications'),
  ];
}
