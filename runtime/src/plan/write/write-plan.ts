import type { Representation } from '../../catalog/catalog.js';
import type { RestNames } from '../../descriptor/registry.js';
import type { ColumnType, ProcedureDescriptor } from '../../descriptor/descriptor.js';
import type { NestedPlace } from '../write-program.js';
import type { Inputs } from '../intent.js';
import type { Parameter } from '../parameter.js';
import type {
  CallArgument,
  CallSource,
  Condition,
  OrderPlan,
  RowPlan,
  RowsFormat,
  RowsPlan,
  SelectionPlan,
  Style,
  ReadTable,
  ValuePlan,
  WrittenTable,
} from '../read/plan.js';

/**
 * A write intent, checked and complete: as Plan is for reads. Nothing in it is SQL yet, and no
 * value is text.
 */
export type WritePlan = RowsWritePlan | TreeWritePlan | CallPlan | FunctionPlan;

/** The answer of a write of rows, beside its own plan. */
interface Answered {
  /** Answers instead of the write itself. */
  readonly readBack?: ReadBackPlan;
  /** The answer if nothing was written: `null`, `[]`, a header of CSV, or no text at all. */
  readonly empty: string | null;
  /** The most rows that may be written. */
  readonly atMost?: (inputs: Inputs) => number | undefined;
}

export interface RowsWritePlan extends Answered {
  readonly kind: 'rows';
  readonly write: TableWritePlan;
}

/** Rows with rows inside. */
export interface TreeWritePlan extends Answered {
  readonly kind: 'tree';
  /** The rows of the request. */
  readonly rows: (inputs: Inputs) => readonly object[];
  readonly tree: InsertTreePlan;
}

/** One write to one table. */
export type TableWritePlan = InsertPlan | UpdatePlan | DeletePlan | ReplacePlan | FindPlan;

/**
 * Rows of a table of the tree, and those inside them: see InsertTree. The input of `insert` is made
 * while the tree is run.
 */
export interface InsertTreePlan {
  readonly insert: InsertPlan;
  readonly columns: readonly GivenColumn[];
  readonly forward: readonly NestedTreePlan[];
  readonly reverse: readonly NestedTreePlan[];
  readonly ownKey: number;
}

export interface NestedTreePlan extends NestedPlace {
  readonly tree: InsertTreePlan;
  readonly columns: readonly { readonly column: string; readonly at: number }[];
}

/**
 * `json`: a JSON text with the columns' names as keys. `list` and `object`: rows of the request, of
 * which only these columns are taken.
 */
export type RowsInput =
  | { readonly as: 'json'; readonly read: (inputs: Inputs) => string }
  | {
      readonly as: 'list';
      readonly read: (inputs: Inputs) => readonly object[];
      readonly columns: readonly GivenColumn[];
    }
  | { readonly as: 'object'; readonly read: (inputs: Inputs) => object; readonly columns: readonly GivenColumn[] };

/** A column by its name, with the type its values are given in. */
export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** What makes its values where the style of the answer is native. */
  readonly representation?: Representation;
  /** As a column of a key: null equals null. */
  readonly nullsEqual?: true;
}

/** A written column, with its name in the rows of the request. */
export interface GivenColumn extends TypedColumn {
  readonly key: string;
}

/**
 * Rows that have the same columns. Columns that are neither are NULL in a row that does not have
 * them.
 */
export interface InsertGroup {
  readonly columns: readonly TypedColumn[];
  /**
   * The difference of these rows from other groups: keys that each has, and keys that none has.
   * Both empty: there is one group.
   */
  readonly has: readonly string[];
  readonly lacks: readonly string[];
  readonly conflict?: ConflictPlan;
}

/** `input` has a list. */
export interface InsertPlan {
  readonly kind: 'insert';
  readonly table: WrittenTable;
  readonly input: RowsInput;
  /**
   * There is one row and one group, and these are the values of its columns: the database need not
   * read them out of JSON.
   */
  readonly cells?: readonly Parameter[];
  readonly groups: readonly InsertGroup[];
  /** Columns that find an upsert's rows, to distinguish inserted from updated rows. */
  readonly arbiter?: readonly TypedColumn[];
  readonly returning: ReturningPlan;
  readonly check?: CheckPlan | undefined;
}

export interface ConflictPlan {
  /** The columns of the key, never its name: the database may have given that to another key. */
  readonly target?: readonly string[];
  /** Columns that take the value that was given; none: the row is left alone. */
  readonly update: readonly string[];
  /** Rows are not written for which one of these keys has a row in the table. */
  readonly absent?: readonly (readonly TypedColumn[])[];
  readonly where?: Condition;
}

