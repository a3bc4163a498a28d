import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchema, type NonEmptyArray } from 'type-graphql';
import { describeInputs } from '../schema/describe-inputs.js';
import type { ResolverClass } from './generated.js';

/**
 * The schema of generated and custom resolver classes, by TypeGraphQL; undefined when there are none, since GraphQL has
 * no schema without a query. Inputs are not validated by decorators: the database and the filters know their types.
 * @param checked whether to have graphql-js check the schema as a whole, which is worth its time outside production
 */
export async function buildGraphqlSchema(
  resolvers: readonly ResolverClass[],
  checked: boolean,
): Promise<GraphQLSchema | undefined> {
  const [first, ...rest] = resolvers;
  if (first === undefined) return undefined;
  const schema = await buildSchema({
    // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeGraphQL's own type for classes
    resolvers: [first, ...rest] as unknown as NonEmptyArray<Function>,
    validate: false,
    disableInferringDefaultValues: true,
    skipCheck: !checked,
  });
  describeInputs(schema);
  return schema;
}
