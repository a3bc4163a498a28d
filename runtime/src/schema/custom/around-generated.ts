import type { GraphQLFieldResolver } from 'graphql';
import { isObject } from '../../is-record.js';

type Resolver = GraphQLFieldResolver<unknown, unknown>;

/** What answers generated fields from the statement's data, by the context of the execution. */
const resolvers = new WeakMap<object, Resolver>();

/** Says what answers the generated fields of one execution. */
export function answerGenerated(context: object, resolver: Resolver): void {
  resolvers.set(context, resolver);
}

/**
 * The resolver of a generated field with the user's code around it. It returns the generated value,
 * unless this code refuses or returns another value. The user's code sees the decoded columns of
 * the row; the answer has the database's text, with every digit.
 */
export const aroundGenerated =
  (own: Resolver): Resolver =>
  async (source, args, context, info) => {
    const generated = isObject(context) ? resolvers.get(context) : undefined;
    const before = isObject(source) ? source[info.fieldName] : undefined;
    const answered: unknown = await own(source, args, context, info);
    if (generated === undefined || (answered !== undefined && answered !== before)) return answered;
    return generated(source, args, context, info);
  };
