import type { GraphQLSchema } from 'graphql';
import type { GeneratedServer } from '../descriptor/generated.js';
import { createRegistry } from '../descriptor/registry.js';
import { operators } from '../plan/operators.js';
import { buildTypes } from '../schema/build.js';
import { customSchema } from '../schema/custom/custom-schema.js';
import type { CustomResolvers } from '../schema/custom/resolvers.js';
import { sourceOfDescriptors } from '../schema/definitions/source.js';
import { inSlices } from '../slices.js';

/**
 * The checked GraphQL schema of generated code and the user's, without a database. Undefined if
 * there is no query.
 * @throws GeneratingSchemaError if the check finds an error
 * @throws ServerError `misconfigured` for code of the user's that the generated code does not fit
 */
export async function buildGraphqlSchema(
  { descriptors, resolvers }: Pick<GeneratedServer, 'descriptors' | 'resolvers'>,
  custom: CustomResolvers = {},
): Promise<GraphQLSchema | undefined> {
  const all = new Set(operators.map(({ id }) => id));
  const types = await inSlices(buildTypes(sourceOfDescriptors(descriptors, all)), undefined);
  return (await customSchema(types, createRegistry(descriptors), resolvers, custom, true)).schema;
}
