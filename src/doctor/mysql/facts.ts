import type { QualifiedName } from '@tablewright/runtime/model';

/**
 * Facts of a MariaDB database that only the doctor needs; see ../facts.ts for why they are not in
 * the catalogue.
 */
export interface MysqlFacts {
  /** The account that the server connects as: `name@host`. */
  readonly account: string;
  readonly rights: readonly Right[];
  /** Every account and role of the server; null where the doctor may not see them. */
  readonly accounts: readonly string[] | null;
  /** Of those: accounts that may do anything. Empty where they cannot be seen. */
  readonly administrators: readonly string[];
  readonly views: readonly MysqlViewFacts[];
  readonly functions: readonly MysqlFunctionFacts[];
  readonly programs: readonly ProgramFacts[];
  readonly indexes: readonly MysqlIndexFacts[];
  readonly counters: readonly CounterFacts[];
}

/** A right of the account that the server connects as. */
export interface Right {
  /** As MariaDB writes it: `SUPER`, `CREATE VIEW`. */
  readonly right: string;
  /** A pattern of LIKE; null: on everything. */
  readonly schema: string | null;
  /** Null: on every table of the schema. */
  readonly table: string | null;
  /** It may be handed on. */
  readonly grantable: boolean;
}

export interface MysqlViewFacts extends QualifiedName {
  /** Its SELECT as the server prints it: every name in backticks. */
  readonly definition: string;
  readonly definer: string;
  readonly runsAsDefiner: boolean;
  readonly checksWrites: boolean;
}

export interface MysqlFunctionFacts extends QualifiedName {
  /** Null where the doctor may not see it. */
  readonly body: string | null;
  readonly returns: string;
  readonly deterministic: boolean;
  readonly access: string;
  readonly definer: string;
  readonly runsAsDefiner: boolean;
}

/** What runs with the rights of the account that made it. */
export interface ProgramFacts extends QualifiedName {
  readonly kind: 'view' | 'procedure' | 'function' | 'trigger';
  readonly definer: string;
}

export interface MysqlIndexFacts extends QualifiedName {
  readonly table: string;
  readonly unique: boolean;
  /** Equal for two indexes that hold the same: method, columns, their lengths and directions. */
  readonly layout: string;
}

/** A column that AUTO_INCREMENT fills. */
export interface CounterFacts extends QualifiedName {
  readonly column: string;
  /** As in `int(10) unsigned`. */
  readonly type: string;
  /** The number of the next row, in decimal digits. */
  readonly next: string;
}
