import type { RelationDescriptor } from './descriptor.js';

/** Which relations a form of the API knows as one to one. */
export interface RelationForm {
  /** By any unique index, or by constraints alone. */
  readonly oneToOne: 'byIndex' | 'byConstraint';
}

/** A relation as a form of the API has it. */
export const relationIn = (relation: RelationDescriptor, { oneToOne }: RelationForm): RelationDescriptor =>
  relation.isListInPostgrest === true && oneToOne === 'byConstraint' ? { ...relation, cardinality: 'many' } : relation;
