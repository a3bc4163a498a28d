import { GraphQLError } from 'graphql';
import { copyWith } from '../../copy-with.js';
import { joined, type Text } from '../../joined.js';
import { ServerError, codes } from '../../errors.js';
import type { Identity, RunOptions } from '../../dialect/driver.js';
import type { RowFilter } from '../../plan/context.js';
import type { Services } from '../../execute/services.js';
import type { Introspected } from './introspector.js';
import type { Transaction } from '../../execute/transaction.js';

/** The identity, and the time limit of the answer. */
export interface Exchange {
  readonly identity: Identity;
  readonly options: RunOptions;
  /** Receives the end of each stage: `parse`, `plan`, `database`. */
  readonly mark?: (stage: string) => void;
  /**
   * The transaction of the mutation that a resolver asks from: its document is read and written
   * inside it.
   */
  readonly transaction?: Transaction;
  /** A mutation is refused: the request came by GET. */
  readonly queriesOnly?: boolean;
  /** The query failed over another state of the database. */
  readonly isRepeated?: true;
}

/** A request, and the rows that its sender may read. */
export type FilteredExchange = Exchange & { readonly rowFilter?: RowFilter | undefined };

/**
 * Asks the user's hooks which rows the sender may read. Without hooks nothing is copied.
 */
export function withRowFilter(exchange: Exchange, { rowFilter }: Pick<Services, 'rowFilter'>): FilteredExchange {
  return rowFilter === undefined ? exchange : copyWith(exchange, { rowFilter: rowFilter(exchange.identity) });
}

/** What graphql-js made of a document. `data` is JSON. */
export interface Executed {
  readonly kind: 'answered';
  readonly data: Text;
  readonly errors: readonly unknown[];
  /** Nothing was written. */
  readonly isRead?: true;
}

/**
 * What introspection had a part in: the whole body, in bytes, since there may be a hundred
 * megabytes of it.
 */
export interface IntrospectionOutcome {
  readonly kind: 'introspected';
  readonly answer: Pick<Introspected, 'body' | 'compressed'>;
  readonly errors: readonly unknown[];
}

/** What became of a request. `refused`: it was not executed. */
export type Outcome =
  { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] } | Executed | IntrospectionOutcome;

/**
 * A document that exceeds a limit is refused like an invalid document. The error of a single field
 * does not refuse the document, and the answer has `data`:
 * https://spec.graphql.org/October2021/#sec-Errors.Field-errors
 */
export function refusalOf(error: unknown): Outcome | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const { originalError } = error;
  const refused = originalError instanceof ServerError && originalError.code === codes.limitExceeded;
  return refused ? { kind: 'refused', errors: [error] } : undefined;
}

export const failedWith = (error: unknown): Executed => ({ kind: 'answered', data: 'null', errors: [error] });

/** The data of an outcome, parsed: for resolvers that ask. */
export function dataOf(outcome: Outcome): Readonly<Record<string, unknown>> {
  switch (outcome.kind) {
    case 'refused':
      return {};
    case 'introspected':
      return (JSON.parse(outcome.answer.body.toString()) as { readonly data: Readonly<Record<string, unknown>> }).data;
    case 'answered':
      return JSON.parse(joined(outcome.data).toString()) as Readonly<Record<string, unknown>>;
  }
}
