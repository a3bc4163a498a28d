import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { startServerHere } from '../../support/server-here.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** A MariaDB with the tables of schema.sql, the project generated from it, and its server. */
export interface ServedMysql {
  readonly url: string;
  /** The server's address: `http://127.0.0.1:…`. */
  readonly base: string;
  /** The prefix of generated names: `shop123Ab`. Documents write `$` for it. */
  readonly prefix: string;
  readonly database: string;
  /** The folder of the generated project. */
  readonly folder: string;
  /** What the server has logged. */
  readonly log: () => string;
  /**
   * Sends a GraphQL document in which every `$` before a name stands for the prefix of the schema.
   */
  ask(document: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  rest(path: string, init?: RequestInit): Promise<Answer>;
  load(sql: string): Promise<void>;
  stop(): Promise<void>;
}

export interface Prepared {
  readonly config?: object;
  readonly environment?: Readonly<Record<string, string>>;
  /** The address of another user, who generates the project and as whom its server connects. */
  readonly url?: string;
}

/**
 * @param more SQL that is loaded before the project is generated
 * @param schema replaces schema.sql
 * @param prepare called when the schema is loaded; answers the configuration of `generate`, and
 * more of the server's environment
 */
export async function serveMysql(
  environment: Readonly<Record<string, string>> = {},
  more = '',
  schema?: string,
  prepare?: (database: MysqlDatabase) => Promise<Prepared> | Prepared,
): Promise<ServedMysql> {
  const database = await createMysqlDatabase('shop');
  await loadMysql(database.url, (schema ?? (await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'))) + more);
  const prepared = await prepare?.(database);
  const config = prepared?.config;
  const files = config === undefined ? {} : { 'tablewright.config.json': JSON.stringify(config) };
  const url = prepared?.url ?? database.url;
  const program = await buildGenerated(url, files);
  const server = await startServerHere(program.folder, {
    DATABASE_URL: url,
    APP_SCHEMAS: database.name,
    ...environment,
    ...prepared?.environment,
  });
  const lower = database.prefix;
  const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const read = async (response: Response): Promise<Answer> => {
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };
  return {
    url: database.url,
    base: server.base,
    prefix: lower,
    database: database.name,
    folder: program.folder,
    log: () => server.log(),
    ask: async (document, headers = {}) =>
      read(
        await fetch(`${server.base}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query: document.replaceAll('$$', upper(lower)).replaceAll('$', lower) }),
        }),
      ),
    rest: async (path, init) => read(await fetch(`${server.base}/api/v1/${path}`, init)),
    load: (sql) => loadMysql(database.url, sql),
    stop: async () => {
      if (process.env['SHOW_LOG'] !== undefined) process.stderr.write(server.log().slice(-6000));
      await server.stop();
      await database.drop();
      await program.remove();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
