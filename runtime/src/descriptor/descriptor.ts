/**
 * Descriptors: the generated code's description of the database. Plain data, one per table, enum,
 * composite and procedure. Every identifier that ever reaches SQL comes from here, and so from the
 * catalogue.
 */

import type { KeyOperator, MediaHandler, Representation, WriteEvent } from '../catalog/catalog.js';

/** The abilities of a type. Operators, projections and encodings are chosen by kind. */
export type Kind =
  | 'int' // int2, int4
  | 'bigint' // int8
  | 'numeric'
  | 'money'
  | 'float'
  | 'boolean'
  | 'text' // text, varchar, char, citext, name
  | 'uuid'
  | 'date'
  | 'time' // time, timetz
  | 'timestamp' // timestamp, timestamptz
  | 'interval'
  | 'json'
  | 'jsonb'
  | 'bytes'
  | 'tsvector'
  | 'vector'
  | 'enum'
  | 'array'
  | 'composite'
  | 'range'
  | 'other'; // shown and compared in its text form

/**
 * A type name as the database knows it; the statement builder quotes it. No schema: it is in
 * pg_catalog.
 */
export interface SqlType {
  readonly schema?: string;
  readonly name: string;
  readonly array?: true;
  /** The schema of its operators, where that is not `schema`. */
  readonly operators?: string;
}

export interface ColumnType {
  readonly kind: Kind;
  /** The cast of a parameter of this type. A domain is cast to its base type. */
  readonly sql: SqlType;
  /** array: its element. range: its subtype. */
  readonly element?: ColumnType;
  /** enum: the key of its descriptor, which is its GraphQL type name. */
  readonly enum?: string;
  /** composite: the key of its descriptor, which is its GraphQL type name. */
  readonly composite?: string;
  /** vector: its dimension, where the column fixes one. */
  readonly dimension?: number;
  /** MySQL-style text: an index for full-text search covers the column alone. */
  readonly searchable?: true;
}

/** The part of a type that both protocols use: everything except its name in the database. */
export type ValueType = Omit<ColumnType, 'sql'>;

export interface ColumnDescriptor {
  /** The database name. */
  readonly name: string;
  /** The GraphQL name, where it is not the database name. */
  readonly field?: string;
  readonly type: ColumnType;
  readonly nullable?: true;
  /** An insert may leave it out although it is not nullable: a default, an identity. */
  readonly hasDefault?: true;
  /** An insert may leave it out because a trigger fills it, as the configuration says. */
  readonly filled?: true;
  /** Never written: generated always, identity always, or not updatable in a view. */
  readonly readOnly?: true;
  /**
   * Written by inserts alone: the column decides which partition has the row, and a partition is a
   * foreign table.
   */
  readonly insertOnly?: true;
  /** Written by updates alone: a role may not insert it. */
  readonly updateOnly?: true;
  /** The role of the API may not write it, or only in the way that is said here. */
  readonly ungranted?: true;
  /** The name of its GraphQL filter input, where it is not shared: for an enum. */
  readonly filter?: string;
  /** In PostgREST's form: the casts of its domain, which make and read the values of clients. */
  readonly representation?: Representation;
  /** Its comment, as GraphQL shows it. */
  readonly description?: string;
}

/**
 * The operators that compare a key with the columns that refer to it, where `=` would not find
 * them; null for the other columns.
 */
export type KeyEquality = readonly (KeyOperator | null)[];

