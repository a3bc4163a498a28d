import type { RelationDescriptor } from './descriptor.js';

/** A relation as a form of the API has it: PostgREST's knows fewer of them as one to one. */
export const relationIn = (relation: RelationDescriptor, form: string): RelationDescriptor =>
  relation.isListInPostgrest === true && form === 'postgrest' ? { ...relation, cardinality: 'many' } : relation;
