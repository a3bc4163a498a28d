import type { DatabaseFailure } from '../plan/failure.js';
import { ServerError, type FailureKind } from '../errors.js';

/** How a kind of failure is answered. */
interface KindAnswer {
  readonly status: number;
  /** The same request may succeed in a moment. */
  readonly retry?: true;
  /**
   * The client sent something wrong although the status is 500, which the contract wants: nothing
   * an operator could fix.
   */
  readonly clientsMistake?: true;
}

/** Source: decision 006. */
const answers: Readonly<Record<FailureKind, KindAnswer>> = {
  unique: { status: 409 },
  foreignKey: { status: 409 },
  exclusion: { status: 409 },
  notNull: { status: 400 },
  check: { status: 400 },
  malformed: { status: 400 },
  invalidValue: { status: 500, clientsMistake: true },
  denied: { status: 403 },
  serialization: { status: 409, retry: true },
  locked: { status: 409, retry: true },
  timeout: { status: 504 },
  readOnly: { status: 503, retry: true },
  unavailable: { status: 503, retry: true },
  limit: { status: 500 },
  // The contract's status of a missing column. The server looks at the database now.
  outdated: { status: 500, retry: true },
  broken: { status: 500 },
  raised: { status: 400 },
  unknown: { status: 500 },
};

/** The facts of a failure, beside the database's own text. */
export interface FailureContext {
  /**
   * Whether messages that the database's author wrote are shown: `app.errors.database-messages`.
   */
  readonly showsMessages?: boolean | undefined;
  /** The comment on the constraint that was broken. */
  readonly constraintMessage?: string | undefined;
  /** The columns of the constraint that was broken. */
  readonly constraintColumns?: readonly string[] | undefined;
}

/**
 * A failure as a client may see it: the database's code, a status, which constraint, table or
 * column it is about, and a message: of ours, or the author's own where the author of the database
 * raised the error or commented on the constraint.
 */
export function failureAnswer(failure: DatabaseFailure, cause: unknown, context: FailureContext = {}): ServerError {
  const { kind, code, message, hint, suspect, databaseText } = failure;
  const showsMessages = context.showsMessages === true;
  if (kind === 'raised') return raised(failure, cause, showsMessages);
  const { status, retry, clientsMistake } = answers[kind];
  const authored = showsMessages ? context.constraintMessage : undefined;
  return new ServerError(status, code, authored ?? message, {
    details: aboutConstraint(failure, context.constraintColumns) ?? subjects(failure) ?? aboutColumn(suspect),
    hint: authored === undefined ? hint : undefined,
    headers: retry === true ? { 'retry-after': '1' } : {},
    clientsMistake,
    kind,
    cause,
    reason:
      showsMessages && authored === undefined && databaseText !== undefined
        ? { kind: 'database', ...databaseText }
        : undefined,
  });
}

/**
 * An error that a function, a trigger or a procedure raises is meant for the client, as its author
 * wrote it.
 */
function raised(failure: DatabaseFailure, cause: unknown, showsMessages: boolean): ServerError {
  const { kind, code, message, detail, hint, status = answers.raised.status } = failure;
  const headers = raisedHeaders(status);
  const reason =
    code === 'PGRST' ? ({ kind: 'raisedAnswer', message, detail, shows: showsMessages } as const) : undefined;
  const options = { headers, kind, cause, reason };
  if (!showsMessages) return new ServerError(status, code, refusedByRule, options);
  return new ServerError(status, code, message, { details: detail ?? subjects(failure), hint, ...options });
}

/** What is said where the texts of the database's author are hidden. */
export const refusedByRule = 'A rule of the database refused the request.';

/** Headers that these statuses need: RFC 9110, 11.6.1 and 10.2.3. */
function raisedHeaders(status: number): Readonly<Record<string, string>> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return status === 503 || status === 429 ? { 'retry-after': '1' } : {};
}

function aboutConstraint(failure: DatabaseFailure, columns: readonly string[] | undefined): string | undefined {
  if (columns === undefined) return undefined;
  const names = columns.map((name) => `"${name}"`).join(', ');
  return `About constraint "${failure.constraint ?? ''}" on ${names} of table "${failure.table ?? ''}".`;
}

const aboutColumn = (column: string | undefined): string | undefined =>
  column === undefined ? undefined : `About column "${column}".`;

function subjects({ constraint, column, table, subject }: DatabaseFailure): string | undefined {
  const parts = [
    constraint === undefined ? undefined : `constraint "${constraint}"`,
    column === undefined ? undefined : `column "${column}"`,
    table === undefined ? undefined : `table "${table}"`,
    subject,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `About ${parts.join(', ')}.`;
}

const passing: ReadonlySet<FailureKind> = new Set(['serialization', 'locked', 'timeout', 'unavailable', 'limit']);

/**
 * Failures that say nothing of the request: sent again, the same statement may succeed, and a part
 * of it would fail or not as chance has it.
 */
export const isPassing = ({ status, kind }: ServerError): boolean =>
  status >= 503 || (kind !== undefined && passing.has(kind));
