import type { AuthChecker, BuildSchemaOptions, MiddlewareFn, MiddlewareInterface } from 'type-graphql';
import type { ResolverClass } from '../../descriptor/generated.js';

/** A function, or a class that TypeGraphQL makes an instance of. */
type GlobalMiddleware<Context extends object> =
  MiddlewareFn<Context> | (new (...parameters: never[]) => MiddlewareInterface<Context>);

/** The options of TypeGraphQL that a server passes on. */
export type ResolverOptions<Context extends object> = Pick<BuildSchemaOptions, 'authMode' | 'pubSub'> & {
  /** Decides access to the fields and root fields with `@Authorized()`. */
  readonly authChecker?: AuthChecker<Context> | undefined;
  /** Middleware around every root field, and around every field of the user's code. */
  readonly globalMiddlewares?: readonly GlobalMiddleware<Context>[] | undefined;
};

/** The user's resolver classes, and how resolvers are called. */
export interface CustomResolvers extends ResolverOptions<never> {
  readonly resolvers?: readonly ResolverClass[] | undefined;
}
