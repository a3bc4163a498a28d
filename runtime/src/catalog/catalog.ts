/**
 * The catalogue: facts about the database. The model makes every decision about names and types.
 * Every list is ordered by code point of its identifying names, except columns, enum labels,
 * composite attributes, key columns and arguments, which keep the database's order. Plain JSON:
 * `catalog.json` is this value, made portable (see portable.ts).
 */
export interface Catalog {
  readonly dialect: Dialect;
  readonly schemas: readonly SchemaFacts[];
  readonly tables: readonly Table[];
  /**
   * Tables and views of other schemas, which views of `tables` read: their keys are those of the
   * views. Absent: there are none.
   */
  readonly baseTables?: readonly BaseTable[] | undefined;
  readonly enums: readonly EnumType[];
  readonly domains: readonly DomainType[];
  readonly composites: readonly CompositeType[];
  readonly ranges: readonly RangeType[];
  readonly routines: readonly Routine[];
  readonly extensions: readonly Extension[];
  /** The aggregates over any rows. Those of a table are its own. */
  readonly mediaHandlers?: readonly MediaHandler[] | undefined;
}

/** Which kind of database it was read from. */
export type Dialect = 'postgres' | 'mysql';

export interface SchemaFacts {
  readonly name: string;
  readonly comment: string | null;
}

export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

export type TableKind = 'table' | 'partitionedTable' | 'foreignTable' | 'view' | 'materializedView';

/**
 * A relation a client can read. Partitions of a partitioned table are hidden: their parent stands
 * for them.
 */
export interface Table extends QualifiedName {
  readonly kind: TableKind;
  readonly comment: string | null;
  readonly columns: readonly Column[];
  readonly primaryKey: PrimaryKey | null;
  readonly uniques: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly NamedDefinition[];
  readonly exclusions: readonly NamedDefinition[];
  /** Of constraints of every kind. */
  readonly constraintComments: readonly ConstraintComment[];
  readonly indexes: readonly Index[];
  readonly rowSecurity: RowSecurity;
  /** Views only: reloptions that matter to row level security. */
  readonly view: ViewOptions | null;
  /** `pg_relation_is_updatable`: the writes that the relation allows, independent of the role. */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /**
   * The writes that run rules (CREATE RULE), of the table or, for a view, of the tables that it
   * writes to. Absent: none.
   */
  readonly rules?: readonly WriteRule[] | undefined;
  /** The writes that fire AFTER triggers, of the same tables and of their parts. Absent: none. */
  readonly afterTriggers?: readonly WriteEvent[] | undefined;
  /**
   * A unique key or an exclusion of the same tables and of their parts is deferrable: PostgreSQL
   * takes ON CONFLICT only with the columns of another key. Absent: none is.
   */
  readonly deferrableKeys?: true | undefined;
  /**
   * The columns that decide which partition has a row, where a partition is a foreign table, of the
   * table or, for a view, of the tables that it writes to. PostgreSQL does not move an updated row
   * from such a partition to another one. Absent: no partition is foreign.
   */
  readonly routingColumns?: readonly string[] | undefined;
  /**
   * MariaDB: the engine of the table, or of the table that a view writes to, keeps writes that are
   * rolled back (MyISAM, Aria). Absent: it has transactions.
   */
  readonly transactional?: false | undefined;
  /**
   * The privileges of the connecting role. Not part of the fingerprint, nor of `catalog.json`: a
   * catalogue from there has all privileges.
   */
  readonly privileges: Privileges;
  /** Views only: the relations that columns come from unchanged, where there are any. */
  readonly sources?: readonly ViewSource[] | undefined;
  /**
   * Views only: the definition is hidden from the connecting role, or has a form that is not
   * understood, so that sources are not known; or no statement can read the view. Not part of the
   * fingerprint, nor of `catalog.json`.
   */
  readonly unread?: 'hidden' | 'unknown' | 'broken' | undefined;
  /**
   * Other tables inherit from it (INHERITS): their rows are among its rows, and may have the same
   * keys. Absent: none do; partitions do not count.
   */
  readonly inherited?: true | undefined;
  /** The aggregates that write its rows in a media type, one for each type. Absent: none. */
  readonly mediaHandlers?: readonly MediaHandler[] | undefined;
}

