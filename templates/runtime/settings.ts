/**
 * Every setting of a generated server, as data. One table drives: the environment (`app.max-rows` ↔ `APP_MAX_ROWS`), the
 * validation of tablewright.config.*, and docs/configuration.md. Source: contract 1, decisions 9.
 */
export interface SettingDefinition {
  readonly type: 'string' | 'integer' | 'boolean' | 'list' | 'choice';
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean | readonly string[];
  readonly minimum?: number;
  /** Never written to a generated file, a log or an error. */
  readonly secret?: true;
  /** Environment names other than the derived one. */
  readonly environment?: readonly string[];
  readonly description: string;
}

export const settingDefinitions = {
  'app.datasource.url': {
    type: 'string',
    secret: true,
    environment: ['DATABASE_URL'],
    description: 'The database: `postgres://user@host/name` or `pglite:DIR`.',
  },
  'app.datasource.username': {
    type: 'string',
    description: 'Role to connect as. Not a superuser: those bypass row level security.',
  },
  'app.datasource.password': {
    type: 'string',
    secret: true,
    description: 'Password of the role, when the URL has none.',
  },
  'app.datasource.pool-size': {
    type: 'integer',
    default: 10,
    minimum: 1,
    description: 'Connections to the database, at most.',
  },
  'app.datasource.acquire-timeout-ms': {
    type: 'integer',
    default: 5000,
    minimum: 1,
    description: 'Milliseconds a request waits for a connection before it is answered 503.',
  },
  'app.datasource.statement-timeout-ms': {
    type: 'integer',
    default: 30000,
    minimum: 0,
    description: 'Milliseconds a statement may run before the database cancels it (504). 0: no limit.',
  },
  'app.datasource.write-timeout-ms': {
    type: 'integer',
    minimum: 0,
    description: 'The same for statements that write. Default: as `app.datasource.statement-timeout-ms`.',
  },
  'app.datasource.pooler': {
    type: 'choice',
    choices: ['none', 'transaction'],
    default: 'none',
    description: '`transaction` behind PgBouncer in transaction mode: unnamed statements only.',
  },
  'app.schemas': {
    type: 'list',
    environment: ['APP_SCHEMAS'],
    description: 'Served schemas, comma-separated. More than one makes profile headers necessary over REST.',
  },
  'app.max-rows': {
    type: 'integer',
    default: 30,
    minimum: 1,
    description: 'Ceiling on the rows of every list, nested ones too, and on the vector `limit`.',
  },
  'app.security.jwt-enabled': {
    type: 'boolean',
    default: false,
    description: 'Verify bearer tokens and pass their claims to the database.',
  },
  'app.security.auth.jwks-url': { type: 'string', description: 'JWKS endpoint whose keys verify tokens.' },
  'app.security.auth.public-key': { type: 'string', description: 'PEM public key that verifies tokens, inline.' },
  'app.security.auth.public-key-file': {
    type: 'string',
    description: 'Path of a PEM public key file; read again when it changes.',
  },
  'app.security.auth.issuer': { type: 'string', description: 'Required `iss` claim.' },
  'app.security.auth.audience': { type: 'string', description: 'Required `aud` claim.' },
  'app.security.role-claim': {
    type: 'string',
    description: 'Claim that names the database role to switch to for the request.',
  },
  'app.security.allowed-roles': { type: 'list', default: [], description: 'Roles a token may switch to.' },
  'app.security.default-role': {
    type: 'string',
    description: 'Role for requests with a verified token that names none.',
  },
  'app.security.anonymous-role': { type: 'string', description: 'Role for requests without a token.' },
  'app.security.allow-superuser': {
    type: 'boolean',
    default: false,
    description: 'Start although the role bypasses row level security. Logs a warning.',
  },
  'app.cache.schema-ttl-minutes': {
    type: 'integer',
    default: 30,
    minimum: 1,
    description: 'Minutes until a change of the database schema is noticed.',
  },
  'app.types.bigint': {
    type: 'choice',
    choices: ['auto', 'string', 'number'],
    default: 'auto',
    description: 'How int8 is written. `auto`: a string over GraphQL, a number over REST.',
  },
  'app.types.numeric': {
    type: 'choice',
    choices: ['number', 'string'],
    default: 'number',
    description: 'How numeric is written; a number keeps all its digits.',
  },
  'app.rest.allow-unfiltered-writes': {
    type: 'boolean',
    default: false,
    description: 'Let PATCH and DELETE without a filter touch every row.',
  },
  'app.rest.etag': {
    type: 'boolean',
    default: true,
    description: 'Give reads an `ETag`, and answer 304 to a client that has the same already.',
  },
  'app.graphql.introspection': { type: 'boolean', default: true, description: 'Answer `__schema` and `__type`.' },
  'app.graphql.max-depth': { type: 'integer', default: 15, minimum: 1, description: 'Deepest nesting of a document.' },
  'app.graphql.max-tokens': { type: 'integer', default: 10000, minimum: 1, description: 'Most tokens of a document.' },
  'app.graphql.max-aliases': { type: 'integer', default: 100, minimum: 0, description: 'Most aliases of a document.' },
  'app.graphql.max-root-fields': {
    type: 'integer',
    default: 50,
    minimum: 1,
    description: 'Most root fields of an operation.',
  },
  'app.graphql.max-directives': {
    type: 'integer',
    default: 50,
    minimum: 0,
    description: 'Most directives of a document.',
  },
  'app.graphql.max-estimated-rows': {
    type: 'integer',
    default: 1000000,
    minimum: 1,
    description: 'Most rows a document may ask for, limits multiplied along nesting.',
  },
  'app.limits.body-bytes': { type: 'integer', default: 1048576, minimum: 1, description: 'Largest request body.' },
  'app.limits.url-bytes': { type: 'integer', default: 16384, minimum: 1, description: 'Longest request target.' },
  'app.limits.header-bytes': {
    type: 'integer',
    default: 65536,
    minimum: 1,
    description: 'Longest headers of a request, all together (431).',
  },
  'app.limits.headers-timeout-ms': {
    type: 'integer',
    default: 15000,
    minimum: 1,
    description: 'Milliseconds a client has to send the headers of a request (408).',
  },
  'app.limits.request-timeout-ms': {
    type: 'integer',
    default: 60000,
    minimum: 1,
    description: 'Milliseconds a client has to send a whole request (408).',
  },
  'app.cors.origins': {
    type: 'list',
    default: [],
    description: 'Origins whose pages may ask, as in `https://app.example.com`; `*` for every one.',
  },
  'app.cors.credentials': {
    type: 'boolean',
    default: false,
    description: 'Let those pages send cookies. Tokens in `Authorization` do not need it; not with `*`.',
  },
  'app.cors.max-age-seconds': {
    type: 'integer',
    default: 600,
    minimum: 0,
    description: 'Seconds a browser may remember what a preflight allowed.',
  },
  'app.compression.enabled': {
    type: 'boolean',
    default: true,
    description: 'Compress answers for clients that accept brotli or gzip. Off where a proxy does it.',
  },
  'app.compression.threshold-bytes': {
    type: 'integer',
    default: 1024,
    minimum: 0,
    description: 'Shorter answers are not compressed.',
  },
  'app.server.port': {
    type: 'integer',
    default: 4000,
    minimum: 0,
    environment: ['PORT'],
    description: 'Port to listen on; 0 picks a free one.',
  },
  'app.server.host': {
    type: 'string',
    default: '127.0.0.1',
    environment: ['HOST'],
    description: 'Address to listen on.',
  },
  'app.server.production': {
    type: 'boolean',
    default: false,
    description: 'No GraphiQL, no Server-Timing. Also on when NODE_ENV is `production`.',
  },
  'app.server.shutdown-grace-ms': {
    type: 'integer',
    default: 10000,
    minimum: 0,
    description: 'Milliseconds in-flight requests have to finish at shutdown.',
  },
  'app.log.level': {
    type: 'choice',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    default: 'info',
    description: 'Least severe log line that is written.',
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof settingDefinitions;

type ValueOf<D> = D extends { readonly type: 'integer' }
  ? number
  : D extends { readonly type: 'boolean' }
    ? boolean
    : D extends { readonly type: 'list' }
      ? readonly string[]
      : D extends { readonly choices: readonly (infer C)[] }
        ? C
        : string;

/** Resolved settings: a key with a default always has a value, the others may be absent. */
export type Settings = {
  readonly [
    K in SettingKey as (typeof settingDefinitions)[K] extends { readonly default: unknown } ? K : never
  ]: ValueOf<(typeof settingDefinitions)[K]>;
} & {
  readonly [
    K in SettingKey as (typeof settingDefinitions)[K] extends { readonly default: unknown } ? never : K
  ]?: ValueOf<(typeof settingDefinitions)[K]>;
};

/** `app.max-rows` → `APP_MAX_ROWS`. */
export const environmentName = (key: string): string => key.toUpperCase().replace(/[.-]/g, '_');
