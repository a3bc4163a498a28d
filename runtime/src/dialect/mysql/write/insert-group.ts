import { sql } from 'kysely';
import type { ColumnDescriptor } from '../../../descriptor/descriptor.js';
import type { InsertGroup, InsertPlan, ReturningPlan, TypedColumn } from '../../../plan/write/write-plan.js';
import type { RawRow, Statement } from '../../../plan/statement.js';
import type { RunOne } from '../../../plan/write-program.js';
import { writerOf } from '../read/format.js';
import { clauses, columnOf, compileFragment, join, nothing, slot, table, type Fragment } from '../sql.js';
import { entries } from '../../sql/selection.js';
import { createCompiler } from '../read/words.js';
import { keyOf, type Scope, type Types } from '../read/scope.js';
import { whole } from '../read/text.js';
import { typed } from '../parameters/parameter.js';
import { cell, columnsOf, given, givenRowsBeside, keyTable, keyText, type Key } from './keys.js';
import type { GivenRow } from './rows.js';

/** A written row: its position among the given rows, and its answer. */
export interface WrittenRow {
  readonly at: number;
  readonly id: Key;
  readonly keys: Key;
  readonly text: string | null;
  readonly isNew: boolean;
}

/** A row of the request with its position. */
export interface PlacedRow {
  readonly at: number;
  readonly row: GivenRow;
}

/** Inserts rows of one group and returns them in their order. */
export interface InsertRows {
  (run: RunOne, rows: readonly PlacedRow[]): Promise<WrittenRow[]>;
  /** The one statement that it runs. Absent: one statement per row. */
  readonly alone?: InsertStatement;
}

export interface InsertStatement {
  /** For any number of rows, which are one parameter. */
  readonly ofRows: Statement;
  /** For one row, whose values are separate parameters, so that the database builds no table. */
  readonly ofRow: Statement;
  readonly rowsText: (rows: readonly PlacedRow[]) => string;
  readonly read: (rows: readonly PlacedRow[], answered: readonly RawRow[]) => WrittenRow[];
}

/** The columns that identify the written rows: the table's key, if it has one. */
export const idOf = ({ table: target }: Pick<InsertPlan, 'table'>, types: Types): readonly TypedColumn[] =>
  keyOf(target, types) ?? [];

/**
 * Inserts rows by INSERT … RETURNING.
 * @param onDuplicate the clause for a row that exists after all; absent: it is an error
 */
export function insertGroup(
  plan: InsertPlan,
  { columns }: InsertGroup,
  types: Types,
  onDuplicate: Fragment = nothing,
): InsertRows {
  const scope: Scope = { row: plan.table.name, style: plan.returning.style, compiler: createCompiler(types) };
  const returned = returnedOf(plan, idOf(plan, types), scope);
  const returning = sql`returning ${join(returned.columns)}`;
  const insert = insertStatements(plan, columns, clauses(onDuplicate, returning), returning, types);
  const read: InsertStatement['read'] = (rows, answered) =>
    answered.map((each, at) => ({ at: rows[at]?.at ?? at, isNew: true, ...returned.read(each) }));
  const perform = async (run: RunOne, rows: readonly PlacedRow[]) => read(rows, await insert(run, rows));
  if (insert.statement === undefined) return perform;
  const ofRows: Statement = { ...insert.statement, answers: 'rows' };
  const ofRow: Statement = { ...oneRowStatement(plan, columns, returning, types), answers: 'rows' };
  return Object.assign(perform, { alone: { ofRows, ofRow, rowsText: rowsText(columns), read } });
}

/** Its inputs are the row. */
function oneRowStatement(
  plan: InsertPlan,
  columns: readonly TypedColumn[],
  returning: Fragment,
  types: Types,
): Statement {
  const names = join(columns.map(({ name }) => sql.id(name)));
  const values = columns.map(({ name, type }) =>
    typed(type, slot({ bind: (row) => (row as GivenRow).get(name) ?? null }), types.features),
  );
  return compileFragment(sql`insert into ${table(plan.table, types)} (${names}) values (${join(values)}) ${returning}`);
}

/**
 * Inserts rows and returns the database's answer. If no column is written, each row is a statement.
 * @param tail follows the values
 * @param bareTail replaces `tail` if no value is given
 */
