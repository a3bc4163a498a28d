import type { GeneratedServer } from '../../runtime/src/descriptor/generated.js';
import type { Descriptors } from '../../runtime/src/descriptor/registry.js';
import {
  buildModel,
  connect,
  readCatalog,
  type Catalog,
  type CatalogConnection,
  type ReadOptions,
} from '../../runtime/src/generator.js';
import { descriptorsOf } from '../../runtime/src/model/descriptors.js';
import { generatedOf } from '../runtime/rest/support/generated.js';
import { describeModel, type Described } from './described.js';
import { createFilledDatabase } from './postgres.js';

/** A database as the generator reads it, and what a server is made of. */
export interface ReadDatabase extends Described {
  readonly catalog: Catalog;
  readonly descriptors: Descriptors;
  /** The argument of createServer, for REST: the classes of GraphQL are files of a project. */
  readonly generated: GeneratedServer;
}

export async function readDatabase(url: string, options?: ReadOptions): Promise<ReadDatabase> {
  const connection = await connect(url);
  try {
    return await readConnection(connection, options);
  } finally {
    await connection.close();
  }
}

export const readConnection = async (connection: CatalogConnection, options?: ReadOptions): Promise<ReadDatabase> =>
  ofCatalog(await readCatalog(connection, options));

/** The same of a catalogue that has been read before. */
export function ofCatalog(catalog: Catalog): ReadDatabase {
  const model = buildModel(catalog);
  const descriptors = descriptorsOf(model);
  return { catalog, ...describeModel(model), descriptors, generated: generatedOf(descriptors) };
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
