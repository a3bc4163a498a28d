import { scalarNames } from '../../templates/runtime/schema/graphql-type.js';

/** GraphQL type names, and with them class names of generated files, that no table may take. */
export const reservedTypes: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'ID',
  'PageInfo',
  'OrderDirection',
  'CountOrderByInput',
  'VectorInput',
  'TextSearch',
  ...scalarNames.flatMap((name) => [name, ...derivedOf(name)]),
  ...['Json', 'Other'].flatMap(derivedOf),
  // What generated files import, and the globals they use.
  'Arg',
  'Args',
  'ArgsType',
  'Arguments',
  'ColumnList',
  'Context',
  'Ctx',
  'Field',
  'Info',
  'InputType',
  'ObjectType',
  'Resolver',
  'TableDescriptor',
  'TableRoutes',
  'EnumDescriptor',
  'CompositeDescriptor',
  'ProcedureDescriptor',
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
]);

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
