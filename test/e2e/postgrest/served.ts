import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import { startGeneratedServer } from '../../support/running-server.js';
import { orchestraFunctions, orchestraSql } from './schema.js';

export interface Served {
  /** The server's address; REST in PostgREST's form is at `/rest/v1` below it. */
  readonly base: string;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Generates and starts a project as a user does, with the PostgREST mount enabled. */
export async function serveOrchestra(
  settings: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
  sql = '',
): Promise<Served> {
  const database = await createTestDatabase('postgrest');
  await loadSql(database.url, orchestraSql + sql);
  const config = { 'app.rest.postgrest': '/rest/v1', functions: orchestraFunctions, ...settings };
  const program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify(config) });
  const server = await startGeneratedServer(program.folder, {
    DATABASE_URL: database.url,
    APP_LOG_LEVEL: 'warn',
    ...environment,
  });
  return {
    base: server.base,
    log: server.log,
    stop: async () => {
      await server.stop();
      await database.drop();
      await program.remove();
    },
  };
}
