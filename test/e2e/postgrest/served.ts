import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import { succeed } from '../../support/program.js';
import { startGeneratedServer } from '../../support/running-server.js';
import { generate } from '../../support/served-database.js';
import { repository } from '../../support/transpile.js';
import { orchestraFunctions, orchestraSql } from './schema.js';

export interface Served {
  /** The server's address; REST in PostgREST's form is at `/rest/v1` below it. */
  readonly base: string;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Generates, compiles and starts a project as a user does, with the PostgREST mount enabled. */
export async function serveOrchestra(
  settings: Readonly<Record<string, unknown>> = {},
  environment: Readonly<Record<string, string>> = {},
  sql = '',
): Promise<Served> {
  const database = await createTestDatabase('postgrest');
  await loadSql(database.url, orchestraSql + sql);
  await mkdir(join(repository, '.tmp'), { recursive: true });
  const folder = await mkdtemp(join(repository, '.tmp', 'postgrest-'));
  const config = { 'app.rest.postgrest': '/rest/v1', functions: orchestraFunctions, ...settings };
  await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify(config));
  await generate(database.url, folder);
  await succeed('npx', ['tsc', '-p', folder], { cwd: repository });
  const server = await startGeneratedServer(folder, {
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}
