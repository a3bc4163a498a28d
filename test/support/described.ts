import { readFileSync } from 'node:fs';
import { createRegistry, type Registry } from '../../runtime/src/descriptor/registry.js';
import {
  buildModel,
  connect,
  parseCatalog,
  readCatalog,
  type Catalog,
  type CatalogConnection,
  type Model,
  type ModelOptions,
  type ReadOptions,
} from '../../runtime/src/generator.js';
import { descriptorsOf } from '../../runtime/src/model/descriptors.js';

/** A database as the generator describes it. */
export interface Described {
  readonly model: Model;
  /** The registry of a server that is made of the model. */
  readonly registry: Registry;
}

export type DescribeOptions = ModelOptions & ReadOptions;

export function describeCatalog(catalog: Catalog, options: ModelOptions = {}): Described {
  const model = buildModel(catalog, options);
  return { model, registry: createRegistry(descriptorsOf(model)) };
}

/** Reads the catalogue of a test's database. */
export async function describeDatabase(url: string, options: DescribeOptions = {}): Promise<Described> {
  return describeConnection(await connect(url), options);
}

/** The same by a connection, which it closes. */
export async function describeConnection(
  connection: CatalogConnection,
  { schemas, ...options }: DescribeOptions = {},
): Promise<Described> {
  try {
    return describeCatalog(await readCatalog(connection, { schemas }), options);
  } finally {
    await connection.close();
  }
}

/**
 * The database of a directory in test/cases, by its kept catalogue: test/e2e/cases.test.ts compares
 * that with a database.
 */
export const describeCase = (name: string): Described =>
  describeCatalog(parseCatalog(caseText(name, 'expected/catalog.json')));

/** The text of a file of a case. */
export const caseText = (name: string, file: string): string =>
  readFileSync(new URL(`../cases/${name}/${file}`, import.meta.url), 'utf8');
