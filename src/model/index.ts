export { buildModel } from './build.js';
export { compareModels, type ApiChange, type ApiChangeType } from './changes.js';
export type * from './model.js';
export { operations, type ModelOptions, type Operation, type Rename } from './options.js';
