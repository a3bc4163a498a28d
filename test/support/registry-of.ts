import type { Catalog } from '../../runtime/src/catalog/catalog.js';
import { createRegistry, type Registry } from '../../runtime/src/descriptor/registry.js';
import { model } from '../../runtime/src/dialect/postgres/model.js';
import { modelBuilder } from '../../runtime/src/model/build.js';
import { descriptorsOf } from '../../runtime/src/model/descriptors.js';

/**
 * The registry of a server that is made from a catalogue, for suites without a database: it loads
 * no more of the generator than that takes.
 */
export const registryOf = (catalog: Catalog): Registry =>
  createRegistry(descriptorsOf(modelBuilder(model)(catalog, {})));
