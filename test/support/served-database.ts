import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isLeafType,
  isObjectType,
  type GraphQLObjectType,
  type IntrospectionQuery,
} from 'graphql';
import pg from 'pg';
import { tablewright } from './cli.js';
import { createTestDatabase, loadSql } from './postgres.js';
import type { RunningServer } from './running-server.js';
import { scratchFolder } from './scratch-folder.js';
import { startServerHere } from './server-here.js';
import { transpileFolder } from './transpile.js';
import { recordTypes } from './typed-projects.js';

const checkout = join(import.meta.dirname, '../..');

export interface ServedTable {
  readonly schema: string;
  readonly name: string;
}

/**
 * A database, its project, and the running server.
 */
export interface ServedDatabase {
  readonly url: string;
  readonly folder: string;
  readonly server: RunningServer;
  /**
   * Every table, view, materialised view and partitioned parent, read directly from the database.
   */
  readonly tables: readonly ServedTable[];
  stop(): Promise<void>;
}

/**
 * Loads the SQL texts into a new database, generates a project from it and starts the server.
 * @param config the content of the configuration file
 */
export async function serveDatabase(name: string, texts: readonly string[], config = {}): Promise<ServedDatabase> {
  const database = await createTestDatabase(name);
  for (const text of texts) await loadSql(database.url, text);
  // The folder is inside the checkout, so that the server finds its packages in the checkout's
  // node_modules.
  const folder = await scratchFolder(name);
  await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify(config));
  await generate(database.url, folder);
  await recordTypes(join(folder, 'src'));
  await transpileFolder(join(folder, 'src'), join(folder, 'dist'));
  const server = await startServerHere(folder, { DATABASE_URL: database.url, APP_LOG_LEVEL: 'warn' });
  return {
    url: database.url,
    folder,
    server,
    tables: await tablesOf(database.url),
    stop: async () => {
      await server.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `tablewright generate`, in this process. */
export async function generate(url: string, folder: string): Promise<void> {
  const { code, stderr } = await tablewright(['generate', '--url', url, '--out', folder], { cwd: checkout });
  if (code !== 0) throw new Error(stderr);
}

/** Wrong REST answers, by table; empty when each table answered with rows. */
export async function restFailures({ server, tables }: ServedDatabase): Promise<readonly unknown[]> {
  const answers = await Promise.all(
    tables.map(async (table) => {
      const { status, text } = await getRaw(server, table);
      const body = JSON.parse(text) as { data?: unknown };
      return status === 200 && Array.isArray(body.data) ? [] : [{ ...table, status, text: text.slice(0, 200) }];
    }),
  );
  return answers.flat();
}

/** Sends a path unchanged: `fetch` would resolve a table name `..`, even a percent-encoded one. */
async function getRaw(server: RunningServer, { schema, name }: ServedTable): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server.base);
  const request = get({
    hostname,
    port,
    path: `/api/v1/${encodeURIComponent(name).replaceAll('.', '%2E')}?limit=2`,
    // Node treats header text as Latin-1, and the name is UTF-8.
    headers: { 'Accept-Profile': Buffer.from(schema, 'utf8').toString('latin1') },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly unknown[];
}

/** Posts a document without variables. */
export async function query(server: RunningServer, document: string): Promise<GraphqlAnswer> {
  const answer = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: document }),
  });
  return (await answer.json()) as GraphqlAnswer;
}

export interface ListField {
  readonly name: string;
  /** Fields without a selection of their own. */
  readonly columns: readonly string[];
  /** Relations, each with one column of its target. */
  readonly relations: readonly { readonly name: string; readonly column: string }[];
}

/** The list fields of the query type, by introspection. */
export async function listFields(server: RunningServer): Promise<readonly ListField[]> {
  const { data } = await query(server, getIntrospectionQuery());
  const schema = buildClientSchema(data as IntrospectionQuery);
  return Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) => {
    const row = getNamedType(field.type);
    if (!field.args.some((argument) => argument.name === 'limit') || !isObjectType(row)) return [];
    return [{ name: field.name, columns: leaves(row), relations: relations(row) }];
  });
}

function leaves(type: GraphQLObjectType): readonly string[] {
  return Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map((field) => field.name);
}

function relations(type: GraphQLObjectType): ListField['relations'] {
  return Object.values(type.getFields()).flatMap((field) => {
    const target = getNamedType(field.type);
    const column = isObjectType(target) ? leaves(target)[0] : undefined;
    return column === undefined ? [] : [{ name: field.name, column }];
  });
}

/** The list fields that fail with this selection; empty when all succeed. */
export async function graphqlFailures(
  server: RunningServer,
  fields: readonly ListField[],
  selection: (field: ListField) => string,
): Promise<readonly unknown[]> {
  const answers = await Promise.all(
    fields.map(async (field) => {
      const body = await query(server, `{ ${field.name}(limit: 2) { ${selection(field)} } }`);
      return body.errors === undefined ? [] : [{ name: field.name, errors: body.errors }];
    }),
  );
  return answers.flat();
}

async function tablesOf(url: string): Promise<readonly ServedTable[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<ServedTable>(
      `SELECT n.nspname AS schema, c.relname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
         AND c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition
       ORDER BY 1, 2`,
    );
    return rows;
  } finally {
    await client.end();
  }
}
