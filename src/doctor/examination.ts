import type { Catalog, CatalogConnection, Dialect } from '@tablewright/runtime/model';
import type { RuleCode } from './codes.js';
import type { Found, Rule } from './finding.js';
import type { Serving } from './serving.js';

/** A rule, and its application to the examined facts. */
export interface AppliedRule extends Omit<Rule, 'find'> {
  readonly find: () => readonly Found[];
}

/** A rule that could not be applied, and why. */
export interface SkippedRule {
  readonly rule: RuleCode;
  readonly reason: string;
}

/** The facts of an examined database, and the rules for its kind. */
export interface Examined {
  readonly dialect: Dialect;
  readonly rules: readonly AppliedRule[];
  readonly skipped: readonly SkippedRule[];
}

/** Patterns of the objects that the server serves. */
export interface ServedObjects {
  readonly exclude?: readonly string[] | undefined;
  /** Functions that the configuration names. */
  readonly functions?: readonly string[] | undefined;
}

/** What the doctor examines in a kind of database. */
export interface Examination {
  /** @param schemas the names of the schemas in the catalogue */
  readonly examine: (
    connection: CatalogConnection,
    catalog: Catalog,
    schemas: readonly string[],
    options: ServedObjects & { readonly serving: Serving },
  ) => Promise<Examined>;
}

/** The rules of a kind of database, applied to a subject. */
export const applied = <S>(rules: readonly Rule<S>[], subject: S): readonly AppliedRule[] =>
  rules.map((rule) => ({ ...rule, find: () => rule.find(subject) }));
