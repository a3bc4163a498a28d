import type { MediaHandler } from '../catalog/catalog.js';
import type { FunctionDescriptor } from '../descriptor/descriptor.js';
import type { Table } from '../descriptor/registry.js';
import type { IntentForm } from './intent-form.js';

/**
 * Intent: the client's request, in the same terms from both protocols. REST and GraphQL meet here;
 * nothing after it knows which one it was. Tables are resolved; columns are database names and
 * operators are names of the operator table, not yet checked.
 *
 * An intent holds no value of the request, only where each value will be found. So equal shapes of
 * request give equal intents, and the statement compiled from one can be kept and run again with
 * other values.
 */
export type Intent = DocumentIntent | RowsIntent | RowIntent | ChangesIntent;

/** What `Value.read` reads from: REST's decoded values in order, GraphQL's coerced variables. */
export type Inputs = unknown;

/**
 * Where the inputs of changed rows have their keys: for each column of the key the list of its
 * values.
 */
export const changedKeys = Symbol('changed keys');

/**
 * Where the inputs of changed rows have each row as it was before: a JSON object by column, null
 * where that is not known.
 */
export const formerRows = Symbol('former rows');

/**
 * The place of a write's result in the inputs of the read after it: keys, or the row of
 * a call.
 */
const writeAnswer = Symbol('write answer');

/**
 * The inputs of a write, with its result: the read after it has values of the request, too.
 */
export const withAnswer = (inputs: Inputs, answer: unknown): Inputs =>
  Object.assign(Array.isArray(inputs) ? [...(inputs as readonly unknown[])] : { ...(inputs as object) }, {
    [writeAnswer]: answer,
  });

export const answerIn = (inputs: Inputs): unknown => (inputs as { readonly [writeAnswer]?: unknown })[writeAnswer];

export interface ChangesInputs {
  readonly [changedKeys]: readonly (readonly string[])[];
  readonly [formerRows]: readonly (string | null)[];
}

/**
 * The conditions that hooks answered for this request, by the field of their table: the values in
 * them are read from here.
 */
export type RowConditions = ReadonlyMap<string, unknown>;

/** Where a value comes from, and in which form. */
export interface Value {
  readonly read: (inputs: Inputs, conditions?: RowConditions) => unknown;
  /**
   * `text`: the database's own text form (REST). `json`: a JSON value, to be encoded by the type it
   * meets (GraphQL); enum members are GraphQL names.
   */
  readonly form: 'text' | 'json';
  /** Its value in every request of this shape, if known. */
  readonly constant?: unknown;
  /** Of a count of rows: no request of this shape has a greater one. */
  readonly most?: number;
  /** The hook that gave it, for errors. Absent: the client did. */
  readonly hook?: string;
}

/**
 * A GraphQL query: one JSON object with a key per root field. Answers one row: what `documentText`
 * takes.
 */
export interface DocumentIntent {
  readonly kind: 'document';
  readonly fields: readonly RootField[];
}

/**
 * REST's list. Answers one row: the JSON array's text, the number of rows in it, the total or null.
 */
export interface RowsIntent {
  readonly kind: 'rows';
  readonly read: ReadIntent;
  readonly count: 'none' | 'exact' | 'planned' | 'estimated';
  readonly format: RowsForm;
  /** Members that are null are left out. */
  readonly stripsNulls?: boolean;
  /** Each row is its only value, instead of an object. */
  readonly isBare?: boolean;
}

/** How rows are written: also by an aggregate of the database. */
export type RowsForm = 'json' | 'csv' | 'geojson' | MediaHandler;

/** REST's single row. Answers no row, or one row: the JSON object's text. */
export interface RowIntent {
  readonly kind: 'row';
  readonly read: ReadIntent;
}

/**
 * Changed rows of a table, found by their keys. Answers a row for each key: its place in the list
 * of keys from 1, whether the row is there and matches, the key's JSON object, and the JSON objects
 * of `rows`, null where the row is not there, and of `formerRows`, null where the row before its
 * change is not known.
 */
export interface ChangesIntent {
  readonly kind: 'changes';
  readonly table: Table;
  /** For each column of the primary key where the list of its values is found. */
  readonly keys: readonly Value[];
  readonly where?: Filter;
  /** The selection of a row. A client may select it several times, under several names. */
  readonly rows: readonly (readonly Selection[])[];
  /** The selection of the row as it was before its change. */
  readonly formerRows: readonly (readonly Selection[])[];
  readonly form: IntentForm;
}

