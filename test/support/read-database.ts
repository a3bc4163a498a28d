import type { GeneratedServer } from '../../runtime/src/descriptor/generated.js';
import { generatedOf } from '../runtime/rest/support/generated.js';
import { describeDatabase, type DescribedCatalog } from './describe-database.js';
import { createFilledDatabase } from './postgres.js';

/** A database as the generator describes it, and what a server is made of. */
export interface ReadDatabase extends DescribedCatalog {
  /** The argument of createServer, for REST: the classes of GraphQL are files of a project. */
  readonly generated: GeneratedServer;
}

export async function readDatabase(url: string): Promise<ReadDatabase> {
  const described = await describeDatabase(url);
  return { ...described, generated: generatedOf(described.descriptors) };
}

/**
 * The database that the SQL creates, for a suite that sends it no request.
 * @param sql must leave nothing outside its database, such as a role
 */
export async function readSql(name: string, sql: string): Promise<ReadDatabase> {
  const database = await createFilledDatabase(name, sql);
  try {
    return await readDatabase(database.url);
  } finally {
    await database.drop();
  }
}
