import type { ProcedureDescriptor } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import type {
  Filter,
  FunctionCall,
  RowIntent,
  RowsForm,
  RowsIntent as ReadRowsIntent,
  Selection,
  Value,
  ValueIntent,
  Order,
} from '../intent.js';
import type { IntentForm } from '../intent-form.js';
import type { NestedWrite } from './nested-write.js';

/**
 * The writes of the client, in the same terms from both protocols: REST answers one of these, a
 * GraphQL mutation several: in order, in one transaction, all or nothing. As a read's intent it
 * holds no value of the request, only where each is found, and so may be kept under the request's
 * shape. Which columns are written is part of the shape.
 */
export type WriteIntent = InsertIntent | UpdateIntent | DeleteIntent | RoutineIntent;

/** A write whose rows only the database knows. */
export type RoutineIntent = CallIntent | FunctionIntent;

export const isRoutine = (intent: WriteIntent): intent is RoutineIntent =>
  intent.kind === 'call' || intent.kind === 'function';

/** Whether rows inside the rows are more than new ones. */
export const isNestedWrite = (intent: WriteIntent): intent is NestedWriteIntent =>
  (intent.kind === 'insert' || intent.kind === 'update') && intent.inside !== undefined;

export type NestedWriteIntent = (InsertIntent | UpdateIntent) & { readonly inside: NestedWrite };

/**
 * A written column, and its name in the objects that `rows` or `set` reads:
 * GraphQL's field, REST's column.
 */
export interface WrittenColumn {
  readonly column: string;
  readonly key: string;
}

/** The members of a row, the same for each of many rows. */
export interface RowsShape {
  /** The union of the columns of all rows. */
  readonly columns: readonly WrittenColumn[];
  /**
   * Which columns (database names) rows have, one entry for each different set, where they differ.
   * Absent: all rows have all columns, or a missing column is NULL. A column that is missing
   * in a row of a listed set takes its DEFAULT.
   */
  readonly keySets?: readonly (readonly string[])[];
  /** Rows of other tables that are given inside these. */
  readonly nested?: readonly NestedInsert[];
}

/**
 * Rows given inside a row, found at `row[key].data`: one object for a forward relation, which is
 * inserted before; a list for a reverse one, which is inserted after. The columns of the foreign
 * key are filled in and need not be in `columns`.
 */
export interface NestedInsert extends RowsShape {
  readonly key: string;
  /**
   * The place holds not rows of this relation but the rows inside them, at this key: a row of a
   * junction table only joins two rows.
   */
  readonly inner?: string;
  /** The relation's name in the table's descriptor. */
  readonly relation: string;
  readonly onConflict?: OnConflict;
}

/** The written values: see InsertIntent and UpdateIntent. */
export interface RowsValue extends Value {
  /**
   * There is only one row, and this is the place of its values, in the order of `columns`. A null
   * or undefined value is NULL.
   */
  readonly cells?: readonly Value[];
}

/**
 * `rows` reads a list of objects, or one object. Form `json`: JavaScript values with the keys of
 * `columns`, encoded by the types of their columns. Form `text`: the JSON text of a list of objects
 * with the database's names of columns, which the database gets unchanged.
 */
export interface InsertIntent extends RowsShape {
  readonly kind: 'insert';
  readonly table: Table;
  readonly rows: RowsValue;
  readonly onConflict?: OnConflict;
  /**
   * Rows inside the rows that are not only new rows. Then this replaces `rows`, `nested` and
   * `onConflict`.
   */
  readonly inside?: NestedWrite;
  readonly returning: Returning;
  readonly atMost?: Value;
  readonly form: IntentForm;
}

export interface OnConflict {
  /**
   * Which conflict: a constraint by its name, or a unique key by its columns. Absent: any (`ignore`
   * only).
   */
  readonly target?:
    | { readonly kind: 'constraint'; readonly name: string }
    | { readonly kind: 'columns'; readonly columns: readonly string[] };
  /**
   * `update` without `columns` updates every written column except those of the target. With an
   * empty list, the row does not change.
   */
  readonly action: 'ignore' | 'update';
  readonly columns?: readonly string[];
  /**
   * `update` without `columns`: a written column that a row lacks takes its DEFAULT, as it does in
   * a new row. Absent: it keeps its value.
   */
  readonly setsDefaults?: true;
  /** `update` without `columns`: these keep their values too. */
  readonly keep?: readonly string[];
  /**
   * Unique constraints by their names: rows for which one of them has a row in the table are not
   * written.
   */
  readonly absent?: readonly string[];
  /** Only rows there that match are updated; the others are left alone. */
  readonly where?: Filter;
}

/** `set` reads one object, as `InsertIntent.rows` does each of its own. */
export interface UpdateIntent {
  readonly kind: 'update';
  readonly table: Table;
  /** Absent: every row. The creator of the intent has checked that this is intended. */
  readonly where?: Filter;
  readonly columns: readonly WrittenColumn[];
  readonly set?: RowsValue;
  /** Numbers added to the stored values. */
  readonly inc?: readonly { readonly column: string; readonly by: Value }[];
  /** Columns that take their DEFAULT. A column that also has a value takes the value. */
  readonly defaults?: readonly string[];
  /** Rows inside the row, of a write of one row. Then this replaces `set`. */
  readonly inside?: NestedWrite;
  readonly returning: Returning;
  /** More rows than this are an error, and nothing is written. */
  readonly atMost?: Value;
  /** No rows of tables that inherit from this one. */
  readonly isOnly?: true;
  readonly form: IntentForm;
}

export interface DeleteIntent {
  readonly kind: 'delete';
  readonly table: Table;
  readonly where?: Filter;
  readonly returning: Returning;
  readonly atMost?: Value;
  readonly form: IntentForm;
}

/**
 * `call<Proc>`. Answers the JSON text of the OUT and INOUT parameters, `{"result":"OK"}` when there
 * is none.
 */
export interface CallIntent {
  readonly kind: 'call';
  readonly procedure: ProcedureDescriptor;
  /**
   * The given arguments, by their position among the procedure's arguments: not all have names.
   */
  readonly arguments: readonly { readonly position: number; readonly value: Value }[];
  readonly form: IntentForm;
}

/** A function that may write. Answers the JSON of its value, or of the rows that it answers. */
export interface FunctionIntent {
  readonly kind: 'function';
  readonly call: FunctionCall;
  /** What is answered of the rows that it returns. */
  readonly rows?: ReadRowsIntent | RowIntent;
  /** Of composite values, as in a read. */
  readonly select?: NonNullable<ValueIntent['select']>;
  readonly form: IntentForm;
}

/** The answer about the written rows. */
export interface Returning {
  /** As in a read. Absent: nothing, which needs no right to read the table. */
  readonly select?: readonly Selection[];
  /** A list, or the one row as an object (null when there is none). */
  readonly as: 'list' | 'one';
  readonly format: RowsForm;
  /** The primary keys of the written rows, for `Location`. */
  readonly keys?: true;
  /** The order of the answer. Absent: that of the request, or as the database wrote. */
  readonly orderBy?: readonly Order[];
  /** Members that are null are left out. */
  readonly stripsNulls?: boolean;
}
