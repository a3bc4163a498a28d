import type { GraphQLField } from 'graphql';

/**
 * The way in which the user's code takes part in a generated field: `around` it (a guard, a
 * middleware, a resolver method that calls the generated one), or `instead` of it (a field resolver
 * of the same name).
 */
export type CustomPart = 'around' | 'instead';

const parts = new WeakMap<object, CustomPart>();

/** Marks a field that runs the user's code. */
export function setCustomPart(field: object, part: CustomPart): void {
  parts.set(field, part);
}

/**
 * The way in which the user's code takes part in a field. Undefined: the field's answer is the
 * statement's JSON.
 */
export const customPart = (field: GraphQLField<unknown, unknown>): CustomPart | undefined => parts.get(field);
