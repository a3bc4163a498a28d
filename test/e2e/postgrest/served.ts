import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import { startServerHere } from '../../support/server-here.js';
import { orchestraFunctions, orchestraSql } from './schema.js';

export interface Served {
  /** The server's address; REST in PostgREST's form is at `/rest/v1` below it. */
  readonly base: string;
  readonly log: () => string;
  /** The folder of the project. */
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Generates and starts a project as a user does, with the PostgREST mount enabled.
 * @param sql beside the tables of schema.ts
 * @param role that the server connects as; by default the superuser
 * @param lastSql runs after the server, to remove what is not of the database alone
 */
export async function serveOrchestra(
  settings: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
  sql = '',
  { role, lastSql = '' }: { readonly role?: string; readonly lastSql?: string } = {},
): Promise<Served> {
  const database = await createTestDatabase('postgrest');
  await loadSql(database.url, orchestraSql + sql);
  const config = { 'app.rest.postgrest': '/rest/v1', functions: orchestraFunctions, ...settings };
  const program = await buildGenerated(database.url, { 'tablewright.config.json': JSON.stringify(config) });
  const url = new URL(database.url);
  if (role !== undefined) url.username = role;
  const server = await startServerHere(program.folder, {
    DATABASE_URL: url.href,
    APP_LOG_LEVEL: 'warn',
    ...environment,
  });
  return {
    base: server.base,
    log: server.log,
    folder: program.folder,
    stop: async () => {
      await server.stop();
      await loadSql(database.url, lastSql);
      await database.drop();
      await program.remove();
    },
  };
}
