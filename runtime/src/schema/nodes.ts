import {
  isInterfaceType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { ColumnType, TableDescriptor } from '../descriptor/descriptor.js';
import { rootFields } from '../descriptor/names.js';
import { isNode, nodeColumns, nodeFields, nodeType, readNodeId, type NodeKey } from '../descriptor/node-id.js';
import { createRegistry, fieldOf, type Descriptors, type Registry } from '../descriptor/registry.js';
import { misconfigured } from '../errors.js';
import type { CompleteTypes } from './complete-types.js';
import { itemKey, nodeArguments, nodeRoots } from './node-shape.js';

type Resolve = GraphQLFieldResolver<unknown, unknown>;
type NodeField = (typeof nodeFields)[keyof typeof nodeFields];

/** The fields that `addNodeFields` has made. */
const made = new WeakSet<object>();

/** Whether a field finds rows by global identifiers: such a field calls other root fields. */
export const isNodeField = (field: object): boolean => made.has(field);

/**
 * Adds `node` and `nodes` to Query, if rows of these tables have a global identifier. graphql-js
 * calls their resolvers only for a document that runs the user's code.
 */
export function addNodeFields(query: GraphQLObjectType, types: CompleteTypes, descriptors: NodeDescriptors): void {
  const node = types.find(nodeType);
  if (!isInterfaceType(node)) return;
  types.fill(query, nodeRoots());
  const give = (name: NodeField, resolve: Resolve): void => {
    const field = query.getFields()[name];
    if (field === undefined) return;
    Object.assign(field, { resolve });
    made.add(field);
  };
  const registry = lazily(() => createRegistry(descriptors));
  give(nodeFields.one, (source, given, context, info) =>
    rowOf(registry(), argumentIn(given, nodeArguments.one), String(info.path.key), [source, context, info]),
  );
  give(nodeFields.many, (source, given, context, info) => {
    const ids = argumentIn(given, nodeArguments.many);
    return (Array.isArray(ids) ? (ids as readonly unknown[]) : []).map((id, at) =>
      rowOf(registry(), id, itemKey(String(info.path.key), at), [source, context, info]),
    );
  });
  node.resolveType = (row: unknown) => (typeof row === 'object' && row !== null ? typesOfRows.get(row) : undefined);
}

/** The descriptors that identifiers depend on. */
export type NodeDescriptors = Pick<Descriptors, 'tables' | 'enums'>;

/** The types of the rows that `node` and `nodes` have answered. */
const typesOfRows = new WeakMap<object, string>();

type Asked = readonly [source: unknown, context: unknown, info: GraphQLResolveInfo];

/**
 * Finds the row of an identifier through `<f>ByPk`, so that the guards and middleware of that field
 * apply, or the resolver of the user's code in its place.
 * @param key the response key of the row in the statement's data
 */
async function rowOf(registry: Registry, id: unknown, key: string, [source, context, info]: Asked): Promise<unknown> {
  const node = readNodeId(registry, id);
  const byKey = node === undefined ? undefined : byKeyField(info.schema, node);
  if (node === undefined || byKey?.resolve === undefined) return null;
  const row: unknown = await byKey.resolve(source, keyArguments(registry, node), context, {
    ...info,
    fieldName: byKey.name,
    returnType: byKey.type,
    path: { prev: undefined, key, typename: info.parentType.name },
  });
  if (typeof row === 'object' && row !== null) typesOfRows.set(row, node.table.type);
  return row;
}

/** Undefined for a table that is not served. */
const byKeyField = (schema: GraphQLSchema, { table }: NodeKey): GraphQLField<unknown, unknown> | undefined =>
  schema.getQueryType()?.getFields()[rootFields(table).byPk];

/** The arguments of `<f>ByPk`, in the form of a client's arguments. */
const keyArguments = ({ enums }: Registry, { table, keys }: NodeKey): Record<string, unknown> =>
  Object.fromEntries(nodeColumns(table).map((column, at) => [fieldOf(column), given(column.type, keys[at], enums)]));

function given({ kind, enum: type = '' }: ColumnType, key: string | undefined, enums: Registry['enums']): unknown {
  switch (kind) {
    case 'int':
    case 'float':
      return Number(key);
    case 'boolean':
      return key === 'true' || key === '1';
    case 'enum':
      return enums.get(type)?.values.find(({ label }) => label === key)?.name ?? key;
    default:
      return key;
  }
}

const argumentIn = (given: unknown, name: string): unknown => (given as Readonly<Record<string, unknown>>)[name];

/**
 * Refuses a type of the user's with the interface's name: it would replace the interface, and the
 * server could not find a row by its identifier.
 * @param own the types that TypeGraphQL has built
 * @throws ServerError `misconfigured`
 */
export function refuseCustomNode(own: readonly GraphQLNamedType[], tables: readonly TableDescriptor[]): void {
  if (!tables.some(isNode) || own.every(({ name }) => name !== nodeType)) return;
  throw misconfigured(
    `Your code has a GraphQL type called ${nodeType}, the name of the interface of rows with a global identifier.`,
    `Give your type another name, or leave \`relay\` out of the configuration and generate again.`,
  );
}

function lazily<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => (value ??= { made: make() }).made;
}
