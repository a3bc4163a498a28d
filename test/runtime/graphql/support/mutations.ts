import { connect, readCatalog } from '../../../../runtime/src/generator.js';
import { emitProject } from '../../../../src/emit/index.js';
import { buildModel } from '../../../../runtime/src/generator.js';
import type { Services } from '../../../../runtime/src/execute/services.js';
import type { Driver, Identity } from '../../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlBody, type GraphqlServer } from '../../../support/graphql-server.js';
import { servedSchema } from '../../../support/sdl.js';
import { createWriteDatabase, driverOf, type WriteDatabase } from '../../write/support/server.js';

/** A database with the tables of the write tests, and GraphQL over HTTP on it, as a plain role. */
export interface MutationServer extends GraphqlServer {
  readonly db: WriteDatabase;
  /** The `data` of a document, which must have no errors. */
  data(document: string, variables?: unknown, headers?: Readonly<Record<string, string>>): Promise<GraphqlBody['data']>;
  /** The only error of a document, whose `data` must be null. */
  error(
    document: string,
    variables?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<NonNullable<GraphqlBody['errors']>[number]>;
  stop(): Promise<void>;
}

export interface MutationServerOptions {
  readonly hooks?: Services['hooks'];
  /** Custom SDL, and its resolvers by `Type.field`. */
  readonly extra?: string;
  readonly resolvers?: Parameters<typeof servedSchema>[1];
  readonly driver?: (url: string) => Driver;
  /** Default: the tables of the write tests, in the schema `ops`. */
  readonly tables?: { readonly sql: string; readonly schema: string };
}

/** The header `X-Test-User` replaces the user of a verified token. */
export async function startMutationServer(options: MutationServerOptions = {}): Promise<MutationServer> {
  const { tables } = options;
  const db = await (tables === undefined ? createWriteDatabase() : createWriteDatabase(tables.sql, [tables.schema]));
  const sdl = `${await schemaOnce(db.url, tables)}\n${options.extra ?? ''}`;
  const driver = (options.driver ?? driverOf)(db.roleUrl);
  const server = await startGraphqlServer({
    registry: db.registry,
    schema: servedSchema(sdl, options.resolvers),
    driver,
    authenticate: (request): Identity => {
      const user = request.headers['x-test-user'];
      return typeof user === 'string' ? { userId: user } : {};
    },
    ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
  });
  return {
    ...server,
    db,
    data: async (document, variables, headers) => {
      const { body, text } = await server.ask(document, variables, headers);
      if (body.errors !== undefined) throw new Error(text);
      return body.data;
    },
    error: async (document, variables, headers) => {
      const { body, text } = await server.ask(document, variables, headers);
      const [error, ...more] = body.errors ?? [];
      if (error === undefined || more.length > 0 || body.data !== null) throw new Error(text);
      return error;
    },
    stop: async () => {
      await server.close();
      await driver.close();
      await db.drop();
    },
  };
}

/** Texts of schema.graphql by the SQL of their tables. */
const schemas = new Map<string, Promise<string>>();

/** A suite prints the schema once for all databases that the same SQL created. */
function schemaOnce(url: string, tables: MutationServerOptions['tables']): Promise<string> {
  const key = JSON.stringify(tables ?? {});
  const known = schemas.get(key) ?? schemaText(url, tables?.schema ?? 'ops');
  schemas.set(key, known);
  return known;
}

/** The text of schema.graphql that `generate` writes. */
async function schemaText(url: string, schema: string): Promise<string> {
  const connection = await connect(url);
  try {
    const model = buildModel(await readCatalog(connection, { schemas: [schema] }));
    const files = emitProject(model, { catalog: '', fingerprint: '', settings: {} });
    return files.get('schema.graphql') ?? '';
  } finally {
    await connection.close();
  }
}
