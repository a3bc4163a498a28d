import type { KeyOperator } from '../../catalog/catalog.js';
import type { ColumnType } from '../../descriptor/descriptor.js';
import type { Parameter } from '../../plan/parameter.js';
import type {
  AggregateCall,
  AggregatePlan,
  CallSource,
  ChangesPlan,
  ConnectionPlan,
  CursorCondition,
  DistinctPlan,
  Expression,
  HeldRows,
  Join,
  Limit,
  ReadPlan,
  RowsPlan,
  SelectionPlan,
  Style,
  ReadTable,
  TableName,
  ValuePlan,
} from '../../plan/read/plan.js';
import type { TypeRegistry } from '../dialect.js';
import type { RawRow, Statement } from '../../plan/statement.js';
import type { Fragment } from './fragment.js';

/** An expression that the walk leaves to the dialect. */
export type DerivedExpression = Exclude<
  Expression,
  { kind: 'column' | 'related' | 'count' | 'position' | 'aggregated' }
>;

/** The types in which a dialect's SQL differs from that of another dialect. */
export interface Target {
  /** What a dialect knows of types and of its database server when it compiles. */
  readonly types: TypeRegistry;
  /** A member of a JSON object: an expression, and what the dialect has to know of it. */
  readonly value: unknown;
}

/** State of one statement. */
export interface Compiler<D extends Target> {
  readonly types: D['types'];
  /**
   * A name for one more row: `r0`, `r1`, … The name is unique in the statement, so that a nested
   * select can refer to every row around it.
   */
  readonly newRow: () => string;
  readonly words: Words<D>;
}

/** The row that expressions are about: its name in the statement, and how values are written. */
export interface Scope<D extends Target> {
  readonly row: string;
  readonly style: Style;
  readonly compiler: Compiler<D>;
  /** A condition inside NOT, where null and false differ. */
  readonly negated?: boolean;
  /** Values are fields of CSV: PostgreSQL writes arrays, ranges and composites as literals. */
  readonly literals?: boolean;
  /** The row is one of a function's: it is in no table. */
  readonly isCalled?: boolean;
  /** The whole row as the table's row type, where `row.*` is not that. */
  readonly whole?: Fragment;
}

/** The row that a nested read belongs to, and the relation between the two. */
export interface Belonging<D extends Target> {
  readonly join: Join;
  readonly outer: Scope<D>;
}

/** Tables of a read, and the condition that ties them to the row around the read. */
export interface Joined {
  readonly from: Fragment;
  readonly on: Fragment;
}

/** Rows of a read before they are ordered. */
export interface Source<D extends Target> {
  readonly scope: Scope<D>;
  /** FROM and WHERE. */
  readonly tail: Fragment;
}

/** One member of a JSON object. */
export interface Entry<D extends Target> {
  readonly as: string;
  readonly value: D['value'];
}

export type Selection<K extends SelectionPlan['kind']> = Extract<SelectionPlan, { kind: K }>;

/** An operator of the operator table with its parameters. */
export interface Operation {
  readonly operator: string;
  readonly parameters: readonly Parameter[];
  readonly config?: Parameter;
  /** See Condition. */
  readonly exact?: true;
}

export type CursorKey = CursorCondition['keys'][number];

/** The aggregates of one select, and the FROM of the object that shows them. */
export interface Aggregates<D extends Target> {
  readonly scope: Scope<D>;
  readonly call: (of: AggregateCall) => D['value'];
  /** A column that the rows are grouped by. */
  readonly key: (of: Expression) => D['value'];
  /** @param source FROM and WHERE of the rows; it is not called if nothing reads them */
  readonly from: (source: () => Fragment) => Fragment;
}

/** The parts of a page that are put together by the dialect. */
export interface PageParts<D extends Target> {
  readonly plan: ConnectionPlan;
  readonly scope: Scope<D>;
  readonly backward: boolean;
  /** The columns of each row. */
  readonly columns: readonly Fragment[];
  /** FROM and WHERE. */
  readonly source: () => Fragment;
}

