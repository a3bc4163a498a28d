import type { MediaHandler, Representation } from '../../catalog/catalog.js';
import type { ColumnType, FunctionDescriptor, KeyEquality, SqlType } from '../../descriptor/descriptor.js';
import type { Inputs } from '../intent.js';
import type { Count, Parameter } from '../parameter.js';

/**
 * Plan: an intent, checked and complete. Every name is known to exist, every limit is clamped,
 * every order is total where it has to be, every relation is a join, and every value is a parameter
 * with its type. Nothing in it is SQL yet, and no value is text.
 */
export type Plan = DocumentPlan | RowsPlan | RowPlan | ChangesPlan;

export interface DocumentPlan {
  readonly kind: 'document';
  readonly fields: readonly RootPlan[];
}

export interface RowsPlan {
  readonly kind: 'rows';
  readonly read: ReadPlan;
  /** `limited`: exact up to `limitedCount`, and unknown beyond. */
  readonly count: 'none' | 'exact' | 'planned' | 'estimated' | 'limited';
  readonly format: RowsFormat;
  readonly stripsNulls?: true;
  readonly isBare?: true;
  /** `estimated`: up to here the count is exact. */
  readonly countCeiling: number;
  /** Up to here a count is exact instead of an estimate, which would reveal hidden rows. */
  readonly limitedCount: number;
}

/**
 * How rows are written. GeoJSON is written by a function of an extension, where the database has
 * geometries by one, and a media type by an aggregate.
 */
export type RowsFormat = 'json' | 'csv' | { readonly geojson: TableName | undefined } | HandledFormat;

export interface HandledFormat {
  readonly handler: MediaHandler;
  /** The table whose whole rows the aggregate takes. Absent: rows of the selected columns. */
  readonly of?: TableName;
}

export interface RowPlan {
  readonly kind: 'row';
  readonly read: ReadPlan;
}

export interface ChangesPlan {
  readonly kind: 'changes';
  readonly table: ReadTable;
  /**
   * The columns of the key, by the names that a client knows, and the values of each that are
   * looked for.
   */
  readonly keys: readonly { readonly as: string; readonly column: string; readonly values: Parameter }[];
  readonly where?: Condition;
  readonly rows: readonly (readonly SelectionPlan[])[];
  /** The selection of the rows before the write, and their place as JSON objects. */
  readonly former?: { readonly values: Parameter; readonly rows: readonly (readonly SelectionPlan[])[] };
  readonly style: Style;
}

export type RootPlan =
  | { readonly kind: 'list' | 'one'; readonly as: string; readonly read: ReadPlan }
  | { readonly kind: 'connection'; readonly as: string; readonly connection: ConnectionPlan }
  | { readonly kind: 'aggregate'; readonly as: string; readonly aggregate: AggregatePlan }
  | { readonly kind: 'value'; readonly as: string; readonly value: ValuePlan }
  | { readonly kind: 'nothing'; readonly as: string }
  | { readonly kind: 'nodes'; readonly as: string; readonly reads: readonly (ReadPlan | undefined)[] }
  | ConstantPlan;

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/**
 * A table that is read, with the condition of the rows that the caller may read. `tableIn` of the
 * dialects (dialect/sql/condition.ts) alone makes FROM of it, with this condition.
 */
export interface ReadTable extends TableName {
  readonly rowFilter?: Condition;
  /** Without the rows of tables that inherit from it. */
  readonly isOnly?: true;
}

/** A table that is written. */
export interface WrittenTable extends TableName {
  /** This write runs rules of the database. */
  readonly runsRules?: true;
  /** Its keys are not those of rows of tables that inherit from it. */
  readonly inherited?: true;
  /** Rows of tables that inherit from it are neither found nor written. */
  readonly isOnly?: true;
}

/** An argument of a function or a procedure, in the place that it has there. */
export interface CallArgument {
  /** Among all arguments. */
  readonly position: number;
  readonly name: string;
  readonly mode: 'in' | 'out' | 'inout' | 'variadic';
  /** The cast of a value. */
  readonly type: SqlType;
  /** Absent: an OUT parameter of a procedure, which is called with a NULL in its place. */
  readonly parameter?: Parameter;
}

