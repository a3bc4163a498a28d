/**
 * Codes of errors that are ours, not the database's. A database error keeps its SQLSTATE.
 * docs/errors.md lists them.
 */
export const codes = {
  unknownTable: 'TW001',
  unknownColumn: 'TW002',
  unknownOperator: 'TW003',
  malformedFilter: 'TW004',
  malformedParameter: 'TW005',
  malformedBody: 'TW006',
  missingProfile: 'TW007',
  notFound: 'TW008',
  rangeNotSatisfiable: 'TW009',
  notAcceptable: 'TW010',
  limitExceeded: 'TW011',
  invalidToken: 'TW012',
  unavailable: 'TW013',
  timeout: 'TW014',
  methodNotAllowed: 'TW015',
  refused: 'TW016',
  unsupported: 'TW017',
  misconfigured: 'TW018',
  tooManyRequests: 'TW019',
  unknownTenant: 'TW020',
  preconditionFailed: 'TW021',
  internal: 'TW500',
} as const;

/**
 * The failure of a statement, in the same terms for every database. response/failure-answer.ts
 * makes the answer from it.
 *
 * - `malformed`: a value or a request that is not valid.
 * - `invalidValue`: a value that the type of its column cannot hold.
 * - `locked`: another session holds a lock.
 * - `timeout`: the statement took too long, or was cancelled.
 * - `limit`: the database has reached a limit.
 * - `outdated`: the database has changed since the server was generated.
 * - `broken`: a view or function of the database fails.
 * - `raised`: code in the database refused the statement.
 */
export type FailureKind =
  | 'unique'
  | 'foreignKey'
  | 'exclusion'
  | 'notNull'
  | 'check'
  | 'malformed'
  | 'invalidValue'
  | 'denied'
  | 'serialization'
  | 'locked'
  | 'timeout'
  | 'readOnly'
  | 'unavailable'
  | 'limit'
  | 'outdated'
  | 'broken'
  | 'raised'
  | 'unknown';

/** What a code does not tell apart, for a form of REST that has codes of its own for it. */
export type ErrorReason =
  | { readonly kind: 'notOneRow'; readonly rows: number }
  | { readonly kind: 'pastTheEnd'; readonly offset: number; readonly total: number }
  | { readonly kind: 'tooManyRows'; readonly rows: number }
  | { readonly kind: 'countlessResult' }
  | {
      readonly kind: 'ambiguousRelation';
      readonly table: string;
      /** What was to be embedded. */
      readonly embedded: string;
      readonly ways: readonly RelationWay[];
    }
  | { readonly kind: 'emptyWindow'; readonly details: string }
  | {
      readonly kind: 'unknownFunction';
      /** Of a call in PostgREST's form. */
      readonly wanted?: WantedFunction;
      /** The function that was probably meant, with its arguments where only these differ. */
      readonly meant?: string | undefined;
    }
  | {
      readonly kind: 'ambiguousFunction';
      readonly wanted?: WantedFunction;
      readonly signatures?: readonly string[];
    }
  | { readonly kind: 'unknownMember'; readonly table: string; readonly name: string }
  | {
      readonly kind: 'unknownTable';
      readonly schema: string;
      readonly name: string;
      readonly meant: string | undefined;
    }
  /** Of SQLSTATE `PGRST`: texts of the database's author that are JSON. */
  | {
      readonly kind: 'raisedAnswer';
      readonly message: string;
      readonly detail: string | undefined;
      readonly shows: boolean;
    }
  | { readonly kind: 'notEmbedded'; readonly name: string }
  | { readonly kind: 'relatedOrder'; readonly origin: string; readonly name: string }
  | {
      readonly kind: 'noRelation';
      readonly origin: string;
      readonly target: string;
      readonly schema: string;
      /** The hint of `target!hint`. */
      readonly by: string | undefined;
      readonly meant: { readonly name: string; readonly insteadOf: string } | undefined;
    }
  | { readonly kind: 'preferences'; readonly ignored: readonly string[] }
  | { readonly kind: 'unfiltered' }
  | {
      readonly kind: 'unknownColumn';
      readonly table: string;
      readonly name: string;
      readonly meant: string | undefined;
    }
  | { readonly kind: 'unknownSchema'; readonly name: string; readonly served: readonly string[] }
  | { readonly kind: 'mediaTypes'; readonly types: readonly string[] }
  | { readonly kind: 'body'; readonly problem: 'json' | 'csv' | 'keys' }
  | { readonly kind: 'bodyType'; readonly type: string }
  /** Of PUT: its filters are not its key, the body has another key, or there is a page. */
  | { readonly kind: 'notTheKey' | 'otherKey' | 'pageOfReplace' }
  | { readonly kind: 'token'; readonly problem: TokenProblem; readonly parts?: number }
  /** A part of the query string that cannot be read, up to the character `at`. */
  | {
      readonly kind: 'parse';
      readonly parameter: string;
      readonly text: string;
      readonly at: number;
      readonly expected: string | undefined;
      /** The character that did not fit, where it is not the one at `at`. */
      readonly found?: string | undefined;
    }
  /** What PostgreSQL says, where its message names the catalogue and no value of a row. */
  | { readonly kind: 'database'; readonly message: string; readonly hint?: string | undefined }
  /** What PostgreSQL would say of a statement that is refused before. */
  | {
      readonly kind: 'refusedStatement';
      readonly state: string;
      readonly message: string;
      readonly hint?: string | undefined;
    };

