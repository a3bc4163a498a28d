import type { TableDescriptor } from '../../descriptor/descriptor.js';
import type { RootField } from '../descriptions.js';
import type { FieldShape } from '../type-shape.js';

/**
 * GraphQL types as data. Both schema.graphql and the served schema follow from it.
 */
export type Definition = ClassDefinition | EnumDefinition | ScalarDefinition;

export interface ClassDefinition {
  readonly kind: 'object' | 'input' | 'interface';
  readonly name: string;
  readonly description: string;
  readonly fields: readonly FieldDefinition[];
  /** The names of the interfaces that an object implements. Absent: none. */
  readonly interfaces?: readonly string[];
}

export interface FieldDefinition extends FieldShape {
  readonly description?: string;
  readonly arguments?: ArgumentsOf;
}

/** Arguments that follow from a table. */
export interface ArgumentsOf {
  readonly field: 'vectorList' | 'nested' | 'changes' | RootField;
  readonly table: TableDescriptor;
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

/**
 * A root field of Query, Mutation or Subscription, and the method of the resolver class that
 * resolves it.
 */
export interface QueryDefinition extends FieldDefinition {
  /** The arguments of a procedure or a function: the method of generated code takes them. */
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
