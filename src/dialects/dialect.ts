import type { Dialect, ModelOptions } from '@tablewright/runtime/model';
import type { NameStyle } from './name-styles.js';

/** A table whose changes are sent to subscribers. */
export interface ReportedTable {
  readonly schema: string;
  readonly name: string;
  readonly key: readonly string[];
}

/** How the database reports changes of rows for GraphQL subscriptions. */
export interface ChangeReports {
  /**
   * The source of changes: what a command was asked for, else what the configuration says, else
   * the default.
   */
  readonly source: (asked: string | undefined, configured: string) => string;
  /** The SQL that makes the database report the changes of these tables to a source. */
  readonly sql: (source: string, tables: readonly ReportedTable[]) => string;
  /**
   * The set-up for the owner of a new project: what subscriptions need, the SQL, and how to print
   * it whole with a command.
   */
  readonly outline: (command: string) => {
    readonly needs: string;
    readonly sql: readonly string[];
    readonly more: readonly string[];
  };
}

/**
 * What the commands know of a kind of database. What the emitted code needs to know is in
 * `emit/dialects/`, what the doctor examines in `doctor/examination.ts`: each command loads only
 * its own code.
 */
export interface ToolDialect {
  readonly name: Dialect;
  /** Whether an address is of this kind of database. */
  readonly speaks: (url: string) => boolean;
  /** The parts of an address in the files of a new project. */
  readonly address: { readonly scheme: string; readonly port: string };
  /** The rules of names that a new project begins with, unless its owner chooses. */
  readonly names: NameStyle;
  /** The types that a new project gives to columns. */
  readonly types?: NonNullable<ModelOptions['types']>;
  /** The packages of a project that only this kind of database needs. */
  readonly packages: readonly DialectPackage[];
  /** Files of a new project for this kind of database alone, and what each is for. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Whether the database shows a rename by names and places: names of indexes belong to one table
   * alone, columns are added at the end only, and no label is ever removed.
   */
  readonly keepsPlaces: boolean;
  /** Whether a schema is a database, which has another name in another environment. */
  readonly schemaIsDatabase: boolean;
  /** What lets a role read tables, as a hint. */
  readonly grantHint: string;
  readonly changes: ChangeReports;
  /** How a script is run, and what statements outside of a transaction mean. */
  readonly script: { readonly run: string; readonly alone: string };
}

/** A package that a project depends on. */
export interface DialectPackage {
  readonly name: string;
  /** The source of changes that needs it. Absent: every project does. */
  readonly changes?: string;
}