/**
 * The words of a database: what its SQL says differently. The functions of this folder walk a plan
 * and call these for every part; a dialect never looks at the plan around a part.
 */
export interface Words<D extends Target> extends ConditionWords<D>, JsonWords<D>, PageWords<D> {
  /** The text and the slots of a statement. */
  readonly compile: (of: Fragment, types: D['types']) => Statement;
  /** A select that answers one row of a read as a JSON object. */
  readonly row: (read: ReadPlan, compiler: Compiler<D>) => Fragment;
  /** The statement of a document with one field, a list. */
  readonly listAlone: (read: ReadPlan, compiler: Compiler<D>) => Statement;
  /** The statement of rows without a total; undefined if `rows` serves these, too. */
  readonly rowsAlone: (plan: RowsPlan, compiler: Compiler<D>) => Statement | undefined;
  /** All rows in the format of the plan as an aggregate over `from`. */
  rows(plan: RowsPlan, compiler: Compiler<D>): { readonly answer: Fragment; readonly from: Fragment };
  /** WITH, in front of a select of rows: a function whose result is read several times. */
  readonly preamble: (read: ReadPlan, compiler: Compiler<D>) => Fragment;
  /** A row for each key of a ChangesIntent. */
  readonly changes: (plan: ChangesPlan, compiler: Compiler<D>) => Fragment;
  /** `explain (format json)`. */
  readonly explain: Fragment;
  /**
   * Holds if policies of the database may hide rows from the caller. Absent: this database has no
   * policies.
   */
  readonly hidesRows?: Fragment;
  /** The number of rows that the answer of EXPLAIN estimates. */
  readonly plannedRows: (answer: RawRow) => number;
}

/** Conditions, and the values that they compare. */
interface ConditionWords<D extends Target> {
  /** The head of a select whose rows are counted or looked for: it has no value. */
  readonly selectRow: Fragment;
  /** The name of a table in SQL, for `tableIn` of condition.ts alone. */
  readonly table: (name: ReadTable, compiler: Compiler<D>) => Fragment;
  /** The function, or its answer, that stands in FROM for a table. */
  readonly source: (
    of: { readonly table: TableName; readonly from: CallSource | HeldRows },
    scope: Scope<D>,
  ) => Pick<Joined, 'from'> & Partial<Joined>;
  /** Rows that a function answers for the row around them. */
  readonly calledSource: (to: Join & Required<Pick<Join, 'call'>>, outer: Scope<D>, row: string) => Joined;
  /** The first row of each combination, in the place of the table. */
  readonly distinct: (plan: ReadPlan, of: DistinctPlan, source: Source<D>) => Source<D>;
  /** FROM with a row for each group of rows. */
  readonly groupedSource: (plan: ReadPlan, source: Source<D>) => Fragment;

  /** The value of a column or of a function, which may be stored in several forms. */
  readonly stored: (type: ColumnType, value: Fragment) => Fragment;
  /** An expression that is more than a column. */
  readonly derived: (of: DerivedExpression, scope: Scope<D>) => Fragment;
  readonly aggregated: (call: AggregateCall, scope: Scope<D>) => Fragment;
  /** The value in the form that tests for equality and for null take. */
  readonly compared: (of: Expression, scope: Scope<D>) => Fragment;
  /** The value in the form that orders and bounds compare. */
  readonly sortable: (of: Expression, scope: Scope<D>) => Fragment;
  /** An operator of the operator table, in parentheses. */
  readonly operation: (of: Operation, operand: Expression | AggregateCall, scope: Scope<D>) => Fragment;
  /** Tells rows of the table itself from rows of tables that inherit from it. */
  readonly isIn: (table: TableName, scope: Scope<D>) => Fragment;
  /** A key equals the column that refers to it, by the operator that the catalogue names. */
  readonly keyComparison: (key: Fragment, reference: Fragment, operator: KeyOperator) => Fragment;
  /** `=`, `<`, … for values of a type. */
  readonly comparison: (symbol: string, type: ColumnType) => Fragment;
  /** The value of a key in a cursor. */
  readonly cursorValue: (of: Parameter, scope: Scope<D>) => Fragment;
  /** The row has the cursor's key, which may be null in both. */
  readonly sameNullable: (key: CursorKey, scope: Scope<D>) => Fragment;
  /** One comparison of all keys, where it uses an index; else undefined. */
  readonly rowComparison: (keys: readonly CursorKey[], symbol: string, scope: Scope<D>) => Fragment | undefined;
}

