import type { RuleCode } from './codes.js';
import type { Subject } from './subject.js';

/** From the most to the least severe. */
export const severities = ['error', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

export type ObjectKind =
  | 'role'
  | 'schema'
  | 'table'
  | 'view'
  | 'materializedView'
  | 'column'
  | 'policy'
  | 'constraint'
  | 'index'
  | 'function'
  | 'sequence';

/** The SQL that fixes a finding. */
export interface Remedy {
  /**
   * Statements in their order, each with its semicolon. Every identifier is quoted. Empty if no SQL
   * can fix it.
   */
  readonly sql: readonly string[];
  /**
   * `transaction`: together with other statements; `alone`: outside a transaction (CREATE INDEX
   * CONCURRENTLY); `review`: only after a person has decided, because it changes which rows people
   * see or may break working code.
   */
  readonly run: 'transaction' | 'alone' | 'review';
  /** What to know before it is run. */
  readonly note: string | null;
}

/** A finding of a rule about one object. */
export interface Found {
  readonly severity: Severity;
  readonly kind: ObjectKind;
  /**
   * Database names, joined by dots: `kanban.issues`, `kanban.issues.assignee_id`. A role's name
   * alone.
   */
  readonly object: string;
  /** One sentence with the fact. */
  readonly message: string;
  readonly remedy: Remedy;
}

export interface Finding extends Found {
  readonly rule: RuleCode;
  /** Why it matters, in plain words: the rule's. */
  readonly why: string;
}

/** @typeParam S the facts that it examines: a rule applies to one dialect */
export interface Rule<S = Subject> {
  readonly code: RuleCode;
  /** Those that its findings may have, the most severe first. */
  readonly severities: readonly Severity[];
  /** What its findings have in common, as a heading. */
  readonly title: string;
  readonly why: string;
  readonly find: (subject: S) => readonly Found[];
}

/** Statements that can run together in one transaction. */
export const inTransaction = (sql: readonly string[], note: string | null = null): Remedy => ({
  sql,
  run: 'transaction',
  note,
});

/** Statements that each run outside a transaction. */
export const alone = (sql: readonly string[], note: string | null = null): Remedy => ({ sql, run: 'alone', note });

/** Statements that need a decision first. */
export const afterReview = (sql: readonly string[], note: string): Remedy => ({ sql, run: 'review', note });