export function insertStatements(
  plan: InsertPlan,
  columns: readonly TypedColumn[],
  tail: Fragment,
  bareTail: Fragment,
  types: Types,
): RunInsert {
  if (columns.length === 0) {
    const bare = compileFragment(clauses(sql`insert into ${table(plan.table, types)} () values ()`, bareTail));
    return async (run, rows) => {
      const answered: RawRow[] = [];
      for (const { at } of rows) answered.push(...(await run(bare, at)));
      return answered;
    };
  }
  const statement = insertStatement(plan, columns, tail, types);
  const text = rowsText(columns);
  return Object.assign((run: RunOne, rows: readonly PlacedRow[]) => run(statement, text(rows)), { statement });
}

interface RunInsert {
  (run: RunOne, rows: readonly PlacedRow[]): Promise<readonly RawRow[]>;
  /** Absent: one statement per row. */
  readonly statement?: Statement;
}

/** The values of the rows as one parameter. */
const rowsText =
  (columns: readonly TypedColumn[]) =>
  (rows: readonly PlacedRow[]): string =>
    JSON.stringify(rows.map(({ row }) => columns.map(({ name }) => row.get(name) ?? null)));

function insertStatement(plan: InsertPlan, columns: readonly TypedColumn[], tail: Fragment, types: Types): Statement {
  const lacking = unfilled(plan, columns, types);
  const names = join([...columns.map(({ name }) => name), ...lacking].map((name) => sql.id(name)));
  const values = join([
    ...columns.map((_, at) => givenValue(plan, columns, at, types)),
    ...lacking.map(() => sql`null`),
  ]);
  const rows = givenRowsBeside(plan.table);
  const from = keyTable(columns, slot(given), 0, rows);
  return compileFragment(
    clauses(
      sql`insert into ${table(plan.table, types)} (${names}) select ${values} from ${from} order by ${columnOf(rows, 'rn')}`,
      tail,
    ),
  );
}

/**
 * The columns that are neither given nor have a default. A trigger may fill them; INSERT … SELECT
 * fails if it leaves such a column out, INSERT … VALUES does not. Without a trigger both fail. For
 * a view all columns count, because the model does not know which of them may be null.
 */
function unfilled(plan: InsertPlan, columns: readonly TypedColumn[], types: Types): readonly string[] {
  const { schema, name: target } = plan.table;
  const known = new Set(columns.map(({ name }) => name));
  const found = types.schemas?.get(schema)?.get(target);
  const isRequired = ({ nullable }: ColumnDescriptor): boolean => found?.kind === 'view' || nullable !== true;
  return [...(found?.byName.values() ?? [])]
    .filter((column) => isRequired(column) && column.hasDefault !== true && column.readOnly !== true)
    .flatMap(({ name }) => (known.has(name) ? [] : [name]));
}

/** The given value of a column. */
export function givenValue(
  { table: target }: InsertPlan,
  columns: readonly TypedColumn[],
  at: number,
  types: Types,
): Fragment {
  const column = columns[at];
  return column === undefined
    ? sql`null`
    : cell(column.type, `c${String(at)}`, 'value', types, givenRowsBeside(target));
}

/** The answer for a written row. */
export interface Returned {
  readonly columns: readonly Fragment[];
  readonly read: (row: RawRow) => Pick<WrittenRow, 'id' | 'keys' | 'text'>;
}

/** @param scope in RETURNING the table has no alias */
export function returnedOf(
  { table: target, returning }: InsertPlan,
  id: readonly TypedColumn[],
  scope: Scope,
): Returned {
  const { types } = scope.compiler;
  const keys = columnsOf(target, returning.keys ?? [], types);
  const texts = [...id, ...keys].map((each) => keyText(each, scope.row, returning.style, types));
  const row = rowText(returning, scope);
  const columns = [...texts, ...(row === undefined ? [] : [row])];
  return {
    columns: columns.length === 0 ? [sql`1`] : columns,
    read: (answer) => ({
      id: answer.slice(0, id.length),
      keys: answer.slice(id.length, texts.length),
      text: row === undefined ? null : (answer[texts.length] ?? null),
    }),
  };
}

function rowText({ select, format }: ReturningPlan, scope: Scope): Fragment | undefined {
  if (select === undefined) return undefined;
  const members = entries(select, scope);
  return whole(writerOf(format, select).row(members));
}