/** What a view has of a relation that it reads. */
export type BaseTable = Pick<
  Table,
  'schema' | 'name' | 'kind' | 'primaryKey' | 'uniques' | 'foreignKeys' | 'inherited' | 'sources'
>;

/**
 * An aggregate over the rows of a table, or over any rows, whose result is a domain with the name
 * of a media type. Source: PostgREST, "Media Type Handlers".
 */
export interface MediaHandler extends QualifiedName {
  /** In lower case. It may stand for every type. */
  readonly media: string;
  /**
   * The aggregate takes `anyelement`: rows of the selected columns, and values of functions.
   * Absent: it takes whole rows of a table.
   */
  readonly takesAny?: true | undefined;
  /** The domain is one over `bytea`. */
  readonly isBinary?: true | undefined;
}

export type WriteEvent = 'insert' | 'update' | 'delete';

export interface WriteRule {
  readonly event: WriteEvent;
  /** Whether a rule runs instead of the write. Otherwise all of them run after it or before it. */
  readonly instead: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: TypeRef;
  readonly nullable: boolean;
  /**
   * The default's expression as SQL text, or null. Of a generated column: the expression that
   * generates it.
   */
  readonly default: string | null;
  readonly identity: 'always' | 'byDefault' | null;
  readonly generated: 'stored' | 'virtual' | null;
  readonly updatable: boolean;
  readonly comment: string | null;
}

export type TypeKind = 'base' | 'enum' | 'domain' | 'composite' | 'range' | 'multirange' | 'pseudo';

/**
 * A reference to a type. For an array, `schema`, `name` and `kind` are the element's: `_text` never
 * appears.
 */
export interface TypeRef extends QualifiedName {
  readonly array: boolean;
  readonly kind: TypeKind;
  /**
   * A base type: the schema of the operators that order it, where that is not the schema of the
   * type. Absent: it is.
   */
  readonly operators?: string | undefined;
  /** `atttypmod`; null when there is none. For `vector(N)` it is N. */
  readonly modifier: number | null;
  /** `format_type()`: as one would write it, e.g. `numeric(10,2)`. */
  readonly formatted: string;
  /** MySQL-style text: how it is compared. */
  readonly collation?: string | undefined;
  /** MySQL-style text: a full-text index covers the column alone, so that it can be searched. */
  readonly searchable?: true | undefined;
}

export interface Key {
  readonly name: string;
  readonly columns: readonly string[];
}

/** ON CONFLICT can use neither a deferrable key nor a temporal one (WITHOUT OVERLAPS). */
export interface PrimaryKey extends Key {
  readonly deferrable?: true | undefined;
  readonly temporal?: true | undefined;
}

export interface UniqueKey extends Key {
  readonly nullsNotDistinct: boolean;
  readonly deferrable: boolean;
}

export interface ForeignKey extends Key {
  readonly references: QualifiedName & { readonly columns: readonly string[] };
  /**
   * The operators that compare the referenced key with the columns of this one, by position; null
   * where `=` alone finds it. Absent: `=` finds all of them.
   */
  readonly equality?: readonly (KeyOperator | null)[] | undefined;
  readonly onUpdate: ReferentialAction;
  readonly onDelete: ReferentialAction;
  readonly deferrable: boolean;
}

/** The operator of the index of a key that another table refers to. */
export interface KeyOperator extends QualifiedName {
  /** The type to which the referring column is cast: for its own, `=` would be another operator. */
  readonly as?: QualifiedName | undefined;
}

export type ReferentialAction = 'noAction' | 'restrict' | 'cascade' | 'setNull' | 'setDefault';

/** A constraint known by its definition only: CHECK, EXCLUDE. */
export interface NamedDefinition {
  readonly name: string;
  readonly definition: string;
}

