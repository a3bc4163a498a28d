import type { Catalog } from '../catalog/catalog.js';
import type { Dialect } from '../dialect/dialect.js';
import { derive, type Derived, type DeriveOptions } from '../drift/derive.js';
import { generatedFacts, type LoadedCatalog } from './catalog-file.js';

/** Derives in this thread. A model is loaded only if the database has changed. */
export const deriveHere = (
  { model }: Dialect,
  catalog: Catalog,
  options: DeriveOptions,
  loaded: LoadedCatalog,
): Promise<Derived> =>
  derive(catalog, options, {
    facts: (read, found) => generatedFacts(loaded, options, read, found),
    modelBuilder: async () => (await import('../model/build.js')).modelBuilder(model),
  });
