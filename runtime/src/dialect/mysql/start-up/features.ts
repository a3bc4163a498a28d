import type { ServerVersion } from '../catalog/version.js';

/**
 * What MariaDB and MySQL do differently. Statements follow this table, and nothing else asks which
 * of the two a server is. Sources:
 * https://mariadb.com/kb/en/incompatibilities-and-feature-differences-between-mariadb-and-mysql-unmaintai/
 * and the MySQL 8.0 Reference Manual.
 */
export interface Features {
  /**
   * `INSERT … RETURNING` and `DELETE … RETURNING`. Without them rows are read by their keys, in the
   * same transaction.
   */
  readonly returning: boolean;
  /**
   * A derived table may refer to the row around it. Without it the keys of a nested list are read
   * first, as JSON.
   */
  readonly correlatedDerivedTables: boolean;
  /** JSON is a type of its own. Without it a JSON column is a text. */
  readonly jsonType: boolean;
  /**
   * `regexp_like(text, pattern, 'c')`, with the regular expressions of ICU. Without it: `regexp`,
   * with those of PCRE.
   */
  readonly regexpLike: boolean;
  /**
   * The time limit of a session is about every statement. Without it: about SELECT alone, and
   * writes are stopped by `kill query`.
   */
  readonly limitsWrites: boolean;
  /** An UPDATE or DELETE may have a subselect of the table that it changes. */
  readonly readsWrittenTable: boolean;
  /** `set statement sql_mode = '' for select …`. */
  readonly setStatement: boolean;
  /**
   * `begin not atomic … end`: statements that are sent as one, of which the rest is not run when
   * one fails.
   */
  readonly compound: boolean;
  /**
   * A consistent snapshot says its place in the binary log, so that a reader of the log knows which
   * commits are visible.
   */
  readonly snapshotPosition: boolean;
}

export const mariadbFeatures: Features = {
  returning: true,
  correlatedDerivedTables: false,
  jsonType: false,
  regexpLike: false,
  limitsWrites: true,
  readsWrittenTable: true,
  setStatement: true,
  compound: true,
  snapshotPosition: true,
};

/** MySQL 8.0.19 and later. */
export const mysqlFeatures: Features = {
  returning: false,
  correlatedDerivedTables: true,
  jsonType: true,
  regexpLike: true,
  limitsWrites: false,
  readsWrittenTable: false,
  setStatement: false,
  compound: false,
  snapshotPosition: false,
};

/** Before the server is known: what only MariaDB can parse is not sent to a MySQL either. */
export const assumedFeatures: Features = { ...mariadbFeatures, compound: false };

export const featuresOf = ({ flavour }: ServerVersion): Features =>
  flavour === 'mariadb' ? mariadbFeatures : mysqlFeatures;