/** `input` has one object. */
export interface UpdatePlan {
  readonly kind: 'update';
  readonly table: WrittenTable;
  readonly input?: RowsInput;
  /** The values of the columns, as an insert has them. */
  readonly cells?: readonly Parameter[];
  readonly columns: readonly TypedColumn[];
  readonly inc: readonly { readonly column: TypedColumn; readonly by: Parameter }[];
  /** Columns that take their DEFAULT. */
  readonly defaults: readonly string[];
  readonly where?: Condition;
  readonly returning: ReturningPlan;
  readonly check?: CheckPlan | undefined;
}

export interface DeletePlan {
  readonly kind: 'delete';
  readonly table: WrittenTable;
  readonly where?: Condition;
  readonly returning: ReturningPlan;
}

/**
 * Writes nothing: answers the rows that later statements of the same transaction write, as if it
 * had written them.
 */
export interface FindPlan {
  readonly kind: 'find';
  readonly table: WrittenTable;
  readonly where?: Condition;
  /** No other transaction changes the rows before this one ends. */
  readonly lock: boolean;
  /** The most rows that are answered. */
  readonly atMost: number;
  readonly returning: ReturningPlan;
}

/**
 * The row that `where` finds takes the new values; where it finds none, the row is inserted.
 * `input` has a list of that one row, with all `columns`.
 */
export interface ReplacePlan {
  readonly kind: 'replace';
  readonly table: WrittenTable;
  readonly input: RowsInput;
  readonly columns: readonly TypedColumn[];
  /** Those of the columns that an update sets: all but the key. */
  readonly update: readonly string[];
  readonly where?: Condition;
  /** The columns of the primary key, or of that of a view's table. */
  readonly key: readonly string[];
  readonly returning: ReturningPlan;
  readonly check?: CheckPlan | undefined;
}

/**
 * The members of a write's one row: the answer's text, how many rows were written, how many of them
 * are new, and `keys` of each as JSON.
 */
export interface ReturningPlan {
  readonly select?: readonly SelectionPlan[];
  readonly keys?: readonly string[];
  readonly order?: readonly OrderPlan[];
  readonly stripsNulls?: boolean;
  readonly as: 'list' | 'one';
  readonly format: RowsFormat;
  readonly style: Style;
}

/** All rows that were written have to be rows that may be written. */
export interface CheckPlan {
  /** Reads those that are, by their keys. */
  readonly rows: ReadBackPlan;
  /** Where the keys of the write have the columns of that key. */
  readonly at: readonly number[];
  /** How many of the keys the request asks for, first. */
  readonly asked: number;
  /**
   * The least number of rows that are written. An upsert passes over no row because it may not be
   * written.
   */
  readonly wanted?: (inputs: Inputs) => number;
}

/** Reads written rows once more, by the keys that the write answered, in their order. */
export interface ReadBackPlan {
  readonly table: ReadTable;
  readonly key: readonly TypedColumn[];
  /** The JSON text of the keys: a list of lists of texts. */
  readonly keys: (inputs: Inputs) => string;
  /** What written rows have to match, where they are read to be checked. */
  readonly where?: Condition;
  readonly select: readonly SelectionPlan[];
  readonly order?: readonly OrderPlan[];
  readonly stripsNulls?: boolean;
  readonly as: 'list' | 'one';
  readonly format: RowsFormat;
  readonly style: Style;
}

/** Arguments in the order of the procedure's own, without those that take their default. */
export interface CallPlan {
  readonly kind: 'call';
  readonly procedure: ProcedureDescriptor;
  readonly arguments: readonly CallArgument[];
  /** How OUT parameters are called in the answer. */
  readonly outputNames: RestNames;
  readonly style: Style;
}

/**
 * A function that may write. Its rows are read once more in the same transaction: only a later
 * statement sees the writes of the call.
 */
export type FunctionPlan = { readonly kind: 'function' } & (
  | { readonly value: ValuePlan }
  /** Reads the result of the call in the same statement. */
  | { readonly rows: RowsPlan }
  | {
      readonly call: CallSource;
      /** Reads the rows that the call has answered. */
      readonly answer: RowsPlan | RowPlan;
    }
  | {
      readonly call: CallSource;
      /** The same of each of several result sets. */
      readonly answers: readonly RowsPlan[];
    }
);
