import type { ColumnType, ProcedureDescriptor } from '../descriptor.js';
import type { Slot } from '../session/statement.js';
import type { Condition, Parameter, SelectionPlan, Style, TableName } from './plan.js';

/** Write intents, checked and complete: as Plan is for reads. Nothing in it is SQL yet. */
export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;

/** A column by its name, with the type its values are given in. */
export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Rows that have the same columns. Columns that are neither are NULL in a row that does not have them. */
export interface InsertGroup {
  readonly columns: readonly TypedColumn[];
  /** What tells these rows from those of the other groups: keys that each has, and keys that none has. Both empty: there is one group. */
  readonly has: readonly string[];
  readonly lacks: readonly string[];
  readonly conflict?: ConflictPlan;
}

/** `input` is one JSON parameter: a list of objects with the columns' names as keys. */
export interface InsertPlan {
  readonly kind: 'insert';
  readonly table: TableName;
  readonly input: Slot;
  /** There is one row and one group, and these are the values of its columns: the database need not read them out of JSON. */
  readonly cells?: readonly Parameter[];
  readonly groups: readonly InsertGroup[];
  /** Columns by which an upsert's rows are looked up, to tell the inserted from the updated. */
  readonly arbiter?: readonly TypedColumn[];
  readonly returning: ReturningPlan;
}

export interface ConflictPlan {
  readonly target?:
    | { readonly kind: 'constraint'; readonly name: string }
    | { readonly kind: 'columns'; readonly columns: readonly string[] };
  /** Columns that take the value that was given; none: the row is left alone. */
  readonly update: readonly string[];
  readonly where?: Condition;
}

/** `input` is one JSON parameter: an object. */
export interface UpdatePlan {
  readonly kind: 'update';
  readonly table: TableName;
  readonly input?: Slot;
  /** The values of the columns, as an insert has them. */
  readonly cells?: readonly Parameter[];
  readonly columns: readonly TypedColumn[];
  readonly inc: readonly { readonly column: TypedColumn; readonly by: Parameter }[];
  readonly where?: Condition;
  readonly returning: ReturningPlan;
}

export interface DeletePlan {
  readonly kind: 'delete';
  readonly table: TableName;
  readonly where?: Condition;
  readonly returning: ReturningPlan;
}

/** What a write's one row has: the answer's text, how many rows were written, how many of them are new, and `keys` of each as JSON. */
export interface ReturningPlan {
  readonly select?: readonly SelectionPlan[];
  readonly keys?: readonly string[];
  readonly as: 'list' | 'one';
  readonly format: 'json' | 'csv';
  readonly style: Style;
}

/** Reads written rows once more, by the keys that the write answered, in their order. */
export interface ReadBackPlan {
  readonly table: TableName;
  readonly key: readonly TypedColumn[];
  /** The JSON text of the keys: a list of lists of texts. */
  readonly input: Slot;
  readonly select: readonly SelectionPlan[];
  readonly as: 'list' | 'one';
  readonly format: 'json' | 'csv';
  readonly style: Style;
}

/** Arguments in the order of the procedure's own, those that take their default left out. */
export interface CallPlan {
  readonly procedure: ProcedureDescriptor;
  readonly arguments: readonly {
    /** Among all of the procedure's arguments. */
    readonly position: number;
    readonly name: string;
    readonly mode: 'in' | 'out' | 'inout' | 'variadic';
    readonly type: ColumnType;
    /** Absent: an OUT parameter, which is called with a NULL in its place. */
    readonly slot?: Slot;
  }[];
  readonly style: Style;
}
