import { join } from 'node:path';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { createTestDatabase, loadSql } from '../../test/support/postgres.js';
import { repository } from '../harness/child.js';
import { CONNECTIONS } from '../harness/load.js';
import { compile, emptyFolder, generate } from '../harness/project.js';
import { progress } from '../harness/report.js';
import { startServer, type RunningServer } from '../harness/server.js';
import { limitSchema } from './schema.js';

/** What both servers need to serve the workloads. */
export interface Data {
  /** As a role that policies apply to. */
  readonly url: string;
  readonly token: string;
  readonly publicKey: string;
}

export const claims = { sub: 'user7', projectId: 'p1', exp: 4_000_000_000 };

/** Makes the database of the workloads, and removes it after the work. */
export async function withData<T>(work: (data: Data) => Promise<T>): Promise<T> {
  const database = await createTestDatabase('bench_limit');
  const role = `${new URL(database.url).pathname.slice(1)}_app`;
  try {
    progress('Creating the data');
    for (const sql of limitSchema(role)) await loadSql(database.url, sql);
    const url = new URL(database.url);
    [url.username, url.password] = [role, role];
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    return await work({ url: url.href, token, publicKey: await exportSPKI(publicKey) });
  } finally {
    await dropRole(database.url, role);
    await database.drop();
  }
}

/** The generated server of the data, compiled and started as a user does it. */
export async function startOurs({ url, publicKey }: Data): Promise<RunningServer> {
  progress('Generating and compiling the server');
  const folder = emptyFolder('limit');
  await generate(url, folder, 'bench');
  await compile(folder, '--noCheck');
  const environment = {
    DATABASE_URL: url,
    NODE_ENV: 'production',
    APP_LOG_LEVEL: 'error',
    APP_MAX_ROWS: '1000',
    APP_DATASOURCE_POOL_SIZE: String(CONNECTIONS),
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY: publicKey,
  };
  return await startServer(['dist/main.js'], folder, environment, '/health/ready');
}

/** The server by hand. */
export async function startLimit({ url, token }: Data): Promise<RunningServer> {
  const jiti = join(repository, 'node_modules/jiti/lib/jiti-cli.mjs');
  const environment = { DATABASE_URL: url, BENCH_TOKEN: token, BENCH_CLAIMS: JSON.stringify(claims) };
  return await startServer([jiti, 'bench/limit/limit-server.ts'], repository, environment, '/health/ready');
}

/** A role belongs to the server, not to the database: it has to go first, with what it was granted. */
async function dropRole(url: string, role: string): Promise<void> {
  await loadSql(
    url,
    `do $$ begin
       if exists (select from pg_roles where rolname = '${role}') then drop owned by ${role}; drop role ${role}; end if;
     end $$`,
  );
}
