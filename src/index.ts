/** The programmatic API: what the commands are made of. */
export { TablewrightError, type ErrorCode } from './errors.js';
export { defineConfig, type UserConfig } from './config/define-config.js';
export { generate, type GenerateOptions, type GenerateResult } from './generate.js';
export {
  connect,
  fingerprint,
  parseCatalog,
  readCatalog,
  serializeCatalog,
  type CatalogConnection,
  type ReadOptions,
} from './catalog/index.js';
export type * from './catalog/catalog.js';
export { buildModel } from './model/index.js';
export type { Model, Warning } from './model/model.js';
export type { ModelOptions, Rename } from './model/options.js';
export type { PlannedFile, WritePlan } from './output/plan.js';
export { silentReporter, type Reporter } from './reporter.js';
