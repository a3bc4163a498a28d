import type { GraphQLError } from 'graphql';
import type { Settings } from '../../../settings/settings.js';
import { revised } from '../arguments/graphql-error.js';

/**
 * graphql-js's errors as a client may see them: without introspection, "Did you mean" would give
 * the schema away name by name.
 * Source: https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html, "Introspection +
 * GraphiQL".
 */
export function withoutSuggestions(errors: readonly GraphQLError[], settings: Settings): readonly GraphQLError[] {
  return settings['app.graphql.introspection'] ? errors : errors.map(withoutSuggestion);
}

/**
 * In graphql-js a suggestion is the end of a message:
 * https://github.com/graphql/graphql-js/blob/16.x.x/src/jsutils/didYouMean.ts
 */
const withoutSuggestion = (error: GraphQLError): GraphQLError =>
  revised(error, { message: error.message.replace(/ ?Did you mean .*\?/s, '') });
