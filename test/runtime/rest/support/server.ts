import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { emitOpenapi, serializeCatalog } from '../../../../runtime/src/generator.js';
import { createServer, type TablewrightServer } from '../../../../runtime/src/extensions/create-server.js';
import type { CustomServer } from '../../../../runtime/src/server/custom.js';
import type { Observation } from '../../../../runtime/src/observe/observation.js';
import { reachEnvironment } from '../../../support/pooler.js';
import { writePgliteData } from '../../../support/pglite-data.js';
import { createFilledDatabase, loadSql } from '../../../support/postgres.js';
import { readDatabase, type ReadDatabase } from '../../../support/read-database.js';
import { readBoard, schema } from './board.js';
import { createClient, type Client } from './client.js';

/** A server over the board's database, and a client for it. */
export interface TestServer extends Client {
  readonly server: TablewrightServer;
  readonly url: string;
  readonly databaseUrl: string;
  /** The observations since the start. */
  readonly observed: readonly Observation[];
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/**
 * A server on its own database of a real database server. It serves `board` alone unless the
 * environment says otherwise.
 */
export async function startServer(environment: Environment = {}, custom: CustomServer = {}): Promise<TestServer> {
  const database = await createFilledDatabase('rest', schema);
  try {
    const started = await listen(await readBoard(database.url), database.url, environment, custom);
    return { ...started, stop: () => started.stop().finally(() => database.drop()) };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** The same, connected as a plain role that may read everything but `secrets`. */
export async function startServerAsReader(environment: Environment = {}): Promise<TestServer> {
  const database = await createFilledDatabase('rest', schema);
  const role = `rest_reader_${randomBytes(4).toString('hex')}`;
  const drop = async (): Promise<void> => {
    await loadSql(database.url, `drop owned by ${role}; drop role ${role};`);
    await database.drop();
  };
  await loadSql(
    database.url,
    `create role ${role} login; grant usage on schema board, crm to ${role};
     grant select on all tables in schema board, crm to ${role}; revoke all on board.secrets from ${role};`,
  );
  const url = new URL(database.url);
  url.username = role;
  const started = await listen(await readBoard(database.url), url.href, environment);
  return { ...started, stop: () => started.stop().finally(drop) };
}

/** A server on PGlite with pgvector: the points (1,0), (2,0), (3,0) and (0,4). */
export async function startVectorServer(): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'rest-vector-'));
  await writePgliteData(directory, [
    `create extension vector; create schema board; create table board.points (id int primary key, embedding vector(2));
     insert into board.points values (1, '[1,0]'), (2, '[2,0]'), (3, '[3,0]'), (4, '[0,4]');`,
  ]);
  const url = `pglite:${directory}`;
  const started = await listen(await readDatabase(url), url, {});
  return { ...started, stop: () => started.stop().finally(() => rm(directory, { recursive: true })) };
}

async function listen(
  database: ReadDatabase,
  databaseUrl: string,
  environment: Environment,
  custom: CustomServer = {},
): Promise<TestServer> {
  const observed: Observation[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'rest-files-'));
  await writeFile(join(folder, 'openapi.json'), emitOpenapi(database.model));
  await writeFile(join(folder, 'catalog.json'), serializeCatalog(database.catalog));
  const server = createServer({
    generated: { ...database.generated, openapi: pathToFileURL(join(folder, 'openapi.json')) },
    custom,
    environment: { ...reachEnvironment(databaseUrl), APP_SCHEMAS: 'board', PORT: '0', ...environment },
    observe: (observation) => observed.push(observation),
  });
  const stop = (): Promise<void> => server.close().finally(() => rm(folder, { recursive: true }));
  await server.listen({ ownsProcess: false }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const url = server.address ?? '';
  return { ...createClient(url), server, url, databaseUrl, observed, stop };
}
