import { GraphQLFloat, GraphQLInt, type GraphQLScalarType } from 'graphql';
import { Field, InputType, ObjectType, getMetadataStorage, registerEnumType } from 'type-graphql';
import type { TableDescriptor } from '../descriptor.js';
import * as scalars from '../scalars.js';
import { aggregateShape, type FieldShape, type TypeShape } from './aggregate-shape.js';

type Class = new () => object;

/** What a resolver of a `<f>Aggregate` field answers. */
export type Figures = Readonly<Record<string, unknown>>;

/** The TypeGraphQL types of a table's aggregates, to be named in `@Query(() => …)` and `@Field(() => …)`. */
export interface AggregateTypes {
  readonly Aggregate: Class;
  readonly Having: Class;
  /** The columns that `groupBy` and `distinctOn` may name. */
  readonly Column: Readonly<Record<string, string>>;
}

/**
 * Declares the types of a table's aggregates: they follow from its columns, so that no generated file has to spell them out.
 * Names are those of aggregate-shape.ts.
 */
export function aggregateTypes(table: TableDescriptor): AggregateTypes {
  const shape = aggregateShape(table);
  const classes = new Map(shape.types.map((type) => [type.name, declare(type)]));
  const Column = Object.fromEntries(shape.columns.map((name) => [name, name]));
  if (shape.columns.length > 0) {
    registerEnumType(Column, { name: `${table.type}Column`, description: `Columns of ${table.name}.` });
  }
  return {
    Aggregate: required(classes, `${table.type}Aggregate`),
    Having: required(classes, `${table.type}HavingInput`),
    Column,
  };

  function declare(type: TypeShape): Class {
    const target = { [type.name]: class {} }[type.name] ?? class {};
    for (const field of type.fields) {
      const named = (): object => classes.get(field.type) ?? typeNamed(field.type);
      Field(() => inLists(named(), field.depth), { nullable: nullability(field) })(target.prototype, field.name);
    }
    const { description } = type;
    if (type.kind === 'input') InputType(type.name, { description })(target);
    else ObjectType(type.name, { description, simpleResolvers: true })(target);
    return target;
  }
}

/** Arrays are how TypeGraphQL is told about lists. */
function inLists(type: object, depth: number): Class {
  const wrapped = depth === 0 ? type : [inLists(type, depth - 1)];
  // TypeGraphQL's own type of this value is recursive and unexported; classes, enums, scalars and arrays of them are what it takes.
  return wrapped as Class;
}

function nullability(field: FieldShape): boolean | 'items' | 'itemsAndList' {
  if (field.depth === 0 || !field.nullableItems) return field.nullable;
  return field.nullable ? 'itemsAndList' : 'items';
}

const builtins: ReadonlyMap<string, object> = new Map<string, object>([
  ['Int', GraphQLInt],
  ['Float', GraphQLFloat],
  ['String', String],
  ['Boolean', Boolean],
  ...Object.values(scalars).map((scalar: GraphQLScalarType): [string, object] => [scalar.name, scalar]),
]);

let index: { readonly size: number; readonly byName: ReadonlyMap<string, object> } | undefined;

/** A shared type by its GraphQL name: filter inputs, enums and ranges, declared by other modules before the schema is built. */
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

function required(classes: ReadonlyMap<string, Class>, name: string): Class {
  const found = classes.get(name);
  if (found === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
  return found;
}
