import {
  __Schema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';

/**
 * The types of a schema that makes types on first use. Its `getTypeMap` would make all of them at
 * once.
 */
interface LazyTypes {
  /** The types at the beginning of the list, before those of the roots. */
  readonly first: readonly GraphQLNamedType[];
  readonly names: () => readonly string[];
}

const lazyTypes = new WeakMap<GraphQLSchema, LazyTypes>();

/** Marks a schema that makes its types on first use. */
export function listLazily(schema: GraphQLSchema, types: LazyTypes): void {
  lazyTypes.set(schema, types);
}

/** The names of a schema's types. Makes no type. */
export const typeNames = (schema: GraphQLSchema): readonly string[] =>
  lazyTypes.get(schema)?.names() ?? Object.keys(schema.getTypeMap());

/**
 * Every type of a schema, in the order of graphql-js's `getTypeMap`. Yields often, so that the
 * server answers other requests meanwhile: making the 27,000 types of a thousand tables takes most
 * of a second.
 * Source: https://github.com/graphql/graphql-js/blob/16.x.x/src/type/schema.ts,
 * collectReferencedTypes
 */
export function* listTypes(schema: GraphQLSchema): Generator<undefined, readonly GraphQLNamedType[]> {
  const lazy = lazyTypes.get(schema);
  if (lazy === undefined) return Object.values(schema.getTypeMap());
  const found = new Set<GraphQLNamedType>();
  // A stack instead of recursion: relations may link tables in long chains.
  const stack: Iterator<GraphQLNamedType>[] = [startTypes(schema, lazy.first)];
  for (let at = stack.length; at > 0; at = stack.length) {
    const next = stack[at - 1]?.next();
    if (next === undefined || next.done === true) {
      stack.pop();
      continue;
    }
    const type = next.value;
    if (found.has(type)) continue;
    found.add(type);
    stack.push(referencedTypes(type));
    yield;
  }
  return [...found];
}

function* startTypes(schema: GraphQLSchema, first: readonly GraphQLNamedType[]): Generator<GraphQLNamedType, void> {
  yield* first;
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    if (root !== undefined && root !== null) yield root;
  for (const { args } of schema.getDirectives()) yield* namedTypes(args);
  yield __Schema;
}

/**
 * Yields each type before it makes the next one, so that a root with many fields does not block.
 */
function* referencedTypes(type: GraphQLNamedType): Generator<GraphQLNamedType, void> {
  if (isUnionType(type)) yield* type.getTypes();
  if (isInputObjectType(type)) yield* namedTypes(Object.values(type.getFields()));
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  yield* type.getInterfaces();
  for (const field of Object.values(type.getFields())) {
    yield getNamedType(field.type);
    yield* namedTypes(field.args);
  }
}

function* namedTypes(all: readonly { readonly type: GraphQLType }[]): Generator<GraphQLNamedType, void> {
  for (const { type } of all) yield getNamedType(type);
}
