/**
 * A condition on the rows of a table, in the form of GraphQL's `where`. Its values are constants,
 * claims of the token (`claim('userId')`) or the role of the request (`role()`).
 */
export type RuleWhere = Readonly<Record<string, unknown>>;

/** `true`: all rows. `false`: none. */
export type RuleRows = RuleWhere | boolean;

/**
 * The rows and columns of a table that a role may read and write. The table's rule has the parts
 * that are absent here.
 */
export interface RoleRule {
  /** The rows that may be read. */
  readonly read?: RuleRows;
  /**
   * The rows that may be written: a row has to match before it is updated or deleted, and after it
   * is inserted or updated. Default: `read`.
   */
  readonly write?: RuleRows;
  /** Columns that are not there for the role. */
  readonly hide?: readonly string[];
}

/** What everybody may read and write of a table, and what certain roles may instead. */
export interface RowRule extends RoleRule {
  readonly roles?: Readonly<Record<string, RoleRule>>;
}

/** The rules of tables, by `schema.name`: `rules` in the configuration. */
export type RowRules = Readonly<Record<string, RowRule>>;

/** Stands for a value of the request in a RuleWhere. */
export type RuleValue = { readonly claim: string } | { readonly role: true };

/** A rule with everything that it leaves out. */
export interface WholeRule {
  readonly read: RuleRows;
  readonly write: RuleRows;
  readonly hide: readonly string[];
}

/**
 * The rule that holds for a role: each part that the role's own entry has replaces that of the
 * table. A role that may read more does not write more unless it says so.
 */
export function ruleFor({ roles = {}, ...rule }: RowRule, role: string | undefined): WholeRule {
  const { read = true, write = read, hide = [] } = rule;
  const own = role !== undefined && Object.hasOwn(roles, role) ? roles[role] : undefined;
  return { read: own?.read ?? read, write: own?.write ?? write, hide: own?.hide ?? hide };
}
