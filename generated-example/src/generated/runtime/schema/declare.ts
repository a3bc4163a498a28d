import { GraphQLFloat, GraphQLInt, type GraphQLScalarType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { CountOrderByInput, OrderDirection, PageInfo, VectorInput } from '../graphql.js';
import * as scalars from '../scalars.js';
import type { FieldShape, TypeShape } from './type-shape.js';

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

/**
 * Gives a field of a class arguments. Methods of resolvers, whose own parameters come first, don't see them: what they answer is in the
 * database's answer already.
 */
export function declareArguments(prototype: object, property: string | symbol, shapes: readonly FieldShape[]): void {
  const storage = getMetadataStorage();
  for (const [at, shape] of shapes.entries()) {
    storage.collectHandlerParamMetadata({
      kind: 'arg',
      target: prototype.constructor,
      methodName: String(property),
      index: afterParameters + at,
      name: shape.name,
      description: undefined,
      deprecationReason: undefined,
      ...typeOf(shape),
      validateSettings: undefined,
      validateFn: undefined,
    });
  }
}

const afterParameters = 100;

// TypeGraphQL's decorators keep about a kilobyte per field. A server of a thousand tables has two hundred thousand fields of a few types, so
// theirs are put down in TypeGraphQL's own store directly, sharing what is the same.

type ClassMetadata = Parameters<ReturnType<typeof getMetadataStorage>['collectInputMetadata']>[0];
type FieldMetadata = NonNullable<ClassMetadata['fields']>[number];
type FieldType = Pick<FieldMetadata, 'getType' | 'typeOptions'>;

const none: never[] = [];
// Without a prototype, graphql-js takes it as it is instead of copying it for every field.
const noExtensions: Readonly<Record<string, never>> = Object.freeze(Object.create(null) as Record<string, never>);

function declare(shape: TypeShape): Class {
  const target = class {};
  const metadata = {
    name: shape.name,
    target,
    ...(shape.description === '' ? {} : { description: shape.description }),
    directives: none,
    extensions: noExtensions,
  };
  const fields = (): FieldMetadata[] => shape.fields().map((field) => fieldOf(target, field));
  const storage = getMetadataStorage();
  if (shape.kind === 'input') {
    storage.collectInputMetadata({
      ...metadata,
      // Made whenever TypeGraphQL looks at them, instead of being kept.
      get fields() {
        return fields();
      },
    });
  } else {
    let made: FieldMetadata[] | undefined;
    storage.collectObjectMetadata({
      ...metadata,
      interfaceClasses: undefined,
      simpleResolvers: true,
      // Custom resolvers add theirs.
      get fields() {
        return (made ??= fields());
      },
    });
  }
  return target;
}

function fieldOf(target: Class, field: FieldShape): FieldMetadata {
  return {
    target,
    name: field.name,
    schemaName: field.name,
    ...typeOf(field),
    description: undefined,
    deprecationReason: undefined,
    complexity: undefined,
    params: none,
    middlewares: none,
    directives: none,
    extensions: noExtensions,
  };
}

/** By name, then by how the type is wrapped. */
const types = new Map<string, FieldType[]>();

function typeOf({ type, depth, nullable, nullableItems }: FieldShape): FieldType {
  let known = types.get(type);
  if (known === undefined) types.set(type, (known = []));
  const items = depth > 0 && nullableItems;
  const at = depth * 4 + (nullable ? 2 : 0) + (items ? 1 : 0);
  return (known[at] ??= {
    getType: () => typeNamed(type),
    typeOptions: {
      ...(items ? { nullable: nullable ? 'itemsAndList' : 'items' } : nullable ? { nullable } : {}),
      ...(depth === 0 ? {} : { array: true, arrayDepth: depth }),
    },
  });
}

const builtins: ReadonlyMap<string, object> = new Map<string, object>([
  ['Int', GraphQLInt],
  ['Float', GraphQLFloat],
  ['String', String],
  ['Boolean', Boolean],
  ...Object.values(scalars).map((scalar: GraphQLScalarType): [string, object] => [scalar.name, scalar]),
  ...Object.entries({ CountOrderByInput, OrderDirection, PageInfo, VectorInput }),
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
