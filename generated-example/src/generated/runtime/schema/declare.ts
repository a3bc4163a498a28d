import { GraphQLFloat, GraphQLInt, type GraphQLScalarType } from 'graphql';
import { Field, InputType, ObjectType, getMetadataStorage } from 'type-graphql';
import * as scalars from '../scalars.js';
import type { FieldShape, TypeShape } from './aggregate-shape.js';

export type Class = new () => object;

/**
 * Declares types to TypeGraphQL, by name. Their fields may be of any type of the schema: it is looked up when the schema is built, and by
 * then every module has declared its own.
 */
export function declareTypes(types: readonly TypeShape[]): ReadonlyMap<string, Class> {
  return new Map(types.map((type) => [type.name, declare(type)]));
}

/** One of the types just declared. Throws TypeError when it is not among them. */
export function declared(classes: ReadonlyMap<string, Class>, name: string): Class {
  const found = classes.get(name);
  if (found === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
  return found;
}

function declare({ kind, name, description, fields }: TypeShape): Class {
  const target = class {};
  for (const field of fields) Field(thunkOf(field), optionsOf(field))(target.prototype, field.name);
  if (kind === 'input') InputType(name, { description })(target);
  else ObjectType(name, { description, simpleResolvers: true })(target);
  return target;
}

// A server of a thousand tables has more than a hundred thousand fields of a few types: what can be shared between them is.
const thunks = new Map<string, () => Class>();

function thunkOf({ type, depth }: FieldShape): () => Class {
  const key = `${'['.repeat(depth)}${type}`;
  const known = thunks.get(key);
  if (known !== undefined) return known;
  const thunk = (): Class => inLists(typeNamed(type), depth);
  thunks.set(key, thunk);
  return thunk;
}

const required = {};
const nullable = { nullable: true } as const;
const nullableItems = { nullable: 'items' } as const;
const nullableBoth = { nullable: 'itemsAndList' } as const;

function optionsOf(field: FieldShape) {
  if (field.depth > 0 && field.nullableItems) return field.nullable ? nullableBoth : nullableItems;
  return field.nullable ? nullable : required;
}

/** Arrays are how TypeGraphQL is told about lists. */
function inLists(type: object, depth: number): Class {
  const wrapped = depth === 0 ? type : [inLists(type, depth - 1)];
  // TypeGraphQL's own type of this value is recursive and unexported; classes, enums, scalars and arrays of them are what it takes.
  return wrapped as Class;
}

const builtins: ReadonlyMap<string, object> = new Map<string, object>([
  ['Int', GraphQLInt],
  ['Float', GraphQLFloat],
  ['String', String],
  ['Boolean', Boolean],
  ...Object.values(scalars).map((scalar: GraphQLScalarType): [string, object] => [scalar.name, scalar]),
]);

let index: { readonly size: number; readonly byName: ReadonlyMap<string, object> } | undefined;

/** A type by its GraphQL name, of this module or another, declared before the schema is built. */
function typeNamed(name: string): object {
  const builtin = builtins.get(name);
  if (builtin !== undefined) return builtin;
  const { inputTypes, objectTypes, enums } = getMetadataStorage();
  const size = inputTypes.length + objectTypes.length + enums.length;
  if (index?.size !== size) {
    const classes = [...inputTypes, ...objectTypes].map((type): [string, object] => [type.name, type.target]);
    index = {
      size,
      byName: new Map([...classes, ...enums.map((each): [string, object] => [each.name, each.enumObj])]),
    };
  }
  const type = index.byName.get(name);
  if (type === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
  return type;
}
