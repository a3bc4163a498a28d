import { createHash } from 'node:crypto';

/** A request as it goes to a server. */
export interface Probe {
  readonly method?: 'GET' | 'POST';
  /** Path and query; default: `/graphql`. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; undefined when the text is not JSON. */
  readonly json: GraphqlResult | undefined;
}

/** A GraphQL answer, or a list of answers from a server that supports batches. */
interface GraphqlResult {
  readonly length?: number;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export interface Check {
  /** The name in graphql-cop or OWASP's cheat sheet. */
  readonly name: string;
  readonly probe: Probe;
  /** Whether the tool reports a vulnerability. */
  readonly vulnerable: (answer: ProbeAnswer) => boolean;
  /** The answer of a production server according to our decisions. */
  readonly answer: Expected;
  /** The answer with introspection turned off, when it differs. */
  readonly hardened?: Expected;
}

export interface Expected {
  readonly status: number;
  /** `extensions.code` of all errors. When absent, there are no errors. */
  readonly code?: string;
  /** The tool reports this behaviour, which is intended. */
  readonly reported?: true;
}

const post = (query: string, more: Readonly<Record<string, unknown>> = {}): Probe => ({
  body: JSON.stringify({ query, ...more }),
});
const get = (query: string, path = '/graphql'): Probe => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams({ query }).toString()}`,
});
const times = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');
const answersTypename = ({ json }: ProbeAnswer): boolean => json?.data?.['__typename'] !== undefined;
const answersData = ({ json }: ProbeAnswer): boolean => json?.data !== undefined && json.data !== null;

const limit: Expected = { status: 200, code: 'TW011' };
const invalid: Expected = { status: 200, code: 'GRAPHQL_VALIDATION_FAILED' };
const notPost: Expected = { status: 405, code: 'TW015' };
const notAcceptable: Expected = { status: 406, code: 'TW010' };
const notJson: Expected = { status: 415, code: 'TW006' };
const fine: Expected = { status: 200 };

/**
 * Requests and verdicts of graphql-cop 1.14, ported by hand:
 * https://github.com/dolevf/graphql-cop/tree/main/lib/tests
 * A production server answers introspection: the contract offers it (2.4), and one setting turns it
 * off. With a public schema, suggestions reveal no additional names.
 */
export const graphqlCop: readonly Check[] = [
  {
    name: 'Alias Overloading',
    probe: post(`query cop { ${times(101, (at) => `alias${at}:__typename`)} }`),
    vulnerable: ({ json }) => json?.data?.['alias100'] !== undefined,
    answer: limit,
  },
  {
    name: 'Array-based Query Batching',
    probe: { body: `[${times(10, () => '{"query":"query cop { __typename }"}').replaceAll('} {', '},{')}]` },
    vulnerable: ({ json }) => (json?.length ?? 0) >= 10,
    answer: { status: 400, code: 'TW006' },
  },
  {
    name: 'Directive Overloading',
    probe: post(`query cop { __typename ${'@aa'.repeat(10)} }`),
    vulnerable: ({ json }) => json?.errors?.length === 10,
    answer: invalid,
  },
  {
    name: 'Field Duplication',
    probe: post(`query cop { ${'__typename \n'.repeat(500)} }`),
    vulnerable: answersTypename,
    answer: limit,
  },
  {
    name: 'Introspection-based Circular Query',
    probe: post(
      'query cop { __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }',
    ),
    vulnerable: answersData,
    answer: invalid,
  },
  {
    name: 'Mutation is allowed over GET (possible CSRF)',
    probe: get('mutation cop {__typename}'),
    vulnerable: answersTypename,
    answer: notPost,
  },
  {
    name: 'GET Method Query Support',
    // Queries by GET are intended. The server refuses a GET that a page of another site can cause:
    // decision 008, documents.test.ts.
    probe: get('query cop {__typename}'),
    vulnerable: answersTypename,
    answer: { ...fine, reported: true },
  },
  {
    name: 'POST based url-encoded query (possible CSRF)',
    probe: {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ query: 'query cop {__typename}' }).toString(),
    },
    vulnerable: answersTypename,
    answer: notJson,
  },
  {
    name: 'Trace Mode',
    probe: { ...post('query cop { __typename }'), headers: { 'x-apollo-tracing': '1' } },
    vulnerable: ({ json }) => json?.extensions?.['tracing'] !== undefined,
    answer: fine,
  },
  {
    name: 'GraphQL IDE',
    probe: { method: 'GET', headers: { accept: 'text/html' } },
    vulnerable: ({ text }) => /graphiql|graphql.playground/i.test(text),
    answer: notAcceptable,
  },
  {
    name: 'Field Suggestions',
    probe: post('query cop { __schema { directive } }'),
    vulnerable: ({ json }) => json?.errors?.some(({ message }) => message.includes('Did you mean')) === true,
    answer: { ...invalid, reported: true },
    hardened: invalid,
  },
  {
    name: 'Introspection',
    probe: post('query cop { __schema { types { name fields { name } } } }'),
    vulnerable: answersData,
    answer: { ...fine, reported: true },
    hardened: invalid,
  },
  {
    name: 'Unhandled Errors Detection',
    probe: post('qwerty cop { abc }'),
    vulnerable: ({ json, text }) => json?.errors?.[0]?.extensions?.['exception'] !== undefined || /stack/i.test(text),
    answer: { status: 200, code: 'GRAPHQL_PARSE_FAILED' },
  },
];

const persisted = 'query cop {__typename}';

/**
 * The sections of https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html, in
 * order.
 */
export const cheatSheet: readonly Check[] = [
  {
    name: 'Depth Limiting: a query of 16 levels',
    probe: post(`{ vaultNotes { ${'vaultComments { vaultNoteId { '.repeat(8)} id ${'} }'.repeat(8)} } }`),
    vulnerable: answersData,
    answer: limit,
  },
  {
    name: 'Depth Limiting: fragments in a circle',
    probe: post('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
    vulnerable: answersData,
    answer: invalid,
  },
  {
    name: 'Query Cost Analysis: a product of lists',
    probe: post(
      `{ vaultNotes { ${'vaultComments { vaultNoteId { '.repeat(5)} id ${'} }'.repeat(5)} vaultComments { id } } }`,
    ),
    vulnerable: answersData,
    answer: limit,
  },
  {
    name: 'Dealing With Batching Attacks: 51 fields in one operation',
    probe: post(`{ ${times(51, (at) => `a${at}: vaultNotesByPk(id: ${at}) { body }`)} }`),
    vulnerable: answersData,
    answer: limit,
  },
  {
    name: 'Dealing With Batching Attacks: 51 mutations in one operation',
    probe: post(`mutation { ${times(51, (at) => `a${at}: updateVaultNotes(id: ${at}, input: {title: "x"}) { id }`)} }`),
    vulnerable: answersData,
    answer: limit,
  },
  {
    name: 'Directive Overloading: 51 directives that exist',
    probe: post(`{ vaultNotes { id ${'@include(if: true) '.repeat(51)} } }`),
    vulnerable: answersData,
    answer: limit,
  },
  {
    name: 'Introspection + GraphiQL: __type',
    probe: post('{ __type(name: "VaultNotes") { fields { name } } }'),
    vulnerable: answersData,
    answer: { ...fine, reported: true },
    hardened: invalid,
  },
  {
    name: 'CSRF: a simple request of text/plain',
    probe: { ...post('{__typename}'), headers: { 'content-type': 'text/plain' } },
    vulnerable: answersTypename,
    answer: notJson,
  },
  {
    name: 'CSRF: a form with a file',
    probe: {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="query"\r\n\r\n{__typename}\r\n--x--\r\n',
    },
    vulnerable: answersTypename,
    answer: notJson,
  },
  {
    name: 'CSRF: a POST without a type',
    probe: { ...post('{__typename}'), headers: { 'content-type': '' } },
    vulnerable: answersTypename,
    answer: notJson,
  },
  {
    name: 'CSRF: a GET that calls itself a POST',
    probe: { ...get('mutation cop {__typename}'), headers: { 'x-http-method-override': 'POST' } },
    vulnerable: answersTypename,
    answer: notPost,
  },
  {
    name: 'CSRF: a POST with its query in the URL',
    probe: { ...get('{__typename}'), method: 'POST', body: '{}' },
    vulnerable: answersTypename,
    answer: { status: 400, code: 'TW006' },
  },
  {
    name: 'Persisted queries: a text stored by one client and run by another',
    probe: post(persisted, {
      extensions: { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(persisted).digest('hex') } },
    }),
    vulnerable: ({ json }) => json?.extensions !== undefined,
    answer: fine,
  },
];
