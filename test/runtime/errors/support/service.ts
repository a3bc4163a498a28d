import { loadSettings } from '../../../../runtime/src/settings/load-settings.js';
import { createDriver } from '../../../support/create-driver.js';
import type { Driver } from '../../../../runtime/src/dialect/driver.js';
import { schemaOf } from '../../../support/live-schema.js';
import { startGraphqlServer, type GraphqlBody, type GraphqlServer } from '../../../support/graphql-server.js';
import { reachEnvironment } from '../../../support/pooler.js';
import {
  createWriteDatabase,
  startWriteServer,
  type WriteDatabase,
  type WriteServer,
} from '../../write/support/server.js';

type Environment = Readonly<Record<string, string>>;

/** An error over REST: the status, the body, and the Retry-After header. */
export interface RestError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly retryAfter: string | undefined;
}

/** Both protocols on one database, as a plain role. */
export interface Service {
  readonly db: WriteDatabase;
  readonly rest: WriteServer;
  readonly graphql: GraphqlServer;
  readonly driver: Driver;
  /** Sends a request over REST and expects an error. */
  restError(method: string, path: string, body?: unknown): Promise<RestError>;
  /** Sends a document and expects a single error. */
  graphqlError(document: string, variables?: unknown): Promise<NonNullable<GraphqlBody['errors']>[number]>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly schema: string;
  readonly environment?: Environment;
}

/** A database created by the SQL, with both servers on it. */
export async function startService(sql: string, { schema, environment = {} }: ServiceOptions): Promise<Service> {
  const db = await createWriteDatabase(sql, [schema]);
  const settings = loadSettings({}, { ...reachEnvironment(db.roleUrl), ...environment });
  const driver = createDriver(settings, db.registry.tables.length);
  const rest = await startWriteServer(db, { environment });
  const graphql = await startGraphqlServer({
    registry: db.registry,
    schema: schemaOf(db),
    driver,
    settings,
  });
  return {
    ...{ db, rest, graphql, driver },
    restError: async (method, path, body) => {
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const reply = await rest.send(
        method,
        `/api/v1/${path}`,
        headers,
        body === undefined ? body : JSON.stringify(body),
      );
      if (reply.status < 400) throw new Error(`${method} ${path} → ${reply.status} ${reply.text}`);
      const error = JSON.parse(reply.text) as Omit<RestError, 'status' | 'retryAfter'>;
      return { status: reply.status, ...error, retryAfter: reply.headers['retry-after'] };
    },
    graphqlError: async (document, variables) => {
      const { body, text } = await graphql.ask(document, variables);
      const [error, ...more] = body.errors ?? [];
      if (error === undefined || more.length > 0) throw new Error(text);
      return error;
    },
    stop: async () => {
      await graphql.close();
      await rest.stop();
      await driver.close();
      await db.drop();
    },
  };
}
