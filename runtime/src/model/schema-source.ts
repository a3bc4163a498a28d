import type { SchemaSource } from '../schema/definitions/source.js';
import { descriptorsOf } from './descriptors.js';
import type { Model } from './model.js';

/** What the GraphQL schema of a model follows from. A model names the shared types already. */
export const sourceOfModel = (model: Model): SchemaSource => ({
  ...descriptorsOf(model),
  ranges: model.ranges,
  filters: model.filters,
});
