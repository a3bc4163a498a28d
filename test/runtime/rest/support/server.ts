import { readFileSync } from 'node:fs';
import type { TableRoutes } from '../../../../templates/runtime/server/generated.js';
import { createServer, type TablewrightServer } from '../../../../templates/runtime/server/create-server.js';
import type { Observation } from '../../../../templates/runtime/observe/observation.js';
import type { Driver } from '../../../../templates/runtime/session/driver.js';
import { createTestDatabase, loadSql } from '../../../support/postgres.js';
import { createClient, type Client } from './client.js';
import { descriptors } from './descriptors.js';

/** A server over the board's database, and a client for it. */
export interface TestServer extends Client {
  readonly server: TablewrightServer;
  readonly url: string;
  readonly databaseUrl: string;
  /** What has been observed since the start. */
  readonly observed: readonly Observation[];
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** Default: `board` alone. */
  readonly schemas?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** More SQL, after the schema. */
  readonly sql?: string;
  readonly driver?: Driver;
}

/** What the generated `<table>.rest.ts` files say. */
export const routes: readonly TableRoutes[] = descriptors.tables.map((table) => ({
  table,
  list: (exchange) => exchange.list(table),
  ...(table.primaryKey?.columns.length === 1 ? { row: (exchange) => exchange.row(table) } : {}),
}));

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase('rest');
  const observed: Observation[] = [];
  try {
    await loadSql(database.url, readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
    if (options.sql !== undefined) await loadSql(database.url, options.sql);
    const server = createServer({
      generated: {
        descriptors,
        resolvers: [],
        routes,
        settings: {},
        openapi: new URL('openapi.json', import.meta.url),
        fingerprint: '',
      },
      environment: {
        DATABASE_URL: database.url,
        APP_SCHEMAS: options.schemas ?? 'board',
        PORT: '0',
        ...options.environment,
      },
      observe: (observation) => observed.push(observation),
      ...(options.driver === undefined ? {} : { driver: options.driver }),
    });
    await server.listen({ ownsProcess: false });
    const url = server.address ?? '';
    return {
      ...createClient(url),
      server,
      url,
      databaseUrl: database.url,
      observed,
      stop: async () => {
        await server.close();
        await database.drop();
      },
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}