/** The arguments of a function, without those that take their default. */
export interface GivenCall {
  readonly arguments: readonly CallArgument[];
}

/**
 * Rows that a function has answered in an earlier statement. Their array is the first value of its
 * row, which is in the inputs as `answerIn` finds it.
 */
export interface HeldRows {
  readonly held: true;
  /** Of rows that a procedure has answered: they are JSON, and need the types of their columns. */
  readonly set?: HeldSet;
}

export interface HeldSet {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType; readonly nullable?: true }[];
  /** A name that no column has: of the place of a row among the rows. */
  readonly number: string;
}

/** A call of a function. */
export interface CallSource extends TableName, GivenCall {
  readonly returnsSet: boolean;
  /** See FunctionDescriptor. */
  readonly resultSet?: NonNullable<FunctionDescriptor['resultSet']>;
  /**
   * The function answers no rows of a table: the names of the columns of its result, or the name
   * that its value gets. The statement calls it once.
   */
  readonly answers?: { readonly columns: readonly string[] } | { readonly value: string };
}

/** The result of a function that is no table's row. */
export interface ValuePlan {
  readonly call: CallSource;
  /** Absent: `void`. */
  readonly type?: ColumnType;
  /** The names of the columns that it answers, where it has some: the members of `type`. */
  readonly columns?: readonly string[];
  readonly select?: readonly AttributePlan[];
  /** Of a list: which values, and in which order. Absent: all, as the function answers them. */
  readonly chosen?: Pick<ReadPlan, 'where' | 'order' | 'limit' | 'offset' | 'reach'>;
  /** The most values of a list. */
  readonly limit: number;
  readonly style: Style;
}

/** How values that the protocols and the settings show differently are written. */
export interface Style {
  readonly bigint: 'string' | 'number';
  readonly numeric: 'string' | 'number';
  readonly enums: 'name' | 'label';
  /** Composite attributes are named by their GraphQL field or by the database. */
  readonly attributes: 'field' | 'name';
  /** Values are as the database itself writes them in JSON. */
  readonly isNative?: true;
}

export interface ReadPlan {
  readonly table: ReadTable;
  /** The function whose answer stands in the table's place, or what it has answered. */
  readonly from?: CallSource | HeldRows;
  readonly select: readonly SelectionPlan[];
  readonly where?: Condition;
  readonly order: readonly OrderPlan[];
  readonly distinctOn?: DistinctPlan;
  /** Absent: a relation to one row by its key, which needs none. */
  readonly limit?: Limit;
  readonly offset?: Limit;
  /** Rows are grouped by every selection without an aggregate; the order is by some of these. */
  readonly grouped?: true;
  /**
   * No request of the statement's reaches further than this many rows. Present where limit or
   * offset differ from one to the next.
   */
  readonly reach?: number;
  readonly style: Style;
}

/** The first row, by the read's order, of each combination of these. */
export interface DistinctPlan {
  readonly by: readonly Expression[];
  /** A name that no column of the table has, for the row as a whole. */
  readonly wholeRow: string;
}

/** A fixed number where it is the same for every request, so that the database can plan with it. */
export type Limit = number | Count;

export interface OrderPlan {
  readonly by: Expression;
  readonly direction: 'asc' | 'desc';
  /** Absent: last when ascending, first when descending. */
  readonly nulls?: 'first' | 'last';
}

