import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ServerError, codes } from '../errors.js';
import { toServerError } from './server-error.js';

/**
 * An error as a client may see it: message, `locations` and `path` where it has them,
 * `extensions.code`, and a hint. Errors of the database and defects say no more than toServerError
 * lets them. Source: https://spec.graphql.org/October2021/#sec-Errors; decisions 007 and 008.
 */
export function formatError(error: unknown): GraphQLFormattedError {
  if (!(error instanceof GraphQLError)) return formatServerError(toServerError(error));
  const { originalError } = error;
  if (originalError === undefined || originalError instanceof GraphQLError) return visible(error);
  const { message, extensions } = formatServerError(toServerError(originalError));
  return { ...error.toJSON(), message, extensions: extensions ?? {} };
}

/** What stands behind an error of graphql-js: for the log, and for the status. */
export function serverErrorOf(error: unknown): ServerError | undefined {
  if (!(error instanceof GraphQLError)) return toServerError(error);
  const { originalError } = error;
  return originalError === undefined || originalError instanceof GraphQLError
    ? undefined
    : toServerError(originalError);
}

function visible(error: GraphQLError): GraphQLFormattedError {
  const { extensions, ...rest } = error.toJSON();
  return { ...rest, extensions: { code: 'BAD_REQUEST', ...extensions } };
}

function formatServerError(error: ServerError): GraphQLFormattedError {
  const extensions = {
    code: codeOf(error),
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
  return { message: error.message, extensions };
}

/**
 * A policy that rejects a row, like any missing right, is FORBIDDEN, be it for a read or a write:
 * decision 007.
 */
function codeOf({ code, kind }: ServerError): string {
  if (code === codes.invalidToken) return 'UNAUTHENTICATED';
  return kind === 'denied' ? 'FORBIDDEN' : code;
}
