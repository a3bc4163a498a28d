import type { Rate } from './rates.js';

/**
 * Every setting of a generated server, as data. One table drives: the environment (`app.max-rows` ↔
 * `APP_MAX_ROWS`), the validation of tablewright.config.*, and docs/configuration.md.
 * Source: decision 009.
 */
export interface SettingDefinition {
  readonly type: 'string' | 'integer' | 'count' | 'boolean' | 'list' | 'choice' | 'rates';
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean | readonly string[] | readonly Rate[];
  readonly minimum?: number;
  /** Never written to a generated file, a log or an error. */
  readonly secret?: true;
  /** An address, or addresses, which may hold a password. */
  readonly isAddress?: true;
  /**
   * The setting limits what is served, or to whom. An empty variable is an error: a pipeline that
   * has not set it would serve more.
   */
  readonly restricts?: true;
  /** Environment names other than the derived one. */
  readonly environment?: readonly string[];
  readonly description: string;
}

export const settingDefinitions = {
  'app.datasource.url': {
    type: 'string',
    secret: true,
    isAddress: true,
    environment: ['DATABASE_URL'],
    description: 'The database: `postgres://user@host/name`, `mysql://user@host/name` or `pglite:DIR`.',
  },
  'app.datasource.replicas': {
    type: 'list',
    secret: true,
    isAddress: true,
    description: 'Addresses of replicas of the database, comma-separated: they answer reads. See scaling.md.',
  },
  'app.datasource.replica-max-lag-ms': {
    type: 'integer',
    default: 10000,
    minimum: 1,
    description: 'Milliseconds that a replica may be behind the primary. Beyond them it gets no reads.',
  },
  'app.datasource.replica-max-wait-ms': {
    type: 'integer',
    default: 500,
    minimum: 0,
    description: 'Milliseconds that a read with `X-Data-Version` waits for a replica before the primary answers it.',
  },
  'app.datasource.username': {
    type: 'string',
    restricts: true,
    description: 'Role, or user of MariaDB, to connect as. Not a superuser: those bypass row level security.',
  },
  'app.datasource.password': {
    type: 'string',
    secret: true,
    description: 'Password of the role or user, when the URL has none.',
  },
  'app.datasource.pool-size': {
    type: 'integer',
    default: 10,
    minimum: 1,
    description: 'Connections to the database, at most.',
  },
  'app.datasource.tenant-connections': {
    type: 'integer',
    default: 50,
    minimum: 1,
    description:
      'Connections to the databases of all tenants together, at most; each has `app.datasource.pool-size` at most. No more tenants than that have subscribers at the same time.',
  },
  'app.datasource.acquire-timeout-ms': {
    type: 'integer',
    default: 5000,
    minimum: 1,
    description: 'Milliseconds a request waits for a connection before it is answered 503.',
  },
  'app.datasource.max-lifetime-ms': {
    type: 'integer',
    default: 1800000,
    minimum: 0,
    description: 'Milliseconds after which an idle connection is replaced, give or take a tenth. 0: never.',
  },
  'app.datasource.share-reads': {
    type: 'boolean',
    default: true,
    description:
      'Send short reads of several requests over one connection together. Off: each read has a connection to itself.',
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
    description: '`transaction` behind PgBouncer in transaction mode: unnamed statements only (PostgreSQL).',
  },
  'app.datasource.search-path': {
    type: 'list',
    description:
      'Schemas in which functions and triggers find unqualified names, comma-separated (PostgreSQL). Default: the schemas served, then `public`.',
  },
  'app.datasource.databases': {
    type: 'list',
    restricts: true,
    description:
      'Databases with other names than their schemas: `schema=database`, comma-separated (MariaDB). Default: that of the address for a single schema.',
  },
  'app.schemas': {
    type: 'list',
    restricts: true,
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
    restricts: true,
    default: false,
    description: 'Verify bearer tokens and pass their claims to the database.',
  },
  'app.security.auth.jwks-url': { type: 'string', description: 'JWKS endpoint whose keys verify tokens.' },
  'app.security.auth.public-key': { type: 'string', description: 'PEM public key that verifies tokens, inline.' },
  'app.security.auth.public-key-file': {
    type: 'string',
    description: 'Path of a PEM public key file; read again when it changes.',
  },
  'app.security.auth.secret': {
    type: 'string',
    secret: true,
    description:
      'Secret of 32 bytes or more that the issuer signs tokens with (HS256), as PostgREST and Supabase have it. Never beside another source of keys.',
  },
  'app.security.auth.issuer': { type: 'string', restricts: true, description: 'Required `iss` claim.' },
  'app.security.auth.audience': { type: 'string', restricts: true, description: 'Required `aud` claim.' },
  'app.security.role-claim': {
    type: 'string',
    restricts: true,
    description:
      'Claim that names the database role to switch to for the request (PostgreSQL): its name, or a path such as `.app_metadata.role`. `.realm_access.roles[*]` is a list of which the first allowed role counts.',
  },
  'app.security.allowed-roles': { type: 'list', default: [], description: 'Roles a token may switch to.' },
  'app.security.default-role': {
    type: 'string',
    restricts: true,
    description: 'Role for requests with a verified token that names no role.',
  },
  'app.security.anonymous-role': { type: 'string', restricts: true, description: 'Role for requests without a token.' },
  'app.security.schema-by-role': {
    type: 'boolean',
    restricts: true,
    default: false,
    description:
      'Show and answer each role only what its grants (PostgreSQL) and the rules of the configuration allow. Everything else is unknown to it, instead of 403.',
  },
  'app.security.allow-superuser': {
    type: 'boolean',
    default: false,
    description: 'Start although the role bypasses row level security (PostgreSQL). Logs a warning.',
  },
  'app.errors.database-messages': {
    type: 'boolean',
    restricts: true,
    default: true,
    description: "Show clients the messages of the database's author: `RAISE EXCEPTION`, and comments on constraints.",
  },
  'app.cache.schema-ttl-minutes': {
    type: 'integer',
    default: 30,
    minimum: 0,
    description: 'Minutes between two checks for a changed database schema, give or take a tenth. 0: no such checks.',
  },
  'app.drift.on-change': {
    type: 'choice',
    choices: ['regenerate', 'warn', 'exit'],
    default: 'regenerate',
    description:
      'Reaction to a changed database schema: serve the new schema, log a warning, or shut down with exit code 1.',
  },
  'app.drift.probe-ms': {
    type: 'integer',
    default: 0,
    minimum: 0,
    description:
      'Milliseconds between two cheap checks for a changed schema, in addition to those of the TTL; `tablewright dev` checks every 250 ms. 0: no such checks.',
  },
  'app.drift.new-schemas': {
    type: 'boolean',
    default: false,
    description:
      'Follow schemas that are new to the database, too. A second schema makes profile headers necessary for REST. `tablewright dev` sets it.',
  },
  'app.drift.write': {
    type: 'boolean',
    default: false,
    description:
      'After the server has followed a change, have `tablewright generate` write the files too. Without effect in production.',
  },
  'app.changes.source': {
    type: 'choice',
    choices: ['off', 'wal', 'notify', 'binlog'],
    default: 'off',
    description:
      "Where committed changes come from for GraphQL subscriptions: PostgreSQL's write-ahead log (`wal`), its triggers (`notify`), or MariaDB's binary log (`binlog`).",
  },
  'app.changes.url': {
    type: 'string',
    secret: true,
    isAddress: true,
    description:
      'Address of the same database, as a user with the right to read its log, not behind a pooler. Default: `app.datasource.url`.',
  },
  'app.changes.hub': {
    type: 'choice',
    choices: ['none', 'nats', 'redis'],
    default: 'none',
    description:
      'Broker that passes changes from one server process, which reads them, to the others. `none`: each process reads them itself.',
  },
  'app.changes.hub-url': {
    type: 'string',
    secret: true,
    isAddress: true,
    description: 'Address of the hub: `nats://host:4222` or `redis://host:6379`.',
  },
  'app.changes.hub-subject': {
    type: 'string',
    default: 'tablewright.changes',
    description: 'Subject or channel of the hub. Servers of different databases need different ones.',
  },
  'app.changes.remembered-bytes': {
    type: 'integer',
    default: 64 * 1024 * 1024,
    minimum: 0,
    description:
      'Memory of the process for the keys of rows that subscribers under a policy or a filter have received. Beyond it the server forgets keys, and their subscribers receive RESYNC.',
  },
  'app.websocket.max-sockets': {
    type: 'integer',
    default: 10000,
    minimum: 0,
    description: 'Most WebSockets and event streams that one server process holds open (503). 0: none.',
  },
  'app.websocket.max-operations': {
    type: 'integer',
    default: 100,
    minimum: 1,
    description: 'Most subscriptions, and requests under way, of one WebSocket.',
  },
  'app.websocket.init-timeout-ms': {
    type: 'integer',
    default: 10000,
    minimum: 1,
    description: 'Milliseconds a WebSocket has to send `connection_init` (4408).',
  },
  'app.websocket.message-bytes': {
    type: 'integer',
    default: 1048576,
    minimum: 1,
    description: 'Longest message that a WebSocket may send (1009).',
  },
  'app.websocket.pending-bytes': {
    type: 'integer',
    default: 1048576,
    minimum: 1,
    description:
      'Bytes of events that a client may leave unread before its WebSocket or event stream is closed (4408).',
  },
  'app.types.bigint': {
    type: 'choice',
    choices: ['auto', 'string', 'number'],
    default: 'auto',
    description: 'How int8, or BIGINT, is written. `auto`: a string over GraphQL, a number over REST.',
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
    description: 'Let PATCH and DELETE without a filter change every row.',
  },
  'app.rest.procedures': {
    type: 'boolean',
    default: false,
    description: 'Call procedures at `POST /api/v1/rpc/{procedure}`, too. GraphQL always has them as mutations.',
  },
  'app.rest.postgrest': {
    type: 'string',
    description:
      "Path of a second mount of REST in PostgREST's own form, as `/rest/v1`: bare arrays, its errors and statuses. Default: none. See postgrest.md.",
  },
  'app.rest.plan-enabled': {
    type: 'boolean',
    default: false,
    description:
      "In PostgREST's form of REST, answer plans of requests, as supabase-js's `explain()` asks for them. They show what policies hide: for development.",
  },
  'app.rest.aggregates-enabled': {
    type: 'boolean',
    default: true,
    description:
      "In PostgREST's form of REST, answer `count()`, `sum()` and other aggregates. PostgREST's own default is false.",
  },
  'app.rest.client-error-verbosity': {
    type: 'choice',
    choices: ['verbose', 'minimal'],
    default: 'verbose',
    description: "In PostgREST's form of REST, whether errors have `details` and `hint` beside `code` and `message`.",
  },
  'app.rest.root-spec': {
    type: 'string',
    description:
      "A function without arguments, as `api.description`, whose result is answered at the root of PostgREST's form. PostgREST's `db-root-spec`. Default: the description in OpenAPI 2.0.",
  },
  'app.rest.openapi-mode': {
    type: 'choice',
    choices: ['follow-privileges', 'ignore-privileges', 'disabled'],
    restricts: true,
    default: 'follow-privileges',
    description:
      "In PostgREST's form of REST, whose part of a schema the root describes in OpenAPI 2.0: what the caller's role may use, or everything. `disabled`: 404.",
  },
  'app.rest.openapi-security-active': {
    type: 'boolean',
    default: false,
    description: "Say in the description at the root of PostgREST's form that requests may have a token.",
  },
  'app.rest.pre-request': {
    type: 'string',
    description:
      "A function without arguments that is called at the beginning of each request's transaction in PostgREST's form, as `api.check_request`. PostgREST's `db-pre-request`. Default: none.",
  },
  'app.rest.request-variables': {
    type: 'choice',
    choices: ['mentioned', 'always', 'never'],
    default: 'mentioned',
    description:
      "When requests in PostgREST's form set `request.headers`, `request.cookies`, `request.method`, `request.path`, and read `response.headers` and `response.status`. `mentioned`: those that functions, policies, triggers or views of the database mention.",
  },
  'app.rest.etag': {
    type: 'boolean',
    default: true,
    description: 'Give reads an `ETag`, and answer 304 to a client that has the current answer already.',
  },
  'app.graphql.introspection': {
    type: 'boolean',
    restricts: true,
    default: true,
    description: 'Answer `__schema` and `__type`.',
  },
  'app.graphql.documents': {
    type: 'choice',
    restricts: true,
    choices: ['any', 'persisted', 'trusted'],
    default: 'persisted',
    description:
      'Accepted documents. `any`: texts. `persisted`: texts, also by the hash of an earlier request. `trusted`: those of `app.graphql.documents-file` alone.',
  },
  'app.graphql.documents-file': {
    type: 'string',
    default: 'persisted-documents.json',
    description: 'Manifest of the trusted documents, as client presets and Apollo write it. Read at start.',
  },
  'app.graphql.max-introspection-cost': {
    type: 'integer',
    default: 2,
    minimum: 1,
    description: 'Highest introspection cost of a document, in standard introspection queries of the whole schema.',
  },
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
  'app.mcp': {
    type: 'boolean',
    default: false,
    description:
      'Serve the Model Context Protocol at `/mcp`, for agents. Needs the package `@modelcontextprotocol/sdk`. See agents.md.',
  },
  'app.mcp.writes': {
    type: 'boolean',
    default: false,
    description: 'Let agents write: tools to insert, update and delete rows, mutations, and functions that may write.',
  },
  'app.mcp.anonymous': {
    type: 'boolean',
    restricts: true,
    default: true,
    description:
      'Let agents call tools without a token, as anonymous. Off: 401, by which clients of OAuth begin to log in.',
  },
  'app.mcp.answer-bytes': {
    type: 'integer',
    default: 100000,
    minimum: 1000,
    description: 'Longest answer of a tool, in bytes: the context of a model is small.',
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
  'app.limits.response-bytes': {
    type: 'integer',
    default: 33554432,
    minimum: 1,
    description: 'Longest answer of a read, before it is compressed (413).',
  },
  'app.limits.pending-response-bytes': {
    type: 'integer',
    default: 268435456,
    minimum: 1,
    description:
      'Most bytes of answers that clients have not read yet, all clients together: a read that would exceed it is 503.',
  },
  'app.limits.send-timeout-ms': {
    type: 'integer',
    default: 30000,
    minimum: 1,
    description: 'Milliseconds without progress after which an answer is aborted, because the client does not read it.',
  },
  'app.limits.rates': {
    type: 'rates',
    restricts: true,
    default: [],
    description:
      'Most requests, and most units of cost, in a window of time: `[{ per: "user", requests: 100, seconds: 60 }]` (429). See deploying.md.',
  },
  'app.limits.rate-store': {
    type: 'string',
    default: 'memory',
    secret: true,
    isAddress: true,
    description:
      'Where the requests for `app.limits.rates` are counted: in the `memory` of each server, or in a Redis that servers share, `redis://host:6379`.',
  },
  'app.cors.origins': {
    type: 'list',
    default: [],
    description: 'Origins whose pages may send requests, as in `https://app.example.com`; `*` for every origin.',
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
    description: 'Seconds for which a browser may remember the answer of a preflight.',
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
  'app.console': {
    type: 'boolean',
    restricts: true,
    description:
      'Serve the console at `/`, and `/schema.graphql`. It shows every table, column and policy to everyone who opens it. Default: on, and off in production.',
  },
  'app.console-guide': {
    type: 'string',
    description:
      'JSON file with users and requests that the console offers to try. Everyone who opens the console gets its tokens.',
  },
  'app.console-key-file': {
    type: 'string',
    description:
      'PEM file of a private key for development. With it, everyone who opens the console gets tokens with claims that they type. Production ignores it.',
  },
  'app.console-hosts': {
    type: 'list',
    default: [],
    description:
      'Host names, besides those of the machine itself (`localhost`), at which the console and the API answer in development.',
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
  'app.server.workers': {
    type: 'count',
    default: 1,
    minimum: 1,
    description:
      'Processes that serve the address together, one for each core to use. `auto`: as many as the machine or the container has cores. See scaling.md.',
  },
  'app.server.base-path': {
    type: 'string',
    description:
      'A path that the server is below, such as `/data`: GraphQL is at `/data/graphql` then. For a proxy or a host that passes whole addresses on.',
  },
  'app.server.trust-proxy': {
    type: 'boolean',
    default: false,
    description:
      'Take the address of the server from `X-Forwarded-Host` and `X-Forwarded-Proto`. Only behind a proxy that sets them.',
  },
  'app.server.production': {
    type: 'boolean',
    restricts: true,
    default: false,
    description: 'No console, no GraphiQL, no Server-Timing. Also on when NODE_ENV is `production`.',
  },
  'app.server.max-connections': {
    type: 'integer',
    default: 16384,
    minimum: 0,
    description: 'Most connections of clients, idle ones and WebSockets among them (503). 0: no limit.',
  },
  'app.server.max-connections-per-address': {
    type: 'integer',
    default: 0,
    minimum: 0,
    description: 'The same for each address of clients, where no proxy is in front of the server. 0: no limit.',
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
  'app.log.slow-statement-ms': {
    type: 'integer',
    minimum: 0,
    description:
      'The log gets a line for each statement that takes at least so many milliseconds: its text, time and rows, no values. Default: no such lines.',
  },
  'app.log.slow-statement-plans': {
    type: 'boolean',
    default: false,
    description: 'Add the plan to this log line, at most once a minute for each statement.',
  },
  'app.metrics.port': {
    type: 'integer',
    minimum: 0,
    description: 'Port of `/metrics`, in the text format of Prometheus, separate from the API. Default: no metrics.',
  },
  'app.metrics.host': {
    type: 'string',
    default: '127.0.0.1',
    description: 'Address of `/metrics`.',
  },
  'app.traces.enabled': {
    type: 'boolean',
    default: false,
    description: 'Requests, plans and statements are spans of OpenTelemetry, for the SDK that you register.',
  },
  'app.usage.log': {
    type: 'string',
    description:
      'File to which the server adds a line for each kind of request: names, no values. `diff --api --documents` reads it.',
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof settingDefinitions;

type ValueOf<D> = D extends { readonly type: 'integer' }
  ? number
  : D extends { readonly type: 'count' }
    ? number | 'auto'
    : D extends { readonly type: 'boolean' }
      ? boolean
      : D extends { readonly type: 'list' }
        ? readonly string[]
        : D extends { readonly type: 'rates' }
          ? readonly Rate[]
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