/** Something that has one value for each row. `type` is that value's. */
export type Expression =
  | {
      readonly kind: 'column';
      readonly column: string;
      readonly type: ColumnType;
      readonly nullable: boolean;
      /** What reads and writes its values where the style is native. */
      readonly representation?: Representation;
    }
  | {
      readonly kind: 'path';
      readonly column: string;
      readonly source: ColumnType;
      /** The column is no JSON: an array or a composite, which the database converts. */
      readonly isConverted?: true;
      readonly steps: readonly PathStep[];
      readonly type: ColumnType;
    }
  | {
      readonly kind: 'computed';
      readonly function: { readonly schema: string; readonly name: string };
      /** The columns of the row that are its first arguments. Absent: the whole row. */
      readonly columns?: readonly string[];
      /** The arguments after the row. Absent: none. */
      readonly given?: GivenCall;
      readonly type: ColumnType;
    }
  | { readonly kind: 'cast'; readonly of: Expression; readonly type: ColumnType }
  /** The length of an array. */
  | { readonly kind: 'length'; readonly of: Expression; readonly type: ColumnType }
  /** The value of an expression of the one related row. */
  | { readonly kind: 'related'; readonly join: Join; readonly by: Expression; readonly type: ColumnType }
  /** How many related rows there are. */
  | { readonly kind: 'count'; readonly join: Join; readonly type: ColumnType }
  /** In ORDER BY of groups: the value of a selection, by its position from 1. */
  | { readonly kind: 'position'; readonly at: number; readonly type: ColumnType }
  /** An aggregate over the rows of a group. */
  | { readonly kind: 'aggregated'; readonly call: AggregateCall; readonly type: ColumnType }
  /** How far a vector column is from the given vector. */
  | {
      readonly kind: 'distance';
      readonly column: string;
      readonly near: Parameter;
      readonly distance: Distance;
      readonly type: ColumnType;
    };

export type Distance = 'L2' | 'COSINE' | 'IP';

export interface PathStep {
  readonly arrow: '->' | '->>';
  readonly key: string | number;
}

/**
 * `columns[i]` of this row equals `references[i]` of the other table's, or both meet in a junction
 * table.
 */
export interface Join {
  readonly table: ReadTable;
  readonly columns: readonly string[];
  readonly references: readonly string[];
  /** Only rows of this table itself have related rows, none of tables that inherit from it. */
  readonly own?: TableName;
  /** The operators of the key, which is on the side that `key` names. */
  readonly equality?: { readonly operators: KeyEquality; readonly key: 'columns' | 'references' };
  readonly through?: {
    readonly table: ReadTable;
    readonly columns: readonly string[];
    readonly references: readonly string[];
    /** The operators of the keys that the columns of the table refer to. */
    readonly equality?: { readonly columns?: KeyEquality; readonly references?: KeyEquality };
    /** As `own`. */
    readonly near?: TableName;
  };
  /** The rows are the result of a function for this row: one at most, unless it returns a set. */
  readonly call?: { readonly schema: string; readonly name: string; readonly returnsSet: boolean };
}

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  /** False or null: what `every` must not find. */
  | { readonly kind: 'notTrue'; readonly condition: Condition }
  | {
      readonly kind: 'operation';
      /** `Operator.id`: its SQL is the dialect's. */
      readonly operator: string;
      readonly operand: Expression;
      readonly parameters: readonly Parameter[];
      readonly config?: Parameter;
      /**
       * Compares texts by their characters and ignores the collation of the column, because the
       * texts identify a user.
       */
      readonly exact?: true;
    }
  | { readonly kind: 'exists' | 'missing'; readonly join: Join; readonly where?: Condition }
  | CursorCondition;

/** The row comes after (before) the row whose keys the cursor holds, in the given order. */
export interface CursorCondition {
  readonly kind: 'cursor';
  readonly side: 'after' | 'before';
  readonly keys: readonly { readonly order: OrderPlan; readonly value: Parameter }[];
}

export interface ConstantPlan {
  readonly kind: 'constant';
  readonly as: string;
  /** A GraphQL type name: letters, digits and underscores only. */
  readonly text: string;
}

export type SelectionPlan =
  | ConstantPlan
  | { readonly kind: 'value'; readonly as: string; readonly expression: Expression }
  /** base64url of the JSON list `[type, key, …]`: descriptor/node-id.ts. */
  | { readonly kind: 'nodeId'; readonly as: string; readonly type: string; readonly keys: readonly Expression[] }
  | { readonly kind: 'one' | 'many'; readonly as: string; readonly join: Join; readonly read: ReadPlan }
  | { readonly kind: 'aggregate'; readonly as: string; readonly join: Join; readonly aggregate: AggregatePlan }
  /** The value of each related row instead of the rows: `read` selects one value. */
  | {
      readonly kind: 'spread';
      readonly as: string;
      readonly isList: boolean;
      readonly join: Join;
      readonly read: ReadPlan;
    }
  | {
      readonly kind: 'composite';
      readonly as: string;
      readonly column: string;
      readonly select: readonly AttributePlan[];
    };