export type RootField =
  | { readonly kind: 'list'; readonly as: string; readonly read: ReadIntent }
  /** At most one row, as an object or null: `<f>ByPk`. */
  | { readonly kind: 'one'; readonly as: string; readonly read: ReadIntent }
  | { readonly kind: 'connection'; readonly as: string; readonly connection: ConnectionIntent }
  | { readonly kind: 'aggregate'; readonly as: string; readonly aggregate: AggregateIntent }
  | { readonly kind: 'value'; readonly as: string; readonly value: ValueIntent }
  /** Always null: the identifier names nothing that is served. */
  | { readonly kind: 'nothing'; readonly as: string }
  /** The rows of several tables in the order of a list of identifiers: undefined is null. */
  | { readonly kind: 'nodes'; readonly as: string; readonly reads: readonly (ReadIntent | undefined)[] }
  | { readonly kind: 'typename'; readonly as: string; readonly type: string };

/**
 * The arguments that are given to a function, by their position: not all have names. One that is
 * left out takes its default.
 */
export type GivenArguments = readonly { readonly position: number; readonly value: Value }[];

/** A function, and the arguments that are given. */
export interface FunctionCall {
  readonly function: FunctionDescriptor;
  readonly arguments: GivenArguments;
}

/** A computed field by its name, and the arguments that are given beside the row. */
export interface ComputedField {
  readonly computed: string;
  readonly arguments?: GivenArguments;
}

/** A column by its name, or a computed field. */
export type RowValueName = string | ComputedField;

/** The result of a function that is no table's row: a value, or a list of values. */
export interface ValueIntent {
  readonly call: FunctionCall;
  /** Of composite values: the attributes that are wanted, where not all are. */
  readonly select?: readonly AttributeSelection[];
  /** Of a list: which values, and in which order. Its table is that of `resultRows`. */
  readonly chosen?: Pick<ReadIntent, 'table' | 'where' | 'orderBy' | 'limit' | 'offset'>;
  readonly form: IntentForm;
}

/** Which rows of a table, in which order, and what of each. */
export interface ReadIntent {
  readonly table: Table;
  /** The rows are the result of a function, instead of the table's. */
  readonly from?: FunctionCall;
  /** The rows are the result of the function that is the relation to them. */
  readonly isCalled?: true;
  /** No rows of tables that inherit from this one. */
  readonly isOnly?: true;
  readonly select: readonly Selection[];
  readonly where?: Filter;
  readonly orderBy?: readonly Order[];
  /** Without it, and above `app.max-rows`, the limit is `app.max-rows`: the planner's doing. */
  readonly limit?: Value;
  readonly offset?: Value;
  readonly distinctOn?: readonly RowValueName[];
  /** Replaces the order; its limit bounds the result. */
  readonly vector?: VectorOrder;
  /**
   * How values that GraphQL and REST show differently are projected: int8 as a string or a number,
   * enum labels as GraphQL names or as labels. Nested reads follow their root.
   */
  readonly form: IntentForm;
}

export type Selection =
  | {
      readonly kind: 'column';
      readonly as: string;
      readonly column: string;
      readonly path?: readonly JsonStep[];
      readonly cast?: string;
      /** It came with `*`: the client did not name it. */
      readonly ofAll?: true;
    }
  | { readonly kind: 'computed'; readonly as: string; readonly name: string; readonly arguments?: GivenArguments }
  | { readonly kind: 'typename'; readonly as: string }
  /** The global identifier of the row: descriptor/node-id.ts. */
  | { readonly kind: 'nodeId'; readonly as: string }
  /**
   * A to-one relation is an object or null, a to-many one a list. `inner`: rows without it are left
   * out (REST `!inner`).
   */
  | {
      readonly kind: 'relation';
      readonly as: string;
      readonly relation: string;
      readonly read: ReadIntent;
      readonly inner?: boolean;
    }
  | { readonly kind: 'aggregate'; readonly as: string; readonly relation: string; readonly aggregate: AggregateIntent }
  /**
   * One value of each related row in the place of the rows: the value of a to-one relation, the
   * list of a to-many one.
   */
  | {
      readonly kind: 'spread';
      readonly as: string;
      readonly relation: string;
      /** Selects the one value. */
      readonly read: ReadIntent;
      readonly inner?: boolean;
    }
  /** Over the rows of a group. Rows are grouped by everything else that is selected. */
  | {
      readonly kind: 'aggregated';
      readonly as: string;
      readonly function: GroupFunction;
      /** Absent: the rows are counted. */
      readonly of?: {
        readonly column: string;
        readonly path?: readonly JsonStep[];
        readonly cast?: string;
      };
      readonly cast?: string;
      /**
       * `of` is a value of the one related row, where that row matches: the relations that lead to
       * it, in order.
       */
      readonly through?: readonly { readonly relation: string; readonly where?: Filter }[];
    }
  /** Fields of a composite column, when not all of it is wanted. */
  | {
      readonly kind: 'composite';
      readonly as: string;
      readonly column: string;
      readonly select: readonly AttributeSelection[];
    };

export type AttributeSelection =
  | {
      readonly kind: 'attribute';
      readonly as: string;
      readonly attribute: string;
      readonly select?: readonly AttributeSelection[];
    }
  | { readonly kind: 'typename'; readonly as: string; readonly type: string };

