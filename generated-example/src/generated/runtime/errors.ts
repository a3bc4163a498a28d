/**
 * Codes of errors that are ours, not the database's. A database error keeps its SQLSTATE. docs/errors.md lists them.
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
  internal: 'TW500',
} as const;

export interface ServerErrorOptions {
  readonly details?: string | undefined;
  readonly hint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * The one error class of the server. Everything in it but the cause may be shown to a client: no SQL, no host, no stack,
 * no row value. `status` is the HTTP status REST answers with; GraphQL shows `code` in `extensions`.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly details: string | undefined;
  readonly hint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

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
  }
}