export type AttributePlan =
  | ConstantPlan
  | {
      readonly kind: 'attribute';
      readonly as: string;
      readonly attribute: string;
      readonly type: ColumnType;
      /** A composite attribute of which not all is wanted. */
      readonly select?: readonly AttributePlan[];
    };

/** One page of a table, its cursors and its neighbourhood. */
export interface ConnectionPlan {
  readonly table: ReadTable;
  readonly where?: Condition;
  /** A total order. Empty: the table has no key and cursors are positions. */
  readonly keys: readonly OrderPlan[];
  /** The order where cursors are positions. */
  readonly order: readonly OrderPlan[];
  /** Ties a cursor to this table and order. */
  readonly fingerprint: string;
  readonly after?: Condition;
  readonly before?: Condition;
  readonly page: PagePlan;
  /**
   * Reads what the client gives of the page, and throws ServerError 400 where it cannot be used:
   * where only a count is asked for, the statement does not need it.
   */
  readonly check: (inputs: Inputs) => void;
  readonly select: readonly ConnectionSelectionPlan[];
  readonly style: Style;
}

/**
 * `forward`: the first rows, of which `last` keeps the last ones. `backward`: the last rows.
 * `fetch` is one more than `size`, to see whether there are more. Position cursors: `offset` is how
 * many rows are before the page, `end` how many there are in front of `before`.
 */
export interface PagePlan {
  readonly direction: 'forward' | 'backward';
  readonly size: Limit;
  readonly fetch: Limit;
  /** As in a ReadPlan, of `fetch`. */
  readonly reach?: number;
  readonly last?: Limit;
  readonly offset?: Count;
  readonly end?: Count;
}

export type ConnectionSelectionPlan =
  | ConstantPlan
  | { readonly kind: 'edges'; readonly as: string; readonly select: readonly EdgePlan[] }
  | { readonly kind: 'nodes'; readonly as: string; readonly select: readonly SelectionPlan[] }
  | { readonly kind: 'pageInfo'; readonly as: string; readonly select: readonly PageInfoPlan[] }
  | { readonly kind: 'totalCount'; readonly as: string };

export type EdgePlan =
  | ConstantPlan
  | { readonly kind: 'node'; readonly as: string; readonly select: readonly SelectionPlan[] }
  | { readonly kind: 'cursor'; readonly as: string };

export type PageInfoPlan =
  | ConstantPlan
  | {
      readonly kind: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor';
      readonly as: string;
    };

export interface AggregatePlan {
  readonly table: ReadTable;
  readonly from?: CallSource;
  readonly where?: Condition;
  readonly groupBy: readonly Expression[];
  readonly having?: HavingPlan;
  readonly select: readonly AggregateSelectionPlan[];
  /** How many groups at most. */
  readonly limit: number;
  readonly style: Style;
}

export type AggregateName = 'countDistinct' | 'sum' | 'avg' | 'min' | 'max' | 'stddev' | 'variance';

/**
 * An aggregate over the rows, or over those of a group. `of` is absent for the count of rows; a
 * count of values leaves out nulls.
 */
export interface AggregateCall {
  readonly name: 'count' | AggregateName;
  readonly of?: Expression;
  readonly type: ColumnType;
}

export type AggregateSelectionPlan =
  | ConstantPlan
  | { readonly kind: 'call'; readonly as: string; readonly call: AggregateCall }
  | {
      readonly kind: 'calls';
      readonly as: string;
      readonly calls: readonly (
        ConstantPlan | { readonly kind: 'call'; readonly as: string; readonly call: AggregateCall }
      )[];
    }
  | {
      readonly kind: 'key';
      readonly as: string;
      readonly columns: readonly (
        ConstantPlan | { readonly kind: 'column'; readonly as: string; readonly expression: Expression }
      )[];
    }
  | { readonly kind: 'groups'; readonly as: string; readonly select: readonly AggregateSelectionPlan[] };

export type HavingPlan =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly HavingPlan[] }
  | { readonly kind: 'not'; readonly condition: HavingPlan }
  | {
      readonly kind: 'operation';
      readonly operator: string;
      readonly call: AggregateCall;
      readonly parameters: readonly Parameter[];
    };