/** How rows of another table belong to a row. `columns[i]` here equals `references[i]` there. */
export interface RelationDescriptor {
  /** The GraphQL field. */
  readonly name: string;
  readonly cardinality: 'one' | 'many';
  /** One row by a unique index: PostgREST, which looks at constraints alone, answers a list. */
  readonly isListInPostgrest?: true;
  /** Of a view that shows a column twice: only PostgREST tells such relations apart. */
  readonly onlyInPostgrest?: true;
  /**
   * Whether the foreign key is on this table (`forward`) or on the other one (`reverse`), or on a
   * junction table.
   */
  readonly direction: 'forward' | 'reverse' | 'through';
  /** The key of the other table's descriptor. */
  readonly table: string;
  /** The foreign key constraint's name: what REST embedding calls a hint. */
  readonly constraint: string;
  readonly columns: readonly string[];
  readonly references: readonly string[];
  /** Not of a junction table. */
  readonly equality?: KeyEquality;
  /**
   * The table whose own rows have the key, without those of tables that inherit from it. Of a
   * junction table: that of the other side.
   */
  readonly own?: { readonly schema: string; readonly name: string };
  /** Junction table: `columns` equal `through.columns`, `through.references` equal `references`. */
  readonly through?: {
    readonly table: string;
    readonly columns: readonly string[];
    readonly references: readonly string[];
    readonly equality?: { readonly columns?: KeyEquality; readonly references?: KeyEquality };
    /** As `own`, of the key on this side. */
    readonly near?: { readonly schema: string; readonly name: string };
  };
  /**
   * The rows are the result of a function for a row of this table; `columns` and `references` are
   * empty then.
   */
  readonly function?: { readonly schema: string; readonly name: string };
}

export interface UniqueDescriptor {
  /** The name of the constraint or the index. */
  readonly name: string;
  /** Its member of the table's GraphQL constraint enum, where it is not the constraint's name. */
  readonly field?: string;
  readonly columns: readonly string[];
  /** NULLS NOT DISTINCT: rows with null are equal, too. */
  readonly nullsEqual?: true;
}

/** A function of a row: a field of the table. */
export interface ComputedDescriptor {
  /** The GraphQL field. */
  readonly name: string;
  readonly function: { readonly schema: string; readonly name: string };
  /** The columns that it takes. Absent: the whole row. */
  readonly columns?: readonly string[];
  readonly type: ColumnType;
  /** Those that follow the row, in order. Absent: none. */
  readonly arguments?: readonly ArgumentDescriptor[];
  /** How the names of GraphQL inputs of its own begin: where it has arguments, or is an enum. */
  readonly inputs?: string;
  readonly description?: string;
}

/** `comment on constraint`: the message when a row breaks it. */
export interface ConstraintMessage {
  readonly constraint: string;
  /** The domain whose constraint it is, as `schema.name`. Absent: it is the table's own. */
  readonly domain?: string;
  readonly message: string;
}

export interface TableDescriptor {
  /** The key of the table: its GraphQL root field, unique in the server, e.g. `kanbanIssues`. */
  readonly field: string;
  /** The GraphQL type, e.g. `KanbanIssues`. */
  readonly type: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view' | 'materializedView';
  readonly columns: readonly ColumnDescriptor[];
  /** Columns that a role may write and not read: reads do not know them. */
  readonly writeOnly?: readonly ColumnDescriptor[];
  readonly primaryKey?: UniqueDescriptor;
  /**
   * Without a primary key: other columns that identify a row, such as the key of the table that a
   * view shows.
   */
  readonly rowKey?: readonly string[];
  /** In PostgREST's form: the keys of all tables that a view shows, where those are more. */
  readonly shownKey?: readonly string[];
  /** The GraphQL field with the global identifier of a row, where `relay` is configured. */
  readonly nodeId?: string;
  /** Unique constraints other than the primary key, and then unique indexes that are as good. */
  readonly uniques?: readonly UniqueDescriptor[];
  /** Columns that are unique, and by which no rows are merged: a deferrable or temporal key. */
  readonly unmergedKeys?: readonly (readonly string[])[];
  /**
   * PostgreSQL takes ON CONFLICT only with the columns of a key, because another one, or an
   * exclusion, is deferrable.
   */
  readonly deferrableKeys?: true;
  readonly relations?: readonly RelationDescriptor[];
  /** Relations that REST alone embeds: GraphQL has no fields for them. */
  readonly embedded?: readonly RelationDescriptor[];
  readonly computed?: readonly ComputedDescriptor[];
  /** Of the table's constraints, and of the domains of its columns. */
  readonly constraintMessages?: readonly ConstraintMessage[];
  readonly insertable?: true;
  readonly updatable?: true;
  readonly deletable?: true;
  /** Writes that run rules of the database: PostgreSQL allows no WITH and no ON CONFLICT there. */
  readonly rules?: readonly WriteEvent[];
  /** Writes after which triggers or rules may change the row: the answer is read afterwards. */
  readonly changedAfter?: readonly WriteEvent[];
  /** MariaDB: its engine keeps writes that are rolled back (MyISAM, Aria). */
  readonly transactional?: false;
  /** In PostgREST's form: the aggregates that write its rows in a media type. */
  readonly mediaHandlers?: readonly MediaHandler[];
  /** Rows of tables that inherit from it are among its rows, and may have the same keys. */
  readonly inherited?: true;
  /** Its comment, as GraphQL shows it. */
  readonly description?: string;
}

