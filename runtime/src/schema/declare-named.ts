import { GraphQLFloat, GraphQLInt, type GraphQLScalarType } from 'graphql';
import { getMetadataStorage, registerEnumType } from 'type-graphql';
import { CountOrderByInput, OrderDirection, VectorInput } from './common-types.js';
import * as scalars from './scalars.js';
import { classOf, declaredEnums, declaredName, declaredTypes, enumOf } from './declare.js';
import type { FieldShape, TypeShape } from './type-shape.js';

type Storage = ReturnType<typeof getMetadataStorage>;
type FieldMetadata = NonNullable<Storage['inputTypes'][number]['fields']>[number];

/** Names of the declared types that are registered with TypeGraphQL in full. */
const registered = new Set<string>();

/**
 * Registers declared inputs and enums with TypeGraphQL, if resolvers of the user's code name them
 * as arguments, as fields of inputs, or as base classes; also the types of their fields.
 * TypeGraphQL makes instances of their values, and needs their fields for this.
 * @returns the names of all types that TypeGraphQL knows in full
 */
export function declareNamed(): ReadonlySet<string> {
  const storage = getMetadataStorage();
  const waiting = namedIn(storage).flatMap((each) => declaredName(each) ?? []);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const shape = declaredTypes.get(name);
    if (registered.has(name) || shape?.kind === 'object') continue;
    registered.add(name);
    if (shape === undefined) registerEnum(name);
    else waiting.push(...registerInput(storage, shape));
  }
  return registered;
}

function namedIn({ params, fields, inputTypes, argumentTypes }: Storage): readonly unknown[] {
  const inputs = new Set([...inputTypes, ...argumentTypes].map(({ target }) => target));
  return [
    ...params.flatMap((param) => {
      const argument = param.kind === 'custom' ? param.options.arg : param;
      return argument?.kind === 'arg' ? [argument.getType()] : [];
    }),
    ...fields.filter(({ target }) => inputs.has(target)).map(({ getType }) => getType()),
    ...[...inputs].map((each): unknown => Object.getPrototypeOf(each)),
  ];
}

function registerEnum(name: string): void {
  registerEnumType(enumOf(name), { name, description: declaredEnums.get(name)?.description ?? '' });
}

/** Returns the names of the declared types of its fields. */
function registerInput(storage: Storage, { name, description, fields }: TypeShape): readonly string[] {
  const target = classOf(name);
  const shapes = fields();
  storage.collectInputMetadata({
    name,
    target,
    ...(description === '' ? {} : { description }),
    fields: shapes.map((shape) => fieldOf(target, shape)),
    directives: [],
    extensions: {},
  });
  return shapes.map(({ type }) => type).filter((type) => declaredTypes.has(type) || declaredEnums.has(type));
}

function fieldOf(
  target: FieldMetadata['target'],
  { name, type, depth, nullable, nullableItems, description }: FieldShape,
): FieldMetadata {
  const items = depth > 0 && nullableItems;
  return {
    target,
    name,
    schemaName: name,
    getType: () => typeNamed(type),
    typeOptions: {
      ...(items ? { nullable: nullable ? 'itemsAndList' : 'items' } : nullable ? { nullable } : {}),
      ...(depth === 0 ? {} : { array: true, arrayDepth: depth }),
    },
    description,
    deprecationReason: undefined,
    complexity: undefined,
    params: [],
    middlewares: [],
    directives: [],
    extensions: {},
  };
}

const builtins: ReadonlyMap<string, object> = new Map<string, object>([
  ['Int', GraphQLInt],
  ['Float', GraphQLFloat],
  ['String', String],
  ['Boolean', Boolean],
  ...Object.values(scalars).map((scalar: GraphQLScalarType): [string, object] => [scalar.name, scalar]),
  ...Object.entries({ CountOrderByInput, OrderDirection, VectorInput }),
]);

/** The type of an input's field by its GraphQL name, in the form that TypeGraphQL expects. */
function typeNamed(name: string): object {
  const builtin = builtins.get(name);
  if (builtin !== undefined) return builtin;
  if (declaredTypes.has(name)) return classOf(name);
  if (declaredEnums.has(name)) return enumOf(name);
  const { inputTypes, enums } = getMetadataStorage();
  const type =
    inputTypes.find((each) => each.name === name)?.target ?? enums.find((each) => each.name === name)?.enumObj;
  if (type === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
  return type;
}