/** `comment on constraint` */
export interface ConstraintComment {
  readonly constraint: string;
  readonly comment: string;
}

export interface Index {
  readonly name: string;
  readonly method: string;
  readonly unique: boolean;
  /** A key column's name, or the expression's SQL text. */
  readonly keys: readonly { readonly column: string | null; readonly expression: string | null }[];
  readonly include: readonly string[];
  readonly predicate: string | null;
  /**
   * Unique indexes: a column has another collation or operator class in the index than by default,
   * so that equal values may be there twice, or different ones may not. Absent: none has.
   */
  readonly comparesOtherwise?: true | undefined;
}

export interface RowSecurity {
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly policies: readonly Policy[];
}

export interface Policy {
  readonly name: string;
  readonly command: 'all' | 'select' | 'insert' | 'update' | 'delete';
  readonly permissive: boolean;
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
}

export interface ViewOptions {
  readonly securityInvoker: boolean;
  readonly securityBarrier: boolean;
}

/** A relation that a view reads columns from: `columns[i]` of the view is `from[i]` of it. */
export interface ViewSource extends QualifiedName {
  readonly columns: readonly string[];
  readonly from: readonly string[];
  /**
   * Whether each row of the view has exactly one of its rows, and each of its rows is in the view
   * at most once.
   */
  readonly single: boolean;
}

export interface Privileges {
  readonly select: boolean;
  readonly insert: boolean;
  readonly update: boolean;
  readonly delete: boolean;
}

export interface EnumType extends QualifiedName {
  readonly labels: readonly string[];
  readonly comment: string | null;
}

export interface DomainType extends QualifiedName {
  readonly base: TypeRef;
  readonly notNull: boolean;
  readonly default: string | null;
  readonly checks: readonly NamedDefinition[];
  readonly constraintComments: readonly ConstraintComment[];
  readonly comment: string | null;
  /** Absent: it has no such casts. */
  readonly representation?: Representation | undefined;
}

/**
 * The functions of the implicit casts between a domain and the forms in which clients read and
 * write its values. PostgreSQL itself never applies casts of a domain.
 * Source: PostgREST, "Domain Representations".
 */
export interface Representation {
  readonly toJson?: QualifiedName | undefined;
  readonly fromJson?: QualifiedName | undefined;
  readonly fromText?: QualifiedName | undefined;
}

/** A free-standing composite type; the row type of a table is in `tables`. */
export interface CompositeType extends QualifiedName {
  readonly attributes: readonly { readonly name: string; readonly type: TypeRef; readonly comment: string | null }[];
  readonly comment: string | null;
}

export interface RangeType extends QualifiedName {
  readonly subtype: TypeRef;
  readonly multirange: QualifiedName | null;
}

/**
 * A function or procedure. Aggregates, window and trigger functions, and those of extensions, are
 * left out.
 */
export interface Routine extends QualifiedName {
  readonly kind: 'function' | 'procedure';
  /** `pg_get_function_identity_arguments`: distinguishes overloads. */
  readonly signature: string;
  readonly arguments: readonly RoutineArgument[];
  /** Null for a procedure. */
  readonly returns: TypeRef | null;
  readonly returnsSet: boolean;
  /** `ROWS 1`: the set is announced as one row at most. */
  readonly returnsOne?: true | undefined;
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  readonly strict: boolean;
  readonly securityDefiner: boolean;
  /**
   * Whether the connecting role may execute it. Not part of the fingerprint, nor of `catalog.json`:
   * read from there, it is true.
   */
  readonly executable: boolean;
  readonly comment: string | null;
}

export interface RoutineArgument {
  /** Empty when the argument has no name. */
  readonly name: string;
  readonly mode: 'in' | 'out' | 'inout' | 'variadic' | 'table';
  readonly type: TypeRef;
  readonly hasDefault: boolean;
}

export interface Extension {
  readonly name: string;
  readonly schema: string;
  /** Empty when read from `catalog.json`. */
  readonly version: string;
}
