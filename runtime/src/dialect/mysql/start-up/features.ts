import type { ServerVersion } from '../catalog/version.js';
import type { DatabaseZone } from './zone.js';

/**
 * The differences between MariaDB and MySQL. Only this table decides; no other code asks which
 * server it is.
 * Sources:
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
  /** JSON is a separate type. Otherwise a JSON column is a text. */
  readonly jsonType: boolean;
  /**
   * `regexp_like(text, pattern, 'c')` with ICU regular expressions. Otherwise `regexp` with PCRE.
   */
  readonly regexpLike: boolean;
  /**
   * The session's time limit applies to every statement. Otherwise it applies to SELECT only, and
   * `kill query` stops writes.
   */
  readonly limitsWrites: boolean;
  /** An UPDATE or DELETE may have a subselect of the table that it changes. */
  readonly readsWrittenTable: boolean;
  /** `set statement sql_mode = '' for select …`. */
  readonly setStatement: boolean;
  /** `begin not atomic … end`: statements sent as one; after a failure the rest does not run. */
  readonly compound: boolean;
  /**
   * A consistent snapshot reports its position in the binary log, so that a reader of the log knows
   * which commits are visible.
   */
  readonly snapshotPosition: boolean;
  /** The time zone of sessions. Absent: UTC. */
  readonly zone?: DatabaseZone;
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

/** Before the server is known, a MySQL must not receive statements that only MariaDB can parse. */
export const assumedFeatures: Features = { ...mariadbFeatures, compound: false };

export const featuresOf = ({ flavour }: ServerVersion): Features =>
  flavour === 'mariadb' ? mariadbFeatures : mysqlFeatures;