export interface EnumDescriptor {
  /** The GraphQL enum type, e.g. `KanbanIssueStatus`. */
  readonly type: string;
  readonly schema: string;
  readonly name: string;
  /** In the enum's order. `name` is the GraphQL value, where it is not the label. */
  readonly values: readonly { readonly label: string; readonly name?: string }[];
  readonly description?: string;
}

export interface CompositeDescriptor {
  readonly type: string;
  readonly schema: string;
  readonly name: string;
  readonly attributes: readonly AttributeDescriptor[];
  /** A result of a function, and never an argument: GraphQL has no input for it. */
  readonly outputOnly?: true;
  readonly description?: string;
}

export interface AttributeDescriptor {
  readonly name: string;
  readonly field?: string;
  readonly type: ColumnType;
  readonly description?: string;
}

export interface ProcedureDescriptor {
  /** The GraphQL mutation field, e.g. `callShopPlaceOrder`. */
  readonly field: string;
  readonly kind: 'procedure' | 'function';
  readonly schema: string;
  readonly name: string;
  readonly arguments: readonly ArgumentDescriptor[];
  readonly returnsSet?: true;
  readonly returns?: ColumnType;
  readonly description?: string;
}

export interface ArgumentDescriptor {
  readonly name: string;
  readonly field?: string;
  readonly mode: 'in' | 'out' | 'inout' | 'variadic';
  readonly type: ColumnType;
  /**
   * The declared domain: a value is cast to it, because overloads may differ by it. `type` is its
   * base type.
   */
  readonly domain?: SqlType;
  readonly hasDefault?: true;
}

/** One of several result sets: the rows of a table, by its key, or columns. */
export type AnsweredSet =
  { readonly table: string } | { readonly columns: readonly { readonly name: string; readonly type: ColumnType }[] };

/** A function that the configuration lists: a field of Query, or of Mutation where it may write. */
export interface FunctionDescriptor {
  /** The GraphQL field, e.g. `shopSearchProducts`. */
  readonly field: string;
  readonly operation: 'query' | 'mutation';
  readonly schema: string;
  readonly name: string;
  /** Those that a call gives, in order. */
  readonly arguments: readonly ArgumentDescriptor[];
  readonly returnsSet?: true;
  /** The key of the table whose rows it answers. */
  readonly table?: string;
  /** The type of its result, unless that is a table's row. Absent: nothing (`void`). */
  readonly returns?: ColumnType;
  /**
   * It has OUT parameters or is declared as TABLE (…): they are the attributes of the composite
   * type that `returns` names.
   */
  readonly record?: true;
  /**
   * Of a list of values: how the names of the GraphQL inputs begin that filter and sort them.
   * Absent: they are not filtered.
   */
  readonly inputs?: string;
  /**
   * In PostgREST's form: the columns of a composite result that is no table's row, as those of
   * TABLE (…).
   */
  readonly columns?: readonly { readonly name: string; readonly type: ColumnType }[];
  /**
   * In PostgREST's form: the media type that its result has, in lower case: the name of the domain
   * that it returns. It may stand for every type.
   */
  readonly media?: string;
  /**
   * It is a procedure of MariaDB that answers the rows of its result set: the modes of all its
   * parameters, in order. `arguments` has no OUT parameters.
   */
  readonly resultSet?: readonly ('in' | 'out' | 'inout')[];
  /** What its result sets have, where it answers several: their list is its result, in JSON. */
  readonly sets?: readonly AnsweredSet[];
  /** The procedure that it is: as REST calls it, and without OUT parameters among `arguments`. */
  readonly procedure?: ProcedureDescriptor;
  /** In PostgREST's form: it runs with the rights of its owner. */
  readonly securityDefiner?: true;
  readonly description?: string;
}
