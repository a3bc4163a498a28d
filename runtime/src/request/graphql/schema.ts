import { getNamedType, isObjectType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import type { Registry } from '../../descriptor/registry.js';
import { isMadeLater } from '../../schema/declare.js';
import { generatedFields } from '../../schema/generated-fields.js';
import { isReady } from '../../schema/live/ready.js';
import { ownPart } from '../../schema/own-part.js';
import { aroundGenerated } from './arguments/generated-value.js';
import { mutationOperations } from './mutation/mutation.js';
import { rootOperations } from './query/root.js';

/**
 * Prepares the schema that TypeGraphQL built for serving, in place and once, at start: generated
 * fields lose their resolvers, because the statement's data has their answers, under the response
 * key. Fields that run the user's code keep their resolvers.
 */
export function prepareSchema(schema: GraphQLSchema, registry: Registry): GraphQLSchema {
  if (isReady(schema)) return schema;
  const roots = rootOperations(registry);
  const writes = mutationOperations(registry);
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const generated = [
    ...queries.filter(({ name }) => roots.has(name)),
    ...mutations.filter(({ name }) => writes.has(name)),
  ].filter((field) => ownPart(field) !== 'instead');
  releaseBelow(generated, registry);
  return schema;
}

/**
 * Takes the resolvers from the generated fields of every type below these fields. A loop, since
 * tables may be linked in long chains. A type that TypeGraphQL has not been told of has no
 * resolvers, and leads to no type that a table's own root fields don't.
 */
function releaseBelow(fields: readonly GraphQLField<unknown, unknown>[], registry: Registry): void {
  const found = new Set<GraphQLObjectType>();
  const find = (field: GraphQLField<unknown, unknown>): void => {
    const type = getNamedType(field.type);
    if (isObjectType(type) && !isMadeLater(type.name)) found.add(type);
  };
  fields.forEach(find);
  // Iteration of a Set includes items that are added meanwhile.
  for (const type of found) {
    const names = generatedFields(type.name, registry);
    for (const field of Object.values(type.getFields())) {
      if ((names !== undefined && !names.has(field.name)) || ownPart(field) === 'instead') continue;
      // Not deleted: that would turn every field into a slow, large dictionary.
      const resolve = resolverOf(field);
      if (field.resolve !== resolve) Object.assign(field, { resolve });
      find(field);
    }
  }
}

/** The resolver that a generated field keeps: the user's code around it. */
const resolverOf = (field: GraphQLField<unknown, unknown>): GraphQLField<unknown, unknown>['resolve'] =>
  ownPart(field) === undefined || field.resolve === undefined ? undefined : aroundGenerated(field.resolve);
