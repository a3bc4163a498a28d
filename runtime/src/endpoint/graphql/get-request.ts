import type { IncomingMessage } from 'node:http';
import { ServerError, codes } from '../../errors.js';
import { graphqlParamsOf } from './body.js';
import type { GraphqlParams } from './documents.js';

const names = ['query', 'operationName', 'variables', 'extensions', 'documentId'] as const;

/**
 * The request in the query string of a GET.
 * Source: https://graphql.github.io/graphql-over-http/draft/#sec-GET Throws ServerError 400: for a
 * parameter that is malformed or given twice, and for a request that a page of another site can
 * cause.
 */
export function readGetRequest(request: IncomingMessage): GraphqlParams {
  checkOrigin(request);
  const [, ...rest] = (request.url ?? '').split('?');
  const given = new URLSearchParams(rest.join('?'));
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const [text, ...more] = given.getAll(name);
    if (more.length > 0) throw malformed(`\`${name}\` is given more than once.`);
    if (text === undefined || text === '') continue;
    body[name] = name === 'variables' || name === 'extensions' ? parse(name, text) : text;
  }
  return graphqlParamsOf(body, given.get('variables') ?? '', (exact) => exact);
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(`\`${name}\` is not JSON.`);
  }
}

/**
 * Headers of clients that ask for a preflight, which a form, an image or a script of another site
 * cannot send.
 */
const chosenHeaders = [
  'authorization',
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'graphql-require-preflight',
];

/**
 * A page of another site can make a browser send a GET with cookies, though it cannot read the
 * answer. It can not choose these headers without a preflight. Source: decision 008;
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header
 */
function checkOrigin({ headers }: IncomingMessage): void {
  if (/\bapplication\/(graphql-response\+)?json\b/i.test(headers.accept ?? '')) return;
  const mode = headers['sec-fetch-mode'];
  if (mode === 'cors' || mode === 'same-origin' || chosenHeaders.some((name) => headers[name] !== undefined)) return;
  throw new ServerError(
    400,
    codes.refused,
    'A GraphQL request by GET has to show that it does not come from a link, a form or an image.',
    {
      hint: 'Send the header Accept: application/json.',
    },
  );
}

const malformed = (message: string): ServerError =>
  new ServerError(400, codes.malformedParameter, message, {
    hint: 'GET /graphql?query={…}&variables={…} takes each parameter once, URL-encoded; `variables` and `extensions` are JSON.',
  });
