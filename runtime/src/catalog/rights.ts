import type { QualifiedName } from './catalog.js';

/** Columns by their names; `true`: all of them, those that are added later as well. */
export type GrantedColumns = true | readonly string[];

/** What a role may do with a table or a view. */
export interface TableRights extends QualifiedName {
  readonly select: GrantedColumns;
  readonly insert: GrantedColumns;
  readonly update: GrantedColumns;
  readonly delete: boolean;
}

/** A function or procedure, by the names of its inputs. */
export interface DeniedRoutine extends QualifiedName {
  readonly inputs: readonly string[];
}

/**
 * What a database lets a role do, by its grants, those of roles that it inherits from, and those of
 * PUBLIC. Plain JSON, as the database writes it.
 */
export interface RoleRights {
  /** All tables and views of the database. A table that is not listed does not exist. */
  readonly tables: readonly TableRights[];
  /** Those that the role may not execute. */
  readonly denied: readonly DeniedRoutine[];
}

/** Columns that roles may not read, of tables of which they read others. */
export type UnreadColumns = readonly (QualifiedName & {
  readonly role: string;
  /** That of the connection, which requests without a role have. */
  readonly isOwn: boolean;
  readonly columns: readonly string[];
})[];
