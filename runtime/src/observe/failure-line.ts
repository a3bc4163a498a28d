import { ServerError } from '../errors.js';

/** A failure as a line of the log. Failures with the same key are the same trouble. */
export interface FailureLine {
  readonly key: string;
  /** An Error is written with its stack: only where the stack is of our own code. */
  readonly err: unknown;
}

/**
 * What a client may not see is what the log is for. Details and contexts of the database are left
 * out: they quote values of rows.
 */
export function failureLine(error: unknown): FailureLine {
  if (!(error instanceof ServerError)) return lineOf(error, undefined);
  // Any unreachable address counts as the same outage.
  if (error.status === 503) return { key: '503', err: withoutStack(error.cause ?? error, error.code) };
  return lineOf(error.cause ?? error, error.code);
}

function lineOf(cause: unknown, code: string | undefined): FailureLine {
  const message = cause instanceof Error ? cause.message : String(cause);
  const key = `${code ?? ''} ${message.slice(0, 200)}`;
  return { key, err: isOfDatabase(cause) ? withoutStack(cause, code) : cause };
}

/** Its stack is always that of the driver's parser. */
const isOfDatabase = (cause: unknown): boolean => cause instanceof Error && 'severity' in cause;

function withoutStack(cause: unknown, code: string | undefined): Readonly<Record<string, unknown>> {
  if (!(cause instanceof Error)) return { code, message: String(cause) };
  const field = (name: string): unknown => Reflect.get(cause, name);
  const members = ['code', 'schema', 'table', 'column', 'constraint', 'routine'].map((name) => [name, field(name)]);
  const message = cause.message === '' ? (firstOf(cause) ?? code) : cause.message;
  const named = Object.fromEntries(members.filter(([, value]) => typeof value === 'string')) as Record<string, unknown>;
  return { ...named, message };
}

/** Node reports an error for each address that it tried, and no text for all of them. */
function firstOf(cause: Error): string | undefined {
  const errors: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [];
  const [first] = errors;
  return first instanceof Error ? first.message : undefined;
}
