import 'reflect-metadata';
import { validateSchema, type GraphQLSchema } from 'graphql';
import {
  GeneratingSchemaError,
  buildSchema,
  getMetadataStorage,
  type AuthChecker,
  type BuildSchemaOptions,
  type MiddlewareFn,
  type MiddlewareInterface,
  type NonEmptyArray,
} from 'type-graphql';
import { PageInfo, type Context } from './common-types.js';
import { completeSchema } from './complete-schema.js';
import { declareNamed } from './declare-named.js';
import type { NodeDescriptors } from './nodes.js';
import { findOwnParts, guardFields } from './find-own-parts.js';
import type { TableDescriptor } from '../descriptor/descriptor.js';
import type { ResolverClass } from '../descriptor/generated.js';

/** A function, or a class that TypeGraphQL makes an instance of. */
type GlobalMiddleware = MiddlewareFn<Context> | (new (...parameters: never[]) => MiddlewareInterface<Context>);

/** What of TypeGraphQL's own options a server passes on. */
export type ResolverOptions = Pick<BuildSchemaOptions, 'authMode' | 'pubSub'> & {
  /** Decides who may have the fields and root fields that `@Authorized()` stands on. */
  readonly authChecker?: AuthChecker<Context> | undefined;
  /** Wrapped around every root field, and around every field of the user's own. */
  readonly globalMiddlewares?: readonly GlobalMiddleware[] | undefined;
};

/** The user's resolver classes, and how resolvers are called. */
export interface OwnResolvers extends ResolverOptions {
  readonly resolvers?: readonly ResolverClass[] | undefined;
}

/**
 * The schema of generated and custom resolver classes, by TypeGraphQL, and of what follows from descriptors; undefined when there are no
 * resolvers, since GraphQL has no schema without a query. Inputs are not validated by decorators: the database and the filters know their
 * types.
 * @param checked whether to check the schema as a whole, which is worth its time outside production
 * @param changed the tables whose changes can be subscribed to: none without a change feed
 * @param nodes the descriptors, among them tables whose rows have a global identifier
 * @throws GeneratingSchemaError when that finds something wrong
 * @throws ServerError `misconfigured` for a type of the user's that is called like the interface of these rows
 */
export async function buildGraphqlSchema(
  generated: readonly ResolverClass[],
  checked: boolean,
  { resolvers: custom = [], authChecker, authMode, pubSub, globalMiddlewares = [] }: OwnResolvers = {},
  changed: readonly TableDescriptor[] = [],
  nodes: NodeDescriptors = { tables: [] },
): Promise<GraphQLSchema | undefined> {
  const [first, ...rest] = [...generated, ...custom];
  if (first === undefined) return undefined;
  const known = declareNamed();
  const guarded = guardFields();
  const built = await buildSchema({
    // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeGraphQL's own type for classes
    resolvers: [first, ...rest] as unknown as NonEmptyArray<Function>,
    // Only declared types lead to these, which TypeGraphQL does not see.
    orphanedTypes: [PageInfo, ...getMetadataStorage().inputTypes.map(({ target }) => target)],
    validate: false,
    disableInferringDefaultValues: true,
    skipCheck: true,
    globalMiddlewares: [...globalMiddlewares] as NonNullable<BuildSchemaOptions['globalMiddlewares']>,
    ...(authChecker === undefined ? {} : { authChecker: authChecker as AuthChecker }),
    ...(authMode === undefined ? {} : { authMode }),
    ...(pubSub === undefined ? {} : { pubSub }),
  });
  findOwnParts(built, { generated, custom, global: globalMiddlewares.length > 0 }, guarded);
  completeSchema(built, known, changed, nodes);
  if (checked) check(built);
  // Or graphql-js would check it before the first document.
  else built.__validationErrors = [];
  return built;
}

function check(schema: GraphQLSchema): void {
  const errors = validateSchema(schema);
  if (errors.length > 0) throw new GeneratingSchemaError(errors);
}