/**
 * One step into a JSON value: `->` keeps JSON, `->>` makes text (last step only). Keys and indexes
 * are bound, not written.
 */
export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly key: string | number;
}

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  /**
   * `operator` is an `Operator.id`. `values` has what its `operand` says: none, one, or two for
   * `between`.
   */
  | {
      readonly kind: 'compare';
      readonly column: string;
      /** `column` is the name of a computed field. */
      readonly computed?: true;
      /** Of a computed field. */
      readonly arguments?: GivenArguments;
      readonly path?: readonly JsonStep[];
      /**
       * Compares a measure of the column, not the column: the id of an operator with `measures`,
       * e.g. `length`.
       */
      readonly of?: string;
      readonly operator: string;
      readonly values: readonly Value[];
      /** Full text: the search configuration. */
      readonly config?: Value;
    }
  | {
      readonly kind: 'relation';
      readonly relation: string;
      readonly quantifier: 'one' | 'some' | 'every' | 'none';
      readonly filter: Filter;
    };

export interface Order {
  readonly by:
    | { readonly kind: 'column'; readonly column: string; readonly path?: readonly JsonStep[] }
    | { readonly kind: 'computed'; readonly name: string; readonly arguments?: GivenArguments }
    /** Through a to-one relation. */
    | { readonly kind: 'relation'; readonly relation: string; readonly by: Order['by'] }
    | { readonly kind: 'count'; readonly relation: string };
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

export interface VectorOrder {
  /** A `vector` column's database name. Known when planning: the shape of a request includes it. */
  readonly column: string;
  readonly near: Value;
  readonly distance: 'L2' | 'COSINE' | 'IP';
  readonly limit?: Value;
}

/**
 * Relay cursor pagination: decision 004. Absent bounds are absent here, so that a shape with
 * `after`
 * is another shape.
 */
export interface ConnectionIntent {
  readonly table: Table;
  readonly where?: Filter;
  readonly orderBy?: readonly Order[];
  readonly first?: Value;
  readonly last?: Value;
  readonly after?: Value;
  readonly before?: Value;
  readonly select: readonly ConnectionSelection[];
  readonly form: IntentForm;
}

export type ConnectionSelection =
  | { readonly kind: 'edges'; readonly as: string; readonly select: readonly EdgeSelection[] }
  | { readonly kind: 'nodes'; readonly as: string; readonly select: readonly Selection[] }
  | { readonly kind: 'pageInfo'; readonly as: string; readonly select: readonly PageInfoSelection[] }
  | { readonly kind: 'totalCount'; readonly as: string }
  | { readonly kind: 'typename'; readonly as: string; readonly type: string };

export type EdgeSelection =
  | { readonly kind: 'node'; readonly as: string; readonly select: readonly Selection[] }
  | { readonly kind: 'cursor'; readonly as: string }
  | { readonly kind: 'typename'; readonly as: string; readonly type: string };

export type PageInfoSelection =
  | { readonly kind: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor'; readonly as: string }
  | { readonly kind: 'typename'; readonly as: string; readonly type: string };

export interface AggregateIntent {
  readonly table: Table;
  /** As in a read. */
  readonly from?: FunctionCall;
  readonly where?: Filter;
  readonly groupBy?: readonly RowValueName[];
  readonly having?: Having;
  readonly select: readonly AggregateSelection[];
  readonly form: IntentForm;
}

export type AggregateFunction = 'countDistinct' | 'sum' | 'avg' | 'min' | 'max' | 'stddev' | 'variance';

/** A column or a computed field under its alias, or `__typename`. */
export type AggregatedColumn =
  | { readonly as: string; readonly column: string }
  | ({ readonly as: string } & ComputedField)
  | { readonly as: string; readonly type: string };

export type AggregateSelection =
  | { readonly kind: 'count'; readonly as: string }
  | {
      readonly kind: 'function';
      readonly as: string;
      readonly function: AggregateFunction;
      readonly columns: readonly AggregatedColumn[];
    }
  /** Inside `groups` only: the grouping columns. */
  | {
      readonly kind: 'key';
      readonly as: string;
      readonly columns: readonly AggregatedColumn[];
    }
  | { readonly kind: 'groups'; readonly as: string; readonly select: readonly AggregateSelection[] }
  | { readonly kind: 'typename'; readonly as: string; readonly type: string };

/** The aggregates that a selection may have beside columns. */
export type GroupFunction = 'count' | 'sum' | 'avg' | 'min' | 'max';

/** A condition on groups; `column` and `computed` are absent for `count`. */
export type Having =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Having[] }
  | { readonly kind: 'not'; readonly condition: Having }
  | {
      readonly kind: 'compare';
      readonly function: 'count' | AggregateFunction;
      readonly column?: string;
      /** The name of a computed field, instead. */
      readonly computed?: string;
      readonly operator: string;
      readonly values: readonly Value[];
    };
