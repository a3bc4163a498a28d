export { modelBuilder } from './build.js';
export type { ApiChange, ApiChangeType, ApiSubject } from './api-change.js';
export { compareModels } from './changes.js';
export type * from './model.js';
export { sourceOfModel } from './schema-source.js';
export type { FilterModel, RangeModel } from '../schema/shared-types.js';
export { operations, type Operation } from '../descriptor/names.js';
export { typedClients, type ModelOptions, type Names, type Rename } from '../descriptor/options.js';
export { isCallable } from './callable.js';
