import type { Model } from './model.js';

/**
 * A model without its database, which no change for clients depends on: descriptors of a running
 * server do not name it.
 */
export type DescribedModel = Omit<Model, 'dialect'>;

export type ApiChangeType =
  | 'TABLE_ADDED'
  | 'TABLE_REMOVED'
  | 'TABLE_RENAMED'
  | 'WRITE_ADDED'
  | 'WRITE_REMOVED'
  | 'PRIMARY_KEY_CHANGED'
  | 'CONSTRAINT_ADDED'
  | 'CONSTRAINT_REMOVED'
  | 'COLUMN_ADDED'
  | 'REQUIRED_COLUMN_ADDED'
  | 'COLUMN_REMOVED'
  | 'COLUMN_RENAMED'
  | 'COLUMN_TYPE_CHANGED'
  | 'COLUMN_BECAME_NULLABLE'
  | 'COLUMN_BECAME_NOT_NULL'
  | 'COLUMN_BECAME_REQUIRED'
  | 'COLUMN_BECAME_READ_ONLY'
  | 'COLUMN_BECAME_SEARCHABLE'
  | 'COLUMN_BECAME_UNSEARCHABLE'
  | 'RELATION_ADDED'
  | 'RELATION_REMOVED'
  | 'RELATION_CHANGED'
  | 'COMPUTED_FIELD_ADDED'
  | 'COMPUTED_FIELD_REMOVED'
  | 'COMPUTED_FIELD_CHANGED'
  | 'TYPE_RENAMED'
  | 'COMPUTED_FIELD_ARGUMENT_ADDED'
  | 'COMPUTED_FIELD_ARGUMENT_REQUIRED'
  | 'ENUM_VALUE_ADDED'
  | 'ENUM_VALUE_REMOVED'
  | 'ATTRIBUTE_ADDED'
  | 'ATTRIBUTE_REMOVED'
  | 'ATTRIBUTE_TYPE_CHANGED'
  | 'PROCEDURE_ADDED'
  | 'PROCEDURE_REMOVED'
  | 'PROCEDURE_CHANGED'
  | 'PROCEDURE_ARGUMENT_ADDED'
  | 'PROCEDURE_ARGUMENT_REQUIRED'
  | 'FUNCTION_ADDED'
  | 'FUNCTION_REMOVED'
  | 'FUNCTION_CHANGED'
  | 'FUNCTION_ARGUMENT_ADDED'
  | 'FUNCTION_ARGUMENT_REQUIRED';

/** The effect of a change of the model on clients of the API. */
export interface ApiChange {
  readonly type: ApiChangeType;
  /** Whether a request that worked may stop working, or answer what its client does not expect. */
  readonly breaking: boolean;
  readonly description: string;
  /** The object of the database that has changed. */
  readonly subject: ApiSubject;
}

/** An object of the database as clients see it. */
export interface ApiSubject {
  readonly kind: 'table' | 'column' | 'relation' | 'computed' | 'constraint' | 'enum' | 'composite' | 'procedure';
  /** `schema.name`; of a procedure, its GraphQL field. */
  readonly object: string;
  /**
   * The column, relation, computed field, unique key, enum value or attribute; absent for the
   * object as a whole.
   */
  readonly member?: string;
}
