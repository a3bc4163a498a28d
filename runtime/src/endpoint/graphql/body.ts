import { isRecord } from '../../is-record.js';
import type { IncomingMessage } from 'node:http';
import { ServerError, codes } from '../../errors.js';
import { mayLoseDigits, parseExact } from '../../exact-number.js';
import type { GraphqlParams } from './documents.js';
import { readBody } from '../../http/body.js';
import { halfOfPair, hasWellFormedTexts } from '../../well-formed.js';

/**
 * The request in the body of a POST: https://graphql.github.io/graphql-over-http/draft/#sec-POST
 * Throws ServerError: 415 for another media type, 413 for too many bytes, 400 for a body that is
 * not a GraphQL request, which includes batches.
 */
export async function readGraphqlRequest(request: IncomingMessage, mostBytes: number): Promise<GraphqlParams> {
  checkContentType(request.headers['content-type']);
  const text = decode(await readBody(request, mostBytes));
  return graphqlParamsOf(parseBody(text, JSON.parse), text, (exact) => exact['variables']);
}

/**
 * The request in an object of JSON.
 * @param text the JSON that the object was in
 * @param find the variables in that JSON as a whole, parsed once more with every digit
 * Throws ServerError 400 for an invalid GraphQL request.
 */
export function graphqlParamsOf(
  body: Readonly<Record<string, unknown>>,
  text: string,
  find: (exact: Readonly<Record<string, unknown>>) => unknown,
): GraphqlParams {
  const { query, operationName, variables, extensions } = body;
  const documentId = documentIdOf(body);
  if (typeof query !== 'string' && !(isAbsent(query) && documentId !== undefined))
    throw malformed('`query` has to be a string.');
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    throw malformed('`operationName` has to be a string.');
  }
  if (!isAbsent(variables) && !isRecord(variables)) throw malformed('`variables` has to be an object.');
  if (!hasWellFormedTexts(text)) {
    throw new ServerError(400, codes.malformedBody, halfOfPair.message, { hint: halfOfPair.hint });
  }
  if (!isAbsent(extensions) && !isRecord(extensions)) throw malformed('`extensions` has to be an object.');
  return {
    query: query ?? undefined,
    documentId,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
    exactVariables: isAbsent(variables) ? undefined : () => exactVariables(text, variables, find),
  };
}

/**
 * What identifies the document, where the request says it: the appendix on persisted documents, or
 * Apollo's extension.
 */
function documentIdOf({ documentId, extensions }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isAbsent(documentId)) {
    if (typeof documentId !== 'string') throw malformed('`documentId` has to be a string.');
    return documentId.replace(/^sha256:/, '');
  }
  const persisted = isRecord(extensions) ? extensions['persistedQuery'] : undefined;
  if (isAbsent(persisted)) return undefined;
  if (!isRecord(persisted) || persisted['version'] !== 1 || typeof persisted['sha256Hash'] !== 'string')
    throw malformed('`extensions.persistedQuery` has to be {"version": 1, "sha256Hash": "…"}.');
  return persisted['sha256Hash'].toLowerCase();
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes that are no UTF-8 would become another text. */
function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw malformed('The body is not UTF-8.');
  }
}

function parseBody(text: string, parse: (text: string) => unknown): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = parse(text);
  } catch {
    throw malformed('The body is not JSON.');
  }
  if (Array.isArray(body)) throw malformed('Batches are not supported: one request has one document.');
  if (!isRecord(body)) throw malformed('The body has to be an object with a `query`.');
  return body;
}

/**
 * The variables once more, numbers that JavaScript would round as ExactNumber. Only for operations
 * with variables that keep them.
 */
function exactVariables(
  text: string,
  rounded: Readonly<Record<string, unknown>>,
  find: (exact: Readonly<Record<string, unknown>>) => unknown,
): Readonly<Record<string, unknown>> {
  if (!mayLoseDigits(text)) return rounded;
  const variables = find(parseBody(text, parseExact));
  return isRecord(variables) ? variables : rounded;
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

const malformed = (message: string): ServerError =>
  new ServerError(400, codes.malformedBody, message, { hint: 'Send {"query": "…", "variables": {…}} as JSON.' });
