import { scalarNames } from '../schema/graphql-type.js';

/**
 * GraphQL type names, and with them class names of generated files, that no table may take.
 * @param vocabulary what generated descriptors are written with
 */
export const reservedTypes = (vocabulary: readonly string[]): ReadonlySet<string> =>
  new Set([...vocabulary, ...always]);

const always: readonly string[] = [
  'Query',
  'Mutation',
  'Subscription',
  'ID',
  'PageInfo',
  'OrderDirection',
  'ChangeOperation',
  'CountOrderByInput',
  'Procedures',
  'ProceduresResolver',
  'FunctionsResolver',
  'VectorInput',
  'TextSearch',
  ...scalarNames.flatMap((name) => [name, ...derivedOf(name)]),
  ...['Json', 'Other'].flatMap(derivedOf),
  // What generated files import, and the globals they use.
  'tw',
  'aggregateTypes',
  'createTypes',
  'readTypes',
  'updateTypes',
  'Arg',
  'AggregateArguments',
  'Connection',
  'ConnectionArguments',
  'Context',
  'CreateArguments',
  'CreateManyArguments',
  'Ctx',
  'DeleteArguments',
  'Field',
  'FieldInfo',
  'AggregateResult',
  'Info',
  'InputType',
  'ListArguments',
  'NestedArguments',
  'ObjectType',
  'Resolver',
  'TableDescriptor',
  'TableRoutes',
  'UpdateArguments',
  'EnumDescriptor',
  'CompositeDescriptor',
  'ProcedureDescriptor',
  // What database.ts declares.
  'ArrayType',
  'ArrayTypeImpl',
  'Circle',
  'ColumnType',
  'Database',
  'Generated',
  'GeneratedAlways',
  'Int8',
  'Json',
  'JsonArray',
  'JsonObject',
  'JsonPrimitive',
  'JsonValue',
  'Point',
  'Timestamp',
  'Array',
  'Buffer',
  'Error',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
  'Set',
  'String',
  'Symbol',
];

/** The shared types that may be made of a type: its range, and the filter inputs of both and of their arrays. */
export function derivedOf(name: string): readonly string[] {
  return [
    `${name}FilterInput`,
    `${name}ArrayFilterInput`,
    `${name}Range`,
    `${name}RangeInput`,
    `${name}RangeFilterInput`,
    `${name}RangeArrayFilterInput`,
  ];
}
