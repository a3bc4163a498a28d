import type { HttpRequest } from '../../harness/target.js';

/** A GraphQL request as clients send it: the document is always the same text, what varies is in variables. */
export const post = (query: string, variables: object = {}, headers: HttpRequest['headers'] = {}): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ query: query.replaceAll(/\s+/g, ' ').trim(), variables }),
});

/** The value of a field of the answer's data, given by its path. */
export const at =
  (...path: readonly string[]) =>
  (body: unknown): unknown =>
    path.reduce((value, name) => (value as Readonly<Record<string, unknown>>)[name], (body as { data: unknown }).data);
