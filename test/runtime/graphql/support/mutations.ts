import type { Services } from '../../../../runtime/src/execute/services.js';
import type { Driver, Identity } from '../../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlBody, type GraphqlServer } from '../../../support/graphql-server.js';
import { extendedSchema, schemaOf, type Resolvers } from '../../../support/live-schema.js';
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
  readonly resolvers?: Resolvers;
  readonly driver?: (url: string) => Driver;
  /** Default: the tables of the write tests, in the schema `ops`. */
  readonly tables?: { readonly sql: string; readonly schema: string };
}

/** The header `X-Test-User` replaces the user of a verified token. */
export async function startMutationServer(options: MutationServerOptions = {}): Promise<MutationServer> {
  const { tables } = options;
  const db = await (tables === undefined ? createWriteDatabase() : createWriteDatabase(tables.sql, [tables.schema]));
  const driver = (options.driver ?? driverOf)(db.roleUrl);
  const server = await startGraphqlServer({
    registry: db.registry,
    schema: options.extra === undefined ? schemaOf(db) : extendedSchema(db, options.extra, options.resolvers),
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
