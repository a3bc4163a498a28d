import type { TableModel } from '../../model/model.js';
import type { FieldShape } from '../../../templates/runtime/schema/type-shape.js';

/** GraphQL types as data: schema.graphql and the TypeGraphQL classes are two renderings of them, and so can't disagree. */
export type Definition = ClassDefinition | EnumDefinition | ScalarDefinition;

export interface ClassDefinition {
  readonly kind: 'object' | 'input';
  readonly name: string;
  readonly description: string;
  readonly fields: readonly FieldDefinition[];
}

export interface FieldDefinition extends FieldShape {
  readonly description?: string;
  readonly arguments?: ArgumentsOf;
}

/** Arguments that follow from a table: the runtime declares them by a decorator of this name. */
export interface ArgumentsOf {
  readonly decorator: `${
    'List' | 'Nested' | 'Connection' | 'Aggregate' | 'Create' | 'CreateMany' | 'Update' | 'Delete'}Arguments`;
  readonly table: TableModel;
}

export interface EnumDefinition {
  readonly kind: 'enum';
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
}

export interface ScalarDefinition {
  readonly kind: 'scalar';
  readonly name: string;
  readonly description: string;
  readonly specifiedBy?: string;
}

/** A root field of Query or Mutation, and the method of the resolver class that answers it. */
export interface QueryDefinition extends FieldDefinition {
  /** Arguments that are spelled out: those of `<f>ByPk` and of procedures. */
  readonly inline: readonly FieldDefinition[];
}

/** `T!` */
export function one(name: string, type: string, description = ''): FieldDefinition {
  return { name, type, depth: 0, nullable: false, nullableItems: false, description };
}

/** `T` */
export function maybe(name: string, type: string, description = ''): FieldDefinition {
  return { ...one(name, type, description), nullable: true };
}

/** `[T!]!` */
export function many(name: string, type: string, description = ''): FieldDefinition {
  return { ...one(name, type, description), depth: 1 };
}

/** `[T!]` */
export function maybeMany(name: string, type: string): FieldDefinition {
  return { ...maybe(name, type), depth: 1 };
}
