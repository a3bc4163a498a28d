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

/** The options of TypeGraphQL that a server passes on. */
export type ResolverOptions = Pick<BuildSchemaOptions, 'authMode' | 'pubSub'> & {
  /** Decides access to the fields and root fields with `@Authorized()`. */
  readonly authChecker?: AuthChecker<Context> | undefined;
  /** Middleware around every root field, and around every field of the user's code. */
  readonly globalMiddlewares?: readonly GlobalMiddleware[] | undefined;
};

/** The user's resolver classes, and how resolvers are called. */
export interface OwnResolvers extends ResolverOptions {
  readonly resolvers?: readonly ResolverClass[] | undefined;
}

/**
 * Builds the schema of generated and custom resolver classes, with TypeGraphQL, and completes it
 * from the descriptors. Undefined if there are no resolvers, because GraphQL requires a query.
 * Decorators do not validate inputs: the filters and the database check the types.
 * @param checked whether to check the whole schema, which takes time, so that production skips it
 * @param changed the tables with subscriptions: none without a change feed
 * @param nodes the descriptors, among them tables whose rows have a global identifier
 * @throws GeneratingSchemaError if the check finds an error
 * @throws ServerError `misconfigured` for a type of the user's with the name of that interface
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
    // TypeGraphQL does not find these types, because only declared types refer to them.
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
  // Without this, graphql-js checks the schema before the first document.
  else built.__validationErrors = [];
  return built;
}

function check(schema: GraphQLSchema): void {
  const errors = validateSchema(schema);
  if (errors.length > 0) throw new GeneratingSchemaError(errors);
}
