import { nodeFields, nodeType } from '../descriptor/node-id.js';
import type { ModelOptions } from '../descriptor/options.js';
import { scalarNames } from '../schema/graphql-type.js';

/**
 * GraphQL type names, and with them class names of generated files, that no table may take.
 * @param vocabulary what generated descriptors are written with
 */
export const reservedTypes = (vocabulary: readonly string[], options: ModelOptions): ReadonlySet<string> =>
  new Set([...vocabulary, ...always, ...relayNames(options).types]);

/**
 * Root fields are methods of generated classes, which cannot have these beside what every object
 * has.
 */
export const reservedFields: readonly string[] = [
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
];

/** Names that Relay's object identification takes, where `relay` is configured. */
export const relayNames = ({
  relay,
}: ModelOptions): { readonly types: readonly string[]; readonly fields: readonly string[] } =>
  relay === undefined ? { types: [], fields: [] } : { types: [nodeType], fields: Object.values(nodeFields) };

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
  'FunctionDescriptor',
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
  'Record',
  'Set',
  'String',
  'Symbol',
];

/**
 * The shared types that may be made of a type: its range, and the filter inputs of both and of
 * their arrays.
 */
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
