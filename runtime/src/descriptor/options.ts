import type { RowRules } from './row-rules.js';

/**
 * The options of the configuration about names, types and served objects. Everything has a default:
 * no options is fine.
 */
export interface ModelOptions {
  /**
   * Names to use instead of the derived ones, keyed by database name: `{ 'kanban.issues': { name:
   * 'Issue' } }`.
   */
  readonly rename?: Readonly<Record<string, Rename>>;
  /**
   * Objects to leave out: `schema.table`, `schema.table.column` or `schema.routine`; `*` stands for
   * any text within one name.
   */
  readonly exclude?: readonly string[];
  /**
   * Functions to expose as fields of Query or Mutation, as `schema.function`; `*` as in `exclude`.
   */
  readonly functions?: readonly string[];
  /**
   * Computed fields of stored functions, by `schema.table` and name: those of MariaDB take columns
   * instead of a row.
   */
  readonly computed?: Readonly<Record<string, Readonly<Record<string, GivenComputed>>>>;
  /** What procedures of MariaDB answer, by `schema.procedure`. */
  readonly procedures?: Readonly<Record<string, GivenProcedure>>;
  /**
   * What columns are instead of what the database says, for databases without such types: by
   * `schema.table.column`, `*` as in `exclude`, or by a type of the database, as `tinyint(1)`.
   */
  readonly types?: Readonly<Record<string, GivenType>>;
  /** View columns that are never null, as `schema.view.column`; `*` as in `exclude`. */
  readonly notNull?: readonly string[];
  /**
   * Columns that new rows may lack though they have no default, because a trigger fills them: as
   * `schema.table.column`; `*` as in `exclude`.
   */
  readonly optional?: readonly string[];
  /**
   * Columns that identify a row of a view (or of a table without a primary key), by
   * `schema.view`. They are never null.
   */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /** Relations that no foreign key states, by the `schema.table` that has the referring columns. */
  readonly relations?: Readonly<Record<string, readonly GivenRelation[]>>;
  /** The rules that names follow where `rename` gives none. */
  readonly names?: Names;
  /** Gives rows a global identifier, and Query `node` and `nodes`. Absent: neither. */
  readonly relay?: Relay;
  /** The form of enum labels in GraphQL: unchanged, or in upper case. */
  readonly enumOutput?: 'label' | 'upper';
  /** Which rows and columns identities may read and write, by `schema.table`. */
  readonly rules?: RowRules;
  /** Clients whose types are written, too: `supabase.ts` for supabase-js. */
  readonly clients?: readonly Client[];
  /**
   * `false`: openapi.json and schema.graphql are not written. The server makes them from the
   * catalogue and serves them.
   */
  readonly apiDocuments?: false;
  /** `true`: AGENTS.md is written, for programs that write code. */
  readonly agentsFile?: true;
  /** How int8 is written (`app.types.bigint`): described in openapi.json. */
  readonly bigint?: 'auto' | 'string' | 'number';
  /** How numeric is written (`app.types.numeric`): described in openapi.json. */
  readonly numeric?: 'number' | 'string';
  /** Whether `/api/v1` calls procedures (`app.rest.procedures`): described in openapi.json. */
  readonly restProcedures?: boolean;
}

export const givenTypes = ['boolean', 'json', 'database'] as const;

/** `database`: what the database says, where a broader entry says something else. */
export type GivenType = (typeof givenTypes)[number];

/** A function that is a field of a table. */
export interface GivenComputed {
  /** As `schema.function`. */
  readonly function: string;
  /** The columns that are its first arguments, in order. The others are arguments of the field. */
  readonly columns: readonly string[];
}

/** A procedure whose first result set is its answer. */
export interface GivenProcedure {
  /**
   * The rows: those of a table or view, as `schema.table`, or the types of their columns by name. A
   * type is one of the database, or a column as `schema.table.column`, whose type it is. A list:
   * those of its result sets, in their order, all of which are answered.
   */
  readonly returns: GivenSet | readonly GivenSet[];
}

export type GivenSet = string | Readonly<Record<string, string>>;

export const typedClients = ['supabase'] as const;

export type Client = (typeof typedClients)[number];

/**
 * A relation as a foreign key would state it: `columns[i]` here equals `references[i]` of the other
 * table.
 */
export interface GivenRelation {
  readonly columns: readonly string[];
  /** The other one, as `schema.table`. */
  readonly table: string;
  readonly references: readonly string[];
  /** What REST takes as a hint; without it `<table>_<columns>_fkey`. */
  readonly name?: string;
}

/**
 * The rules of names, each with its default first. Types, root fields, columns and relations of
 * both protocols follow them.
 */
export interface Names {
  /**
   * Whether names of tables, types and routines begin with their schema: always, where tables of
   * several schemas are served, or never.
   */
  readonly schemaPrefix?: 'always' | 'several' | 'never';
  /**
   * How columns, attributes and arguments are called over GraphQL and REST: as in the database, or
   * in camel case.
   */
  readonly columns?: 'database' | 'camel';
  /**
   * How relations are called: by schema, table and column, or after the column or the table alone.
   */
  readonly relations?: 'contract' | 'simple';
}

/** Source: https://relay.dev/docs/guides/graphql-server-specification/ */
export interface Relay {
  /** The field of the interface `Node`. Relay's compiler calls it `nodeInterfaceIdField`. */
  readonly nodeId?: string;
}

/**
 * New names of one table, view, enum, composite or routine. All of them are names in GraphQL, and
 * are used unchanged.
 */
export interface Rename {
  /**
   * Of the type, or of a routine's mutation field. A table's fields and inputs follow: `Issue` →
   * `issue`, `IssueWhereInput`.
   */
  readonly name?: string;
  /** Tables: the root field, where it should not be the type's name in lower camel case. */
  readonly field?: string;
  /** Tables and composites: by column. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Tables: by the name the relation has without this. */
  readonly relations?: Readonly<Record<string, string>>;
  /** Enums: by label. */
  readonly values?: Readonly<Record<string, string>>;
}
