import { isObjectType, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { ResolverClass } from '../descriptor/generated.js';
import { giveMiddleware, giveOwnPart, type OwnPart } from './own-part.js';

type Storage = ReturnType<typeof getMetadataStorage>;
type Field = Storage['fields'][number];
type Handler = Storage['queries'][number];

/** The resolver classes of a schema. */
export interface Resolvers {
  readonly generated: readonly ResolverClass[];
  readonly custom: readonly ResolverClass[];
  /** Whether every root field has a middleware. */
  readonly global: boolean;
}

/**
 * The fields of object types that have a guard or a middleware. TypeGraphQL does not call guards of
 * types with `simpleResolvers`, as generated types are: this makes an exception of these fields.
 * Call it before the schema is built.
 */
export function guardFields(): readonly Field[] {
  const { fields, objectTypes, authorizedFields, authorizedResolver, middlewares, resolverMiddlewares } =
    getMetadataStorage();
  const single = [...authorizedFields, ...middlewares];
  const whole = new Set<unknown>([...authorizedResolver, ...resolverMiddlewares].map(({ target }) => target));
  if (single.length === 0 && whole.size === 0) return [];
  const named = new Map<unknown, Set<string>>();
  for (const { target, fieldName } of single) {
    named.set(target, (named.get(target) ?? new Set<string>()).add(fieldName));
  }
  const types = new Set<unknown>(objectTypes.map(({ target }) => target));
  const guarded = fields.filter(
    ({ target, name }) => types.has(target) && (whole.has(target) || named.get(target)?.has(name) === true),
  );
  for (const field of guarded) field.simple = false;
  return guarded;
}

/** Marks the fields of a built schema that run the user's code. */
export function findOwnParts(schema: GraphQLSchema, resolvers: Resolvers, guarded: readonly Field[]): void {
  const storage = getMetadataStorage();
  const typeOf = (target: unknown): GraphQLObjectType | undefined => {
    const type = schema.getType(storage.objectTypes.find((each) => each.target === target)?.name ?? '');
    return isObjectType(type) ? type : undefined;
  };
  const give = (type: GraphQLObjectType | null | undefined, name: string, part: OwnPart | undefined): void => {
    const field = type?.getFields()[name];
    if (field?.resolve !== undefined && part !== undefined) giveOwnPart(field, part);
  };
  for (const { target, schemaName } of guarded) give(typeOf(target), schemaName, 'around');
  const custom = new Set<unknown>(resolvers.custom);
  for (const each of storage.fieldResolvers) {
    if (each.kind !== 'external' || !custom.has(each.target)) continue;
    give(typeOf(each.getObjectType?.()), each.schemaName, 'instead');
  }
  const giveRoot = (type: GraphQLObjectType | null | undefined, each: Handler): void => {
    const part = partOf(each, resolvers);
    const field = type?.getFields()[each.schemaName];
    if (part !== undefined) give(type, each.schemaName, part);
    else if (resolvers.global && field?.resolve !== undefined) giveMiddleware(field);
  };
  for (const each of storage.queries) giveRoot(schema.getQueryType(), each);
  for (const each of storage.mutations) giveRoot(schema.getMutationType(), each);
}

function partOf({ target, roles, middlewares = [] }: Handler, resolvers: Resolvers): OwnPart | undefined {
  const { generated, custom } = resolvers;
  if (custom.some((each) => each === target))
    return generated.some((each) => extendsClass(target, each)) ? 'around' : 'instead';
  // TypeGraphQL calls the inherited methods on an instance of the extending class.
  const isExtended = custom.some((each) => extendsClass(each, target));
  return isExtended || roles !== undefined || middlewares.length > 0 ? 'around' : undefined;
}

type Prototyped = Pick<Handler['target'], 'prototype'>;

const extendsClass = (one: Prototyped, other: Prototyped): boolean =>
  Object.prototype.isPrototypeOf.call(other.prototype as object, one.prototype as object);
