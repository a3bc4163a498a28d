import {
  buildModel,
  connect,
  parseCatalog,
  readCatalog,
  type Catalog,
  type CatalogConnection,
  type ModelOptions,
  type ReadOptions,
} from '../../runtime/src/generator.js';
import { caseText, describeModel, type Described } from './described.js';

export type DescribeOptions = ModelOptions & ReadOptions;

/** A catalogue, as the generator describes it. */
export interface DescribedCatalog extends Described {
  readonly catalog: Catalog;
}

export const describeCatalog = (catalog: Catalog, options: ModelOptions = {}): DescribedCatalog => ({
  catalog,
  ...describeModel(buildModel(catalog, options)),
});

/** Reads the catalogue of a test's database. */
export const describeDatabase = async (url: string, options?: DescribeOptions): Promise<DescribedCatalog> =>
  describeConnection(await connect(url), options);

/** The same by a connection, which it closes. */
export async function describeConnection(
  connection: CatalogConnection,
  { schemas, ...options }: DescribeOptions = {},
): Promise<DescribedCatalog> {
  try {
    return describeCatalog(await readCatalog(connection, { schemas }), options);
  } finally {
    await connection.close();
  }
}

/**
 * The database of a directory in test/cases, by its kept catalogue: test/e2e/cases.slow.test.ts
 * compares that with a database.
 */
export const describeCase = (name: string): DescribedCatalog =>
  describeCatalog(parseCatalog(caseText(name, 'expected/catalog.json')));
