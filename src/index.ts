/** The programmatic API: what the commands are made of. */
export { TablewrightError, type ErrorCode } from './errors.js';
export type { Finding, Remedy } from './doctor/finding.js';
export type { DoctorOptions, Silence } from './doctor/options.js';
export { claim, role } from './config/claim.js';
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
} from '@tablewright/runtime/model';
export type * from '@tablewright/runtime/model';
export { buildModel } from '@tablewright/runtime/model';
export type { Model, Warning } from '@tablewright/runtime/model';
export type { ModelOptions, Rename } from '@tablewright/runtime/model';
export type { PlannedFile, WritePlan } from './output/plan.js';
export { silentReporter, type Reporter } from './reporter.js';
