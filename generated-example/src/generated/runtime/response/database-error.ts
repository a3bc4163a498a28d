import { types } from 'node:util';
import { ServerError, codes } from '../errors.js';

/**
 * What a driver's error tells about a failed statement. `message` and `detail` quote row values and are never shown; the names
 * of the constraint, table and column are of the catalogue and may be.
 * Source: https://www.postgresql.org/docs/current/protocol-error-fields.html
 */
export interface DatabaseErrorFields {
  /** The SQLSTATE. */
  readonly code: string;
  readonly constraint?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  /** Where in the statement's text a parse error is. Errors raised while a value is converted have none. */
  readonly position?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly hint?: string;
  readonly retryAfter?: string;
}

/** SQLSTATE → answer: decisions 6, "Status map". Messages are ours, so that no value of a row reaches a client. */
const answers = new Map<string, Answer>([
  ['23505', { status: 409, message: 'A row with this key exists already.' }],
  ['23503', { status: 409, message: 'The row refers to a row that does not exist, or is referred to by another row.' }],
  ['23P01', { status: 409, message: 'The row conflicts with another row.' }],
  ['23502', { status: 400, message: 'A column that must have a value has none.' }],
  ['23514', { status: 400, message: 'The row breaks a check of its table.' }],
  ['44000', { status: 400, message: 'The row would not be one of the view it is written through.' }],
  [
    '21000',
    {
      status: 400,
      message: 'The request has the same row twice, or a value that is not a single one.',
      hint: 'Rows that are merged have to have different keys.',
    },
  ],
  [
    '42P10',
    {
      status: 400,
      message: 'There is no unique key on these columns.',
      hint: 'Name the columns of a primary key or of a unique constraint or index.',
    },
  ],
  ['22P05', { status: 400, message: 'A text has a character that the database cannot hold.' }],
  ['22021', { status: 400, message: 'A text has a character that the database cannot hold.' }],
  ['54001', { status: 400, message: 'A value is nested too deeply.' }],
  ['22001', { status: 500, message: 'A text is longer than its column takes.' }],
  ['42501', { status: 403, message: 'Permission denied.' }],
  [
    '40001',
    { status: 409, message: 'The request conflicted with another one.', hint: 'Send it again.', retryAfter: '1' },
  ],
  [
    '40P01',
    { status: 409, message: 'The request conflicted with another one.', hint: 'Send it again.', retryAfter: '1' },
  ],
  ['57014', { status: 504, message: 'The database took too long.', hint: 'Ask for fewer rows or filter by an index.' }],
  ['2201B', { status: 400, message: 'The regular expression is malformed.' }],
  [
    '22025',
    { status: 400, message: 'The pattern ends in its escape character.', hint: 'Write `\\\\` for a backslash.' },
  ],
  ['22P02', { status: 500, message: 'A value does not have the form its column needs.' }],
  ['22003', { status: 500, message: 'A number is out of the range of its column.' }],
  ['22007', { status: 500, message: 'A date or time does not have the form its column needs.' }],
  ['22008', { status: 500, message: 'A date or time is out of range.' }],
  ['22009', { status: 500, message: 'A time zone is out of range.' }],
  ['42703', { status: 500, message: 'The database has no such column any more.', hint: 'Generate the server again.' }],
  ['42P01', { status: 500, message: 'The database has no such table any more.', hint: 'Generate the server again.' }],
]);

const noConfiguration: Answer = {
  status: 400,
  message: 'No such full-text search configuration.',
  hint: 'Configurations are called english, german, simple and so on: \\dF in psql lists them.',
};

/** Raised while a full-text query, a jsonpath or a search configuration is converted: these have no position in the SQL text. */
const malformedInput = new Map<string, Answer>([
  [
    '42601',
    {
      status: 400,
      message: 'The full-text query or JSON path is malformed.',
      hint: 'plfts and wfts (search and webSearch over GraphQL) take any text.',
    },
  ],
  ['42704', noConfiguration],
  ['3F000', noConfiguration],
  ['42602', noConfiguration],
  ['0A000', noConfiguration],
]);

const unavailable: Answer = { status: 503, message: 'The database is not available.', retryAfter: '1' };
const unknown: Answer = { status: 500, message: 'The database reported an error.' };

/**
 * A database error as a client may see it: its SQLSTATE, a status (decisions 6), a message of ours, and which constraint, table
 * or column it is about.
 */
export function fromDatabaseError(error: DatabaseErrorFields, cause: unknown): ServerError {
  const answer = answerTo(error);
  return new ServerError(answer.status, error.code, answer.message, {
    details: subjects(error),
    hint: answer.hint,
    ...(answer.retryAfter === undefined ? {} : { headers: { 'retry-after': answer.retryAfter } }),
    cause,
  });
}

function answerTo(error: DatabaseErrorFields): Answer {
  const malformed = error.position === undefined ? malformedInput.get(error.code) : undefined;
  return malformed ?? answers.get(error.code) ?? answerToClass(error.code);
}

/** Connection trouble, exhausted resources and an administrator's stop are whole classes; so are errors in SQL/JSON paths. */
function answerToClass(code: string): Answer {
  if (code.startsWith('08') || code.startsWith('53') || code.startsWith('57P')) return unavailable;
  if (code.startsWith('2203'))
    return { status: 400, message: 'The JSON path does not fit the value it is applied to.' };
  return unknown;
}

function subjects(error: DatabaseErrorFields): string | undefined {
  const parts = [
    error.constraint === undefined ? undefined : `constraint "${error.constraint}"`,
    error.column === undefined ? undefined : `column "${error.column}"`,
    error.table === undefined ? undefined : `table "${error.table}"`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `About ${parts.join(', ')}.`;
}

const sqlState = /^[0-9A-Z]{5}$/;

/** The fields of a driver's error, or undefined when it is no database error. Node's own errors have codes of another form. */
export function databaseErrorFields(error: unknown): DatabaseErrorFields | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  if (typeof code !== 'string' || !sqlState.test(code)) return undefined;
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    code,
    constraint: text('constraint'),
    table: text('table'),
    column: text('column'),
    position: text('position'),
  };
}

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/**
 * Whether Node could not reach the database or lost it; ENOENT is a Unix socket that is not there.
 * Source: Node.js documentation, "Common system errors".
 */
export function isConnectionFailure(error: unknown): boolean {
  // Node's own errors are of another realm where somebody's tests run in a context of their own.
  if (!types.isNativeError(error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  const { code, syscall } = error as NodeJS.ErrnoException;
  return connectionFailures.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect');
}

/** The answer while the database cannot be reached. */
export const databaseUnavailable = (cause: unknown): ServerError =>
  new ServerError(503, codes.unavailable, unavailable.message, {
    hint: 'Try again in a moment.',
    headers: { 'retry-after': '1' },
    cause,
  });
