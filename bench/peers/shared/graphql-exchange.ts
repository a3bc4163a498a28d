import type { HttpRequest } from '../../harness/target.js';

/**
 * A GraphQL request as clients send it: the text of the document is always the same, and varying
 * values are variables.
 */
export const post = (query: string, variables: object = {}, headers: HttpRequest['headers'] = {}): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ query: query.replaceAll(/\s+/g, ' ').trim(), variables }),
});

/** Reads the field at a path of the answer's data. */
export const at =
  (...path: readonly string[]) =>
  (body: unknown): unknown =>
    path.reduce((value, name) => (value as Readonly<Record<string, unknown>>)[name], (body as { data: unknown }).data);
