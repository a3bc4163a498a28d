import type { GraphQLField } from 'graphql';

/**
 * The part that code of the user's has in a generated field: `around` it (a guard, a middleware, a resolver method that calls the generated one), or
 * `instead` of it (a field resolver of the same name).
 */
export type OwnPart = 'around' | 'instead';

const parts = new WeakMap<object, OwnPart>();
const middlewareOnly = new WeakSet<object>();

/** Says that code of the user's has a part in a field. */
export function giveOwnPart(field: object, part: OwnPart): void {
  parts.set(field, part);
}

/** Says that a field's own part is the middleware that stands around every root field, and nothing else. */
export function giveMiddleware(field: object): void {
  parts.set(field, 'around');
  middlewareOnly.add(field);
}

/** Whether `giveMiddleware` was told of the field. */
export const hasMiddlewareOnly = (field: object): boolean => middlewareOnly.has(field);

/** Undefined: the statement's JSON is the field's answer. */
export const ownPart = (field: GraphQLField<unknown, unknown>): OwnPart | undefined => parts.get(field);
