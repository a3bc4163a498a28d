import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { GraphQLSchema } from 'graphql';
import { postgres } from '../../runtime/src/dialect/postgres/dialect.js';
import type { Observation } from '../../runtime/src/observe/observation.js';
import { createPrepare } from '../../runtime/src/server/prepare.js';
import type { Registry } from '../../runtime/src/descriptor/registry.js';
import { PendingBytes } from '../../runtime/src/response/pending-bytes.js';
import { beginRequest } from '../../runtime/src/http/request-context.js';
import type { Services } from '../../runtime/src/execute/services.js';
import type { Driver, Identity } from '../../runtime/src/dialect/driver.js';
import type { BoundStatement } from '../../runtime/src/plan/statement.js';
import type { Settings } from '../../runtime/src/settings/settings.js';
import { graphqlHandler } from './graphql-handler.js';
import { settingsWith } from './intents.js';

export interface GraphqlServer {
  /** `http://127.0.0.1:…/graphql` */
  readonly url: string;
  /** The database statements since the last `forget`, one entry for each round trip. */
  readonly rounds: readonly (readonly BoundStatement[])[];
  /** The identity of each round trip outside transactions. */
  readonly identities: readonly (Identity | undefined)[];
  readonly observations: readonly Observation[];
  forget(): void;
  /** Posts a document and returns the text of the answer. */
  ask(query: string, variables?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text, parsed. */
  readonly body: GraphqlBody;
}

export interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly locations?: readonly unknown[];
    readonly extensions: { readonly code: string; readonly hint?: string; readonly details?: string };
  }[];
}

export interface GraphqlServerOptions {
  readonly registry: Registry;
  readonly schema: GraphQLSchema;
  readonly driver: Driver;
  readonly settings?: Partial<Settings>;
  readonly authenticate?: Services['authenticate'];
  readonly hooks?: Services['hooks'];
}

/** The GraphQL handler alone, over real HTTP. */
export async function startGraphqlServer(options: GraphqlServerOptions): Promise<GraphqlServer> {
  const { registry, schema, driver } = options;
  const settings = settingsWith(options.settings);
  const rounds: (readonly BoundStatement[])[] = [];
  const identities: (Identity | undefined)[] = [];
  const observations: Observation[] = [];
  const services: Services = {
    pendingBytes: new PendingBytes(Infinity),
    registry,
    settings,
    driver: {
      ...driver,
      run: (statements, runOptions) => {
        rounds.push(statements);
        identities.push(runOptions?.identity);
        return driver.run(statements, runOptions);
      },
      transaction: (work, runOptions) =>
        driver.transaction(
          (run, own) =>
            work((statements, inner) => {
              rounds.push(statements);
              return run(statements, inner);
            }, own),
          runOptions,
        ),
    },
    dialect: postgres,
    prepare: createPrepare({ registry, settings, dialect: postgres }),
    authenticate: options.authenticate ?? (() => ({})),
    observe: (observation) => observations.push(observation),
    ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
  };
  const handler = graphqlHandler(services, schema);
  const server = createServer((request, response) => {
    handler(request, response, beginRequest(request, response)).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  const url = await listen(server);
  return {
    url,
    rounds,
    identities,
    observations,
    forget: () => {
      rounds.length = 0;
      identities.length = 0;
      observations.length = 0;
    },
    ask: (query, variables, headers = {}) => post(url, JSON.stringify({ query, variables }), headers),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Posts a body unchanged. */
export async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as GraphqlBody };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return `http://127.0.0.1:${address.port}/graphql`;
}
