import { sql } from 'kysely';
import type { Plan, RowsPlan } from '../../../plan/read/plan.js';
import { compileRead, createCompiler as createStatementCompiler } from '../../sql/compile.js';
import type { Words } from '../../sql/words.js';
import type { RawRow, Statement } from '../../../plan/statement.js';
import type { Types } from '../parameters/encode.js';
import { compileFragment, join, tableRows, typeNameText, type Fragment } from '../sql.js';
import { AggregateColumns, groups } from './aggregate.js';
import { changes } from './changes.js';
import { comparison, cursorValue, isIn, keyComparison, operation, rowComparison, sameNullable } from './condition.js';
import { csvOf } from './csv.js';
import { aggregated, compared, derived } from './expression.js';
import { geojsonOf } from './geojson.js';
import { handledRows, writtenBy } from './handled.js';
import { count64 } from './limit.js';
import { listOf, objectOf } from './object.js';
import { cursor, keyPage, pageFirst, pageList, positionPage } from './page.js';
import { allRows, composite, groupedSource, nodeId, row, rows, spread, value } from './read.js';
import type { Compiler, Postgres } from './scope.js';
import { calledOnce, calledSource, distinct, source } from './source.js';
import { compileValue } from './value.js';

const same = (fragment: Fragment): Fragment => fragment;

export const words: Words<Postgres> = {
  compile: compileFragment,
  row,
  listAlone: (read, compiler) => compileFragment(allRows(read, compiler), compiler.types),
  rowsAlone: () => undefined,
  rows: rowsAnswer,
  preamble: calledOnce,
  changes,
  explain: sql`explain (format json)`,
  hidesRows: sql`exists (select from pg_catalog.pg_class where relrowsecurity)`,
  plannedRows,

  selectRow: sql`select`,
  table: tableRows,
  source,
  calledSource,
  distinct,
  groupedSource,
  stored: (_, value) => value,
  derived,
  aggregated,
  compared,
  sortable: compared,
  operation,
  isIn,
  keyComparison,
  comparison,
  cursorValue,
  sameNullable,
  rowComparison,

  name: typeNameText,
  nameColumn: (text) => sql`to_json(${typeNameText(text)})`,
  missing: sql`null::json`,
  json: same,
  column: same,
  truth: same,
  token: same,
  object: (entries) => objectOf(entries),
  objectFrom: objectOf,
  complete: same,
  value,
  nodeId,
  composite,
  spread,
  list: (read, compiler, belonging) => sql`(${allRows(read, compiler, belonging)})`,
  one: (read, compiler, belonging) => sql`(${row(read, compiler, belonging)})`,
  nodes: (found) => sql`to_json(array[${join(found.map((each) => each ?? sql`null`))}]::json[])`,
  functionValue: compileValue,
  aggregates: (plan, compiler) => new AggregateColumns(plan, compiler),
  groups,

  number: count64,
  cursor,
  pageList,
  pageFirst,
  pageRows: sql`p.rows`,
  keyPage,
  positionPage,
};

export const createCompiler = (types: Types): Compiler => createStatementCompiler(types, words);

export const compilePlan = (plan: Plan, types: Types): Statement => compileRead(plan, types, words);

function rowsAnswer(
  { read, format, stripsNulls, isBare }: RowsPlan,
  compiler: Compiler,
): ReturnType<typeof words.rows> {
  if (typeof format === 'object' && 'handler' in format && format.of !== undefined)
    return handledRows(read, format.handler, compiler);
  const all = rows(read, compiler, undefined, format === 'csv');
  const found = isBare === true ? { ...all, row: sql`t.${sql.id(read.select[0]?.as ?? '')}`, json: true } : all;
  const { from } = found;
  if (format === 'csv') return { answer: csvOf(found, read.select, read.style), from };
  if (format !== 'json') {
    const answer = 'handler' in format ? writtenBy(format.handler, found.row) : geojsonOf(found, format.geojson);
    return { answer, from };
  }
  return { answer: stripsNulls === true ? sql`json_strip_nulls(${listOf(found)})` : listOf(found), from };
}

/**
 * Source: https://www.postgresql.org/docs/current/using-explain.html; `[{"Plan": {"Plan Rows": 42,
 * …}}]`.
 */
function plannedRows([explained]: RawRow): number {
  const [plan] = JSON.parse(explained ?? '[]') as readonly { readonly Plan: { readonly 'Plan Rows': number } }[];
  return plan?.Plan['Plan Rows'] ?? 0;
}
