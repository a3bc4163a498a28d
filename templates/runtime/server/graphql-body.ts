import type { IncomingMessage } from 'node:http';
import { parse as parseLossless } from 'lossless-json';
import { ServerError, codes } from '../errors.js';
import { exactNumber, mayLoseDigits } from '../exact-number.js';
import type { GraphqlRequest } from '../request/graphql/compile.js';
import { readBody } from './body.js';

/**
 * The request in the body of a POST. https://graphql.github.io/graphql-over-http/draft/#sec-POST
 * Throws ServerError: 415 for another media type, 413 for too many bytes, 400 for what is no GraphQL request, batches
 * among it.
 */
export async function readGraphqlRequest(request: IncomingMessage, mostBytes: number): Promise<GraphqlRequest> {
  checkContentType(request.headers['content-type']);
  const text = (await readBody(request, mostBytes)).toString('utf8');
  const body = parseBody(text, JSON.parse);
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') throw malformed('`query` has to be a string.');
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    throw malformed('`operationName` has to be a string.');
  }
  if (!isAbsent(variables) && !isRecord(variables)) throw malformed('`variables` has to be an object.');
  if (!isAbsent(extensions) && !isRecord(extensions)) throw malformed('`extensions` has to be an object.');
  if (!isRecord(variables)) return { query, ...(isAbsent(operationName) ? {} : { operationName }) };
  return {
    query,
    variables,
    exactVariables: () => exactVariables(text, variables),
    ...(isAbsent(operationName) ? {} : { operationName }),
  };
}

function checkContentType(contentType: string | undefined): void {
  if (contentType === 'application/json') return;
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (type === 'application/json' && (charset === undefined || /^"?utf-?8"?$/.test(charset))) return;
  throw new ServerError(415, codes.malformedBody, 'The body has to be JSON in UTF-8.', {
    hint: 'Send the header Content-Type: application/json.',
  });
}

function parseBody(text: string, parse: (text: string) => unknown): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = parse(text);
  } catch {
    throw malformed('The body is not JSON.');
  }
  if (Array.isArray(body)) throw malformed('Batches are not answered: one request has one document.');
  if (!isRecord(body)) throw malformed('The body has to be an object with a `query`.');
  return body;
}

/**
 * The variables once more, numbers that JavaScript would round as ExactNumber. Only for operations with variables that
 * keep them.
 */
function exactVariables(text: string, rounded: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!mayLoseDigits(text)) return rounded;
  const { variables } = parseBody(text, (json) => parseLossless(json, undefined, exactNumber));
  return isRecord(variables) ? variables : rounded;
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformed = (message: string): ServerError =>
  new ServerError(400, codes.malformedBody, message, { hint: 'Send {"query": "…", "variables": {…}} as JSON.' });
