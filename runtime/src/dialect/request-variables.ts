import type { Driver } from './driver.js';
import type { BoundStatement } from '../plan/statement.js';

/** What functions, policies, triggers and views may read of a request in PostgREST's form. */
const readable = [
  'request.jwt.claims',
  'request.headers',
  'request.cookies',
  'request.method',
  'request.path',
] as const;

/** What they may say of its answer. */
const writable = ['response.headers', 'response.status'] as const;

export type RequestVariable = (typeof readable)[number] | (typeof writable)[number];

export const requestVariables: readonly RequestVariable[] = [...readable, ...writable];

/** Those that no other form of request sets. */
export const requestVariableNames = requestVariables.filter((name) => name !== 'request.jwt.claims');

/** The variables that requests set and read back. */
export interface MentionedVariables {
  /** Whether there are any. */
  readonly isEmpty: () => boolean;
  readonly has: (name: RequestVariable) => boolean;
}

/** The variables of a request, as a database has them. */
export interface RequestVariables {
  /** Those that the code of the database mentions. */
  readonly mentioned: (driver: Driver) => Promise<ReadonlySet<RequestVariable>>;
  /** Answers one row: `response.headers` and `response.status`, null where nothing has set them. */
  readonly readBack: BoundStatement;
  /** Calls a function without arguments, by its name with or without its schema. */
  readonly call: (name: string) => BoundStatement;
  /** Whether there is such a function. */
  readonly exists: (driver: Driver, name: string) => Promise<boolean>;
}
