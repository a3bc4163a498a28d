import type { ApiSubject } from '@tablewright/runtime/model';
import type { Rename } from './renames/index.js';

/**
 * `breaking`: a request that worked fails. `dangerous`: it works, and its client may not expect the
 * answer.
 */
export const severities = ['breaking', 'dangerous', 'safe'] as const;

export type Severity = (typeof severities)[number];

/** One difference that a client can see. */
export interface ClientChange {
  readonly severity: Severity;
  readonly protocol: 'graphql' | 'rest';
  /** The rule that found it: graphql-js's type of change, or that of `compareModels`. */
  readonly code: string;
  /**
   * `schema.name` of the table, view, enum or composite, or a procedure's GraphQL field; null where
   * no one object is changed.
   */
  readonly object: string | null;
  /** The table as `schema.name`. Of an enum: the table of the first column that has it. */
  readonly table: string | null;
  readonly column: string | null;
  /** Differences for clients. */
  readonly description: string;
  /** Changes of the database. */
  readonly reason: string;
}

/** Changes with one cause: the effect of a migration on one object. */
export interface ChangeGroup {
  /** Undefined: the configuration or the generator has changed a name. */
  readonly subject: ApiSubject | undefined;
  readonly severity: Severity;
  readonly rename: Rename | undefined;
  readonly reason: string;
  readonly changes: readonly ClientChange[];
}

/** The differences that clients of one state of the API see in another state. */
export interface ApiComparison {
  readonly renames: readonly Rename[];
  /** Breaking ones first, then in the order of the tables. */
  readonly groups: readonly ChangeGroup[];
}

/** The gravest of several. */
export const gravest = (found: readonly Severity[]): Severity =>
  severities.find((severity) => found.includes(severity)) ?? 'safe';

/** How many changes of each severity there are. */
export function countChanges(changes: readonly Pick<ClientChange, 'severity'>[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity): number => changes.filter((each) => each.severity === severity).length;
  return { breaking: count('breaking'), dangerous: count('dangerous'), safe: count('safe') };
}

/** All changes of a comparison, without their groups. */
export const changesOf = ({ groups }: ApiComparison): readonly ClientChange[] =>
  groups.flatMap(({ changes }) => changes);
