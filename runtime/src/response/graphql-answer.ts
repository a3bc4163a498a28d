import type { OutgoingHttpHeaders } from 'node:http';
import { ServerError, codes } from '../errors.js';
import type { Answer } from './answer.js';
import { joined, type Text } from '../joined.js';
import { formatError, serverErrorOf } from './graphql-error.js';

/**
 * The two media types of GraphQL over HTTP:
 * https://graphql.github.io/graphql-over-http/draft/#sec-Media-Types
 */
export type MediaType = 'application/json' | 'application/graphql-response+json';

/**
 * The first media type the client lists that we have, by its `q`; `application/json` for clients
 * that say nothing. Throws ServerError 406 when it takes neither.
 */
export function negotiate(accept: string | undefined): MediaType {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') {
    return 'application/json';
  }
  const best = accept
    .split(',')
    .map(acceptedRange)
    .filter(({ type, quality }) => type !== undefined && quality > 0)
    .reduce<{ type: MediaType | undefined; quality: number }>(
      (chosen, each) => (each.quality > chosen.quality ? each : chosen),
      { type: undefined, quality: 0 },
    );
  if (best.type !== undefined) return best.type;
  throw new ServerError(406, codes.notAcceptable, 'The answer would be JSON, which is not accepted.', {
    hint: 'Accept application/graphql-response+json or application/json.',
  });
}

function acceptedRange(range: string): { type: MediaType | undefined; quality: number } {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return { type: ranges.get(name), quality: Number.isNaN(quality) ? 0 : quality };
}

const ranges: ReadonlyMap<string, MediaType> = new Map([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
]);

/**
 * An execution that went well: the data's JSON text, as the database or graphql-js wrote it.
 * @param refusable whether nothing was written for it
 */
export const dataAnswer = (type: MediaType, data: Text, refusable: boolean): Answer => ({
  status: 200,
  headers: headersOf(type),
  body: joined(beforeData([]), data, '}'),
  refusable,
});

/** An execution with errors: `data` is there, although it may be null. */
export const partialAnswer = (type: MediaType, data: Text, errors: readonly unknown[]): Answer => ({
  ...headOf(type, errors),
  body: joined(beforeData(errors), data, '}'),
});

/** An execution that introspection had a part in: its body is there, in its forms. */
export const introspectionAnswer = (
  type: MediaType,
  { body, compressed }: Required<Pick<Answer, 'body' | 'compressed'>>,
  errors: readonly unknown[],
): Answer => ({ ...headOf(type, errors), body, compressed });

/** A body as far as its data, which one bracket ends. */
export const beforeData = (errors: readonly unknown[]): string =>
  errors.length === 0 ? '{"data":' : `{"errors":${JSON.stringify(errors.map(formatError))},"data":`;

const headOf = (type: MediaType, errors: readonly unknown[]): Pick<Answer, 'status' | 'headers'> => ({
  status: statusOfPartial(errors),
  headers: { ...headersOf(type), ...headersOfErrors(errors) },
});

/**
 * A request that was not executed. A document that does not parse, validate or coerce is 400 in the
 * GraphQL media type, and 200 in the older one, whose clients look at the body alone.
 * Source: https://graphql.github.io/graphql-over-http/draft/#sec-Status-Codes
 */
export const refusedAnswer = (type: MediaType, errors: readonly unknown[]): Answer => ({
  status: type === 'application/json' ? 200 : 400,
  headers: headersOf(type),
  body: errorsBody(errors),
});

/** A request that is no GraphQL request, or may not be made: the status is the error's own. */
export const failedAnswer = (type: MediaType, error: ServerError): Answer => ({
  status: error.status,
  headers: { ...headersOf(type), ...error.headers },
  body: errorsBody([error]),
});

const errorsBody = (errors: readonly unknown[]): string => `{"errors":${JSON.stringify(errors.map(formatError))}}`;

const headersOf = (type: MediaType): OutgoingHttpHeaders => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'no-store',
});

/**
 * An overload or a request beyond the limits has its own status, for proxies and clients that use
 * only the status.
 */
function statusOfPartial(errors: readonly unknown[]): number {
  const status = statusOf(errors);
  return status === 413 || status === 503 ? status : 200;
}

const statusOf = (errors: readonly unknown[]): number | undefined => serverErrorOf(errors[0])?.status;

const headersOfErrors = (errors: readonly unknown[]): OutgoingHttpHeaders => serverErrorOf(errors[0])?.headers ?? {};
