import { sql } from 'kysely';
import type { Estimate, RawRow, Statement } from '../../statement.js';
import type { Types } from '../parameters/encode.js';
import { mostFields } from '../../document-text.js';
import type { DocumentPlan, Plan, ReadPlan, RootPlan, RowsPlan } from '../../../plan/read/plan.js';
import { compileAggregate } from './aggregate.js';
import { changes } from './changes.js';
import { compileConnection } from './connection.js';
import { csvOf } from './csv.js';
import { geojsonOf } from './geojson.js';
import { jsonOf, listOf, objectOf, type Entry, type Rows } from './object.js';
import { anyRow, count, list, one, rows } from './read.js';
import { createCompiler } from './compiler.js';
import type { Compiler } from './scope.js';
import { compileValue } from './value.js';
import { compileFragment, join, typeNameText, type Fragment } from '../sql.js';

/**
 * Plan → Statement: one SQL text with its parameters as slots, in the order of `$n`. What each plan
 * answers is said at its intent: plan/intent.ts.
 */
export function compilePlan(plan: Plan, types: Types): Statement {
  switch (plan.kind) {
    case 'document':
      return compileFragment(document(plan, createCompiler(types)));
    case 'rows':
      return compileRows(plan, types);
    case 'row':
      return compileFragment(row(plan.read, createCompiler(types)));
    case 'changes':
      return compileFragment(changes(plan, createCompiler(types)));
  }
}

/** A column for each field; the only field of a document is the statement itself. */
function document({ fields }: DocumentPlan, compiler: Compiler): Fragment {
  const [first, ...more] = fields;
  if (more.length === 0 && first?.kind === 'one') return row(first.read, compiler);
  if (more.length === 0 && first?.kind === 'list') return allRows(first.read, compiler);
  if (fields.length <= mostFields) return sql`select ${join(fields.map((field) => json(field, compiler)))}`;
  return sql`select ${objectOf(fields.map((field): Entry => ({ as: field.as, value: root(field, compiler) })))}`;
}

function row(read: ReadPlan, compiler: Compiler): Fragment {
  const found = rows(read, compiler);
  return sql`select ${jsonOf(found)} from ${found.from}`;
}

function allRows(read: ReadPlan, compiler: Compiler): Fragment {
  const found = rows(read, compiler);
  return sql`select ${listOf(found)} from ${found.from}`;
}

/** A field as JSON, where nothing around it makes JSON of it. */
const json = (field: RootPlan, compiler: Compiler): Fragment =>
  field.kind === 'constant' ? sql`to_json(${root(field, compiler)})` : root(field, compiler);

function root(field: RootPlan, compiler: Compiler): Fragment {
  switch (field.kind) {
    case 'constant':
      return typeNameText(field.text);
    case 'list':
      return list(field.read, compiler);
    case 'one':
      return one(field.read, compiler);
    case 'connection':
      return compileConnection(field.connection, compiler);
    case 'aggregate':
      return compileAggregate(field.aggregate, compiler);
    case 'nothing':
      return sql`null::json`;
    case 'nodes':
      return nodes(field.reads, compiler);
    case 'value':
      return compileValue(field.value, compiler);
  }
}

/** A list of rows of several tables: each is found by its key. */
function nodes(reads: readonly (ReadPlan | undefined)[], compiler: Compiler): Fragment {
  const rows = reads.map((read) => (read === undefined ? sql`null` : one(read, compiler)));
  return sql`to_json(array[${join(rows)}]::json[])`;
}

function compileRows(plan: RowsPlan, types: Types): Statement {
  const compiler = createCompiler(types);
  const found = rows(plan.read, compiler, undefined, plan.format === 'csv');
  const answer = answerOf(found, plan);
  const statement = compileFragment(sql`select ${answer}, count(*), ${total(plan, compiler)} from ${found.from}`);
  const estimate = estimateOf(plan, types);
  return estimate === undefined ? statement : { ...statement, estimate };
}

function answerOf(found: Rows, { format, read, stripsNulls }: RowsPlan): Fragment {
  if (format === 'csv') return csvOf(found, read.select);
  return format === 'json' ? jsonList(found, stripsNulls) : geojsonOf(found, format.geojson);
}

const jsonList = (found: Rows, stripsNulls = false): Fragment =>
  stripsNulls ? sql`json_strip_nulls(${listOf(found)})` : listOf(found);

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

/** EXPLAIN is not an expression, so an estimate is a separate statement, as in PostgREST. */
function estimateOf(plan: RowsPlan, types: Types): Estimate | undefined {
  if (plan.count !== 'planned' && plan.count !== 'estimated') return undefined;
  const statement = compileFragment(sql`explain (format json) ${anyRow(plan.read, createCompiler(types))}`);
  const estimate = { statement, read: plannedRows };
  return plan.count === 'planned' ? estimate : { ...estimate, above: plan.countCeiling };
}

/**
 * Source: https://www.postgresql.org/docs/current/using-explain.html; `[{"Plan": {"Plan Rows": 42,
 * …}}]`.
 */
function plannedRows([explained]: RawRow): number {
  const [plan] = JSON.parse(explained ?? '[]') as readonly { readonly Plan: { readonly 'Plan Rows': number } }[];
  return plan?.Plan['Plan Rows'] ?? 0;
}