/** Why a token proves nothing. */
export type TokenProblem =
  | 'empty'
  | 'parts'
  | 'malformed'
  | 'key'
  | 'algorithm'
  | 'expired'
  | 'early'
  | 'issuedLater'
  | 'audience'
  | 'aud'
  | 'exp'
  | 'nbf'
  | 'iat'
  | 'claims';

/** A function as a request names it. */
export interface WantedFunction {
  readonly schema: string;
  readonly name: string;
  /** Of the arguments, sorted. */
  readonly names: readonly string[];
  /** Of a call by POST: the type of a single unnamed argument that would take the body. */
  readonly body: 'json' | 'text' | 'xml' | 'bytea' | undefined;
}

/** One of several ways from a table to another one. */
export interface RelationWay {
  readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';
  readonly table: string;
  /** `messages_sender_id_fkey using messages(sender_id) and users(id)` */
  readonly relationship: string;
  /** What tells it from the others. */
  readonly hint: string;
}

export interface ServerErrorOptions {
  readonly reason?: ErrorReason | undefined;
  readonly details?: string | undefined;
  readonly hint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Of a failure of the database. */
  readonly kind?: FailureKind | undefined;
  /**
   * The client's mistake although the status is 500 or more: nothing that an operator could mend.
   */
  readonly clientsMistake?: boolean | undefined;
  /** No statement of the request has run: another database server can run it. */
  readonly hasNotBegun?: boolean;
}

/**
 * The one error class of the server. Everything in it but the cause may be shown to a client: no
 * SQL, no host, no stack, no row value. `status` is the HTTP status REST answers with; GraphQL
 * shows `code` in `extensions`.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly details: string | undefined;
  readonly hint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whether the client can mend it by sending something else. Otherwise an operator has to look.
   */
  readonly clientsMistake: boolean;
  /** What the database refused, where it was the database. */
  readonly kind: FailureKind | undefined;
  readonly reason: ErrorReason | undefined;
  readonly hasNotBegun: boolean;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    options: ServerErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.details = options.details;
    this.hint = options.hint;
    this.headers = options.headers ?? {};
    this.kind = options.kind;
    this.reason = options.reason;
    this.hasNotBegun = options.hasNotBegun ?? false;
    this.clientsMistake = options.clientsMistake ?? status < 500;
  }
}

/**
 * A mistake in the settings, found at start: the server prints message and hint, and does not come
 * up.
 */
export function misconfigured(message: string, hint: string, cause?: unknown): ServerError {
  return new ServerError(500, codes.misconfigured, message, { hint, cause });
}
