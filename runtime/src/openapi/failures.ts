import { reference } from './column-schema.js';
import type { Json, JsonObject } from './json.js';

/** An error by its status: what its component is called, when it is answered, and its headers. */
interface Failure {
  readonly name: string;
  readonly when: string;
  readonly headers?: readonly string[];
}

/** Source: decision 006. */
const failures: ReadonlyMap<number, Failure> = new Map([
  [
    400,
    { name: 'BadRequest', when: 'Malformed: the URL, a header, the body, an unknown column; or a rule refused it.' },
  ],
  [401, { name: 'Unauthorized', when: 'The token is not valid.', headers: ['WWW-Authenticate'] }],
  [403, { name: 'Forbidden', when: 'A privilege or a policy of the database refuses it.' }],
  [404, { name: 'NotFound', when: 'There is no such row, or no such table in the schema of the profile header.' }],
  [406, { name: 'NotAcceptable', when: 'No accepted media type is served, or a single object is not one row.' }],
  [
    409,
    {
      name: 'Conflict',
      when: 'The request conflicts with another row or another transaction.',
      headers: ['Retry-After'],
    },
  ],
  [
    412,
    { name: 'PreconditionFailed', when: 'The row is not in the state that `If-Match` or `If-None-Match` asks for.' },
  ],
  [413, { name: 'TooLarge', when: 'The body, or the answer, is longer than the server allows.' }],
  [415, { name: 'UnsupportedMediaType', when: 'The body is not JSON or CSV in UTF-8.' }],
  [
    416,
    { name: 'RangeNotSatisfiable', when: 'The range is malformed or after the last row.', headers: ['Content-Range'] },
  ],
  [500, { name: 'ServerError', when: 'The database reports an error, as for a value that its type cannot take.' }],
  [
    503,
    { name: 'Unavailable', when: 'The database is not available, or the server is busy.', headers: ['Retry-After'] },
  ],
  [504, { name: 'Timeout', when: 'The statement takes longer than the server allows.' }],
]);

const always = [400, 401, 403, 404, 409, 413, 500, 503, 504] as const;

/** The statuses of errors, by kind of request. */
export const failureStatuses = {
  list: [...always, 406, 416],
  row: [...always, 406],
  write: [...always, 406, 415],
  update: [...always, 406, 412, 415],
  remove: [...always, 406, 412],
  /** A function that answers a value, by its arguments in the URL. */
  value: always,
  /** By its arguments in a body. */
  call: [...always, 415],
  calledRows: [...always, 406, 415, 416],
} as const;

/**
 * Errors by name, and what a function or a hook of the database's author answers with a status of
 * its own.
 */
export function failing(of: keyof typeof failureStatuses): JsonObject {
  const statuses: readonly number[] = failureStatuses[of];
  const named = statuses
    .toSorted((a, b) => a - b)
    .map((status): readonly [string, Json] => {
      return [String(status), { $ref: `#/components/responses/${failures.get(status)?.name ?? ''}` }];
    });
  // Keys that are whole numbers come first in an object, in their order.
  return Object.fromEntries([...named, ['default', { $ref: '#/components/responses/Rest.Error' }]]);
}

/** The errors among `components.responses`. */
export function failureResponses(): JsonObject {
  const content = { 'application/json': { schema: reference('Rest.Error') } };
  return Object.fromEntries<Json>([
    ...[...failures.values()].map(({ name, when, headers = [] }): readonly [string, Json] => [
      name,
      { description: when, ...headersOf(headers), content },
    ]),
    ['Rest.Error', { description: 'Another error, as the author of the database gives it a status.', content }],
  ]);
}

/** Response headers by reference. */
export function headersOf(names: readonly string[]): { readonly headers?: JsonObject } {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } });

/** `components.headers` */
export const componentHeaders: JsonObject = {
  'Content-Range': text('Which rows of how many: `first-last/total`, `*` for none or unknown.'),
  ETag: text('The tag of this answer, for `If-None-Match`, and of a row for `If-Match`.'),
  Location: text('Where the written rows are: `Prefer: return=headers-only`.'),
  'Preference-Applied': text('The preferences that were honoured.'),
  'Retry-After': text('Seconds after which the same request may succeed.'),
  'WWW-Authenticate': text('`Bearer`, and the reason why the token is refused.'),
};
