import 'reflect-metadata';
import { validateSchema, type GraphQLSchema } from 'graphql';
import { GeneratingSchemaError, buildSchema, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import { PageInfo } from '../graphql.js';
import { completeSchema } from '../schema/complete-schema.js';
import { declareNamed } from '../schema/declare-named.js';
import type { ResolverClass } from './generated.js';

/**
 * The schema of generated and custom resolver classes, by TypeGraphQL, and of what follows from descriptors; undefined when there are no
 * resolvers, since GraphQL has no schema without a query. Inputs are not validated by decorators: the database and the filters know their
 * types.
 * @param checked whether to check the schema as a whole, which is worth its time outside production
 * @throws GeneratingSchemaError when that finds something wrong
 */
export async function buildGraphqlSchema(
  resolvers: readonly ResolverClass[],
  checked: boolean,
): Promise<GraphQLSchema | undefined> {
  const [first, ...rest] = resolvers;
  if (first === undefined) return undefined;
  const known = declareNamed();
  const built = await buildSchema({
    // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeGraphQL's own type for classes
    resolvers: [first, ...rest] as unknown as NonEmptyArray<Function>,
    // Only declared types lead to these, which TypeGraphQL does not see.
    orphanedTypes: [PageInfo, ...getMetadataStorage().inputTypes.map(({ target }) => target)],
    validate: false,
    disableInferringDefaultValues: true,
    skipCheck: true,
  });
  completeSchema(built, known);
  if (checked) check(built);
  // Or graphql-js would check it before the first document.
  else built.__validationErrors = [];
  return built;
}

function check(schema: GraphQLSchema): void {
  const errors = validateSchema(schema);
  if (errors.length > 0) throw new GeneratingSchemaError(errors);
}
