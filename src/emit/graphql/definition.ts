import type { FieldShape } from '../../../templates/runtime/schema/aggregate-shape.js';

/** GraphQL types as data: schema.graphql and the TypeGraphQL classes are two renderings of them, and so can't disagree. */
export type Definition = ClassDefinition | EnumDefinition | ScalarDefinition;

export interface ClassDefinition {
  /** `args`: the arguments of fields, which have a class and no type. */
  readonly kind: 'object' | 'input' | 'args';
  readonly name: string;
  readonly description: string;
  /** Arguments only: the class whose arguments come before these. */
  readonly extends?: string;
  readonly fields: readonly FieldDefinition[];
}

export interface FieldDefinition extends FieldShape {
  readonly description: string;
  /** The class of its arguments. */
  readonly arguments?: string;
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
  /** Arguments without a class of their own: those of `<f>ByPk` and of procedures. */
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
