import type { Descriptors } from '../../descriptor/registry.js';
import { descriptorsOf } from '../../model/descriptors.js';
import type { Model } from '../../model/model.js';
import { sharedTypes } from '../shared-types.js';

/**
 * Everything that a GraphQL schema follows from: descriptors, and the types that they share.
 */
export interface SchemaSource
  extends
    Required<Pick<Descriptors, 'tables' | 'enums' | 'composites' | 'procedures' | 'functions'>>,
    Readonly<Pick<Model, 'ranges' | 'filters'>> {}

/** @param operators the ids of the operators that the database has */
export const sourceOfDescriptors = (descriptors: Descriptors, operators: ReadonlySet<string>): SchemaSource => ({
  enums: [],
  composites: [],
  procedures: [],
  functions: [],
  ...descriptors,
  ...sharedTypes(descriptors, operators),
});

/** A model names the shared types already. */
export const sourceOfModel = (model: Model): SchemaSource => ({
  ...descriptorsOf(model),
  ranges: model.ranges,
  filters: model.filters,
});
