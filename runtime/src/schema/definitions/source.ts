import type { Descriptors } from '../../descriptor/registry.js';
import { sharedTypes, type SharedTypes } from '../shared-types.js';

/**
 * Everything that a GraphQL schema follows from: descriptors, and the types that they share.
 */
export interface SchemaSource
  extends
    Required<Pick<Descriptors, 'tables' | 'enums' | 'composites' | 'procedures' | 'functions'>>,
    Pick<SharedTypes, 'ranges' | 'filters'> {}

/** @param operators the ids of the operators that the database has */
export const sourceOfDescriptors = (descriptors: Descriptors, operators: ReadonlySet<string>): SchemaSource => ({
  enums: [],
  composites: [],
  procedures: [],
  functions: [],
  ...descriptors,
  ...sharedTypes(descriptors, operators),
});
