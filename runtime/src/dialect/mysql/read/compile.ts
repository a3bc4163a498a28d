import { sql } from 'kysely';
import { noFunctions } from './no-functions.js';
import type { DocumentPlan, Plan, ReadPlan, RootPlan, RowsPlan } from '../../../plan/read/plan.js';
import { mostFields } from '../../document-text.js';
import { unsupported } from '../../../plan/refuse.js';
import type { Estimate, RawRow, Statement } from '../../statement.js';
import { compileAggregate } from './aggregate.js';
import { changes } from './changes.js';
import { compileConnection } from './connection.js';
import { csvLine, csvOf } from './csv.js';
import { compileFragment, join, type Fragment } from '../sql.js';
import { anyRow, count, list, one, row, rows } from './read.js';
import { createCompiler } from './compiler.js';
import type { Compiler, Types } from './scope.js';
import { concat, jsonText, listOf, objectText, whole, wholeOfRows } from './text.js';

/**
 * Plan → Statement: one SQL text with its parameters as slots. What each plan answers is said at
 * its intent: plan/intent.ts.
 */
export function compilePlan(plan: Plan, types: Types): Statement {
  switch (plan.kind) {
    case 'document':
      return compileDocument(plan, types);
    case 'rows':
      return compileRows(plan, types);
    case 'row':
      return compileFragment(row(plan.read, createCompiler(types)));
    case 'changes':
      return compileFragment(changes(plan, createCompiler(types)));
  }
}

function compileDocument(plan: DocumentPlan, types: Types): Statement {
  const [first, ...more] = plan.fields;
  if (first?.kind === 'list' && more.length === 0 && !isGrouped(first.read)) return compileItems(first.read, types);
  return compileFragment(document(plan, createCompiler(types)));
}

/**
 * A list that nothing stands beside, by its rows. A list that the database makes takes it more than
 * twice the time: the rows are kept in a temporary table on disk first.
 */
const compileItems = (read: ReadPlan, types: Types): Statement => ({
  ...compileFragment(row(read, createCompiler(types))),
  items: true,
});

/** A column for each field. */
function document({ fields }: DocumentPlan, compiler: Compiler): Fragment {
  const [first, ...more] = fields;
  if (more.length === 0 && first?.kind === 'one') return row(first.read, compiler);
  const values = fields.map((field) => ({ as: field.as, value: root(field, compiler) }));
  if (fields.length <= mostFields) return sql`select ${join(values.map(({ value }) => value))}`;
  return sql`select ${whole(objectText(values.map(({ as, value }) => ({ as, value: jsonText(value) }))))}`;
}

function root(field: RootPlan, compiler: Compiler): Fragment {
  switch (field.kind) {
    case 'constant':
      return sql.raw(`'"${field.text}"'`);
    case 'list':
      return list(field.read, compiler);
    case 'one':
      return one(field.read, compiler);
    case 'connection':
      return compileConnection(field.connection, compiler);
    case 'aggregate':
      return compileAggregate(field.aggregate, compiler);
    case 'nothing':
      return sql.raw("'null'");
    case 'nodes':
      return whole(nodes(field.reads, compiler));
    case 'value':
      throw noFunctions();
  }
}

/** A list of rows of several tables: each is found by its key. */
function nodes(reads: readonly (ReadPlan | undefined)[], compiler: Compiler): Fragment {
  const rows = reads.map((read) => (read === undefined ? 'null' : one(read, compiler)));
  return concat(['[', ...rows.flatMap((row, at) => (at === 0 ? [row] : [',', row])), ']']);
}

function compileRows(plan: RowsPlan, types: Types): Statement {
  if (plan.stripsNulls === true) throw unsupported('This database does not leave out members that are null.');
  const estimate = estimateOf(plan, types);
  const statement = isAlone(plan) ? compileItems(plan.read, types) : compileCounted(plan, createCompiler(types));
  return estimate === undefined ? statement : { ...statement, estimate };
}

/** Whether only the rows are asked for, as JSON. */
const isAlone = ({ format, count, read }: RowsPlan): boolean =>
  format !== 'csv' && (count === 'none' || count === 'planned') && !isGrouped(read);

/** MariaDB evaluates `whole` of an aggregated row before it has the row, and so fails each time. */
const isGrouped = ({ grouped }: ReadPlan): boolean => grouped === true;

/** A row of three columns: the text of all rows, how many these are, and how many there are. */
function compileCounted(plan: RowsPlan, compiler: Compiler): Statement {
  const isCsv = plan.format === 'csv';
  const found = rows(plan.read, compiler, isCsv ? csvLine : objectText);
  const answer = isCsv ? csvOf(sql`t.j`, found.order, plan.read.select) : listOf(sql`t.j`, found.order);
  return compileFragment(sql`select ${wholeOfRows(answer)}, count(*), ${total(plan, compiler)} from ${found.from}`);
}

function total(plan: RowsPlan, compiler: Compiler): Fragment {
  switch (plan.count) {
    case 'exact':
      return count(plan.read, compiler);
    case 'estimated':
      return count(plan.read, compiler, plan.countCeiling + 1);
    default:
      return sql`null`;
  }
}

function estimateOf(plan: RowsPlan, types: Types): Estimate | undefined {
  if (plan.count !== 'planned' && plan.count !== 'estimated') return undefined;
  const statement = compileFragment(sql`explain format=json ${anyRow(plan.read, createCompiler(types))}`);
  const estimate = { statement, read: plannedRows };
  return plan.count === 'planned' ? estimate : { ...estimate, above: plan.countCeiling };
}

/**
 * The rows of the first table that the plan reads, and the part of them that the filter leaves.
 * MariaDB writes `"rows": 42, "filtered": 50`, MySQL `"rows_examined_per_scan": 42,
 * "rows_produced_per_join": 21, "filtered": "50.00"`, and in its second form `"estimated_rows":
 * 21.0`.
 */
export function plannedRows([explained]: RawRow): number {
  const text = explained ?? '';
  const found =
    /"rows(?:_examined_per_scan)?": (\d+)(?:,\s*"rows_produced_per_join": \d+)?(?:,\s*"filtered": "?([\d.]+))?/.exec(
      text,
    );
  if (found !== null) return Math.round((Number(found[1]) * Number(found[2] ?? 100)) / 100);
  return Math.round(Number(/"estimated_rows": ([\d.e+]+)/.exec(text)?.[1] ?? 0));
}