/** JSON. */
interface JsonWords<D extends Target> {
  /** The name of a GraphQL type: letters, digits and underscores only. */
  readonly name: (text: string) => D['value'];
  /** The same name as a column of the statement. */
  readonly nameColumn: (text: string) => Fragment;
  /** JSON `null`. */
  readonly missing: D['value'];
  /** Makes a member of an expression that is JSON and not null. */
  readonly json: (text: Fragment) => D['value'];
  /** The expression of a member that is JSON. */
  readonly column: (value: D['value']) => Fragment;
  readonly truth: (test: Fragment) => D['value'];
  /** A text without characters that JSON escapes. */
  readonly token: (text: Fragment, nullable: boolean) => D['value'];
  readonly object: (entries: readonly Entry<D>[]) => D['value'];
  /** A subselect with an object of the one row that `tail` gives, or of no row. */
  readonly objectFrom: (entries: readonly Entry<D>[], tail: Fragment) => D['value'];
  /** Fails where the database has cut a list because of its length. */
  readonly complete: (list: Fragment) => Fragment;
  /** The value of an expression in the style of the scope. */
  readonly value: (of: Expression, scope: Scope<D>) => D['value'];
  readonly nodeId: (of: Selection<'nodeId'>, scope: Scope<D>) => D['value'];
  readonly composite: (of: Selection<'composite'>, scope: Scope<D>) => D['value'];
  readonly spread: (of: Selection<'spread'>, scope: Scope<D>) => D['value'];
  readonly list: (read: ReadPlan, compiler: Compiler<D>, belonging?: Belonging<D>) => D['value'];
  readonly one: (read: ReadPlan, compiler: Compiler<D>, belonging?: Belonging<D>) => D['value'];
  /** A list of single rows, `null` for an absent one. */
  readonly nodes: (rows: readonly (D['value'] | undefined)[]) => D['value'];
  /** The result of a function that is no table's row. */
  readonly functionValue: (of: ValuePlan, compiler: Compiler<D>) => D['value'];
  /** @param source FROM and WHERE of the rows */
  readonly aggregates: (plan: AggregatePlan, compiler: Compiler<D>, source: () => Fragment) => Aggregates<D>;
  readonly groups: (
    plan: AggregatePlan,
    select: GroupSelect<D>,
    compiler: Compiler<D>,
    belonging?: Belonging<D>,
  ) => D['value'];
}

/** The members of a group's object, which the walk makes of its aggregates. */
export type GroupSelect<D extends Target> = (of: Aggregates<D>) => readonly Entry<D>[];

/** Pages of connections: `p` has the rows of a page, and `p.n` numbers them. */
interface PageWords<D extends Target> {
  /** A number of rows in an expression. */
  readonly number: (limit: Limit) => Fragment;
  /** @param keys the keys of the order; `position`: the place of the row among all rows */
  readonly cursor: (fingerprint: string, keys: readonly Expression[] | 'position', scope: Scope<D>) => Fragment;
  /** The kept rows as a JSON list. */
  readonly pageList: (each: D['value'], descending: boolean, kept: Fragment) => Fragment;
  /** The value of the first of the kept rows. */
  readonly pageFirst: (value: Fragment, descending: boolean, kept: Fragment) => Fragment;
  /** The column of `p` that says how many rows the page has. */
  readonly pageRows: Fragment;
  /** The FROM item `p` with the rows of a page whose cursors are keys. */
  readonly keyPage: (parts: PageParts<D>) => Fragment;
  /** `left join … p`: the rows between `w.start` and `w.stop`. */
  readonly positionPage: (parts: PageParts<D>) => Fragment;
}
