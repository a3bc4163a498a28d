import type { AuthChecker, BuildSchemaOptions, MiddlewareFn, MiddlewareInterface } from 'type-graphql';
import type { ResolverClass } from '../../descriptor/generated.js';
import type { Context } from '../common-types.js';

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
