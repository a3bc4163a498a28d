import { sql } from 'kysely';
import type { Plan, ReadPlan, RowsPlan } from '../../../plan/read/plan.js';
import { unsupported } from '../../../plan/refuse.js';
import { compileRead, createCompiler as createStatementCompiler } from '../../sql/compile.js';
import { expression } from '../../sql/expression.js';
import type { Words } from '../../sql/words.js';
import type { Statement } from '../../../plan/statement.js';
import { compileFragment, nothing, rowNumber, table, type Fragment } from '../sql.js';
import { groups, InlineAggregates } from './aggregate.js';
import { functionValue, source } from './call.js';
import { changes } from './changes.js';
import { cursorValue, operation, sameNullable } from './condition.js';
import { writerOf } from './format.js';
import { aggregated, derived, sortable, stored } from './expression.js';
import { cursor, keyPage, pageFirst, pageList, positionPage } from './page.js';
import { plannedRows } from './planned-rows.js';
import {
  distinct,
  groupedSource,
  isGrouped,
  list,
  many,
  nodeId,
  one,
  onlyValue,
  row,
  rows,
  spread,
  value,
  type WriteRow,
} from './read.js';
import type { Compiler, Mysql, Types } from './scope.js';
import { concat, jsonText, objectText, valueText, whole, wholeOfRows } from './text.js';

/** The name of a GraphQL type. */
const name = (text: string): Fragment => sql.raw(`'"${text}"'`);

export const words: Words<Mysql> = {
  compile: compileFragment,
  row,
  listAlone: (read, compiler) =>
    isGrouped(read) ? compileFragment(sql`select ${list(read, compiler)}`) : compileItems(read, compiler),
  rowsAlone: (plan, compiler) => {
    if (plan.stripsNulls === true) throw unsupported('This database does not leave out members that are null.');
    return isAlone(plan) ? compileItems(plan.read, compiler, writeRow(plan)) : undefined;
  },
  rows: (plan, compiler) => {
    const { format, read, isBare } = plan;
    const writer = writerOf(format, read.select);
    const { from, order } = rows(read, compiler, isBare === true && writer.isJson ? onlyValue : writer.row);
    return { answer: wholeOfRows(writer.all(sql`t.j`, order)), from };
  },
  preamble: () => nothing,
  changes,
  explain: sql`explain format=json`,
  plannedRows,

  selectRow: sql`select 1`,
  table: (name, { types }) => table(name, types),
  source: (of, { row: as, compiler }) => ({ from: source(of, as, compiler.types) }),
  calledSource: () => {
    throw unsupported('Functions of this database answer no rows.');
  },
  distinct,
  groupedSource,
  stored,
  derived,
  aggregated,
  compared: expression,
  sortable,
  operation,
  // Tables of this database do not inherit, and its catalogue names no operators.
  isIn: () => sql`true`,
  keyComparison: (key, reference) => sql`${key} = ${reference}`,
  comparison: (symbol) => sql.raw(symbol),
  cursorValue,
  sameNullable,
  // MariaDB would read the whole index for a row comparison; it can use the bound on the first key.
  rowComparison: () => undefined,

  name: (text) => jsonText(name(text)),
  nameColumn: name,
  missing: jsonText(sql.raw("'null'")),
  json: jsonText,
  column: valueText,
  truth: (test) => jsonText(sql`if(${test}, 'true', 'false')`),
  token: (text, nullable) => ({ text, form: 'plain', nullable }),
  object: (entries) => jsonText(objectText(entries)),
  objectFrom: (entries, tail) => {
    const object = objectText(entries);
    return jsonText(whole(tail === nothing ? object : sql`(select ${object} ${tail})`));
  },
  complete: whole,
  value,
  nodeId,
  composite: () => jsonText(nothing),
  spread: (of, scope) => jsonText(spread(of, scope)),
  list: (read, compiler, belonging) =>
    jsonText(belonging === undefined ? list(read, compiler) : many(read, compiler, belonging)),
  one: (read, compiler, belonging) => jsonText(one(read, compiler, belonging)),
  nodes: (found) => {
    const texts = found.map((each) => (each === undefined ? 'null' : valueText(each)));
    return jsonText(whole(concat(['[', ...texts.flatMap((text, at) => (at === 0 ? [text] : [',', text])), ']'])));
  },
  functionValue,
  aggregates: (plan, compiler, source) => new InlineAggregates(plan, compiler, source),
  groups,

  number: rowNumber,
  cursor,
  pageList,
  pageFirst,
  pageRows: sql`p.total`,
  keyPage,
  positionPage,
};

export const createCompiler = (types: Types): Compiler => createStatementCompiler(types, words);

export const compilePlan = (plan: Plan, types: Types): Statement => compileRead(plan, types, words);

/**
 * A list that is the whole answer, read as rows (decision 019). A list that the database builds
 * takes more than twice the time, because it first writes the rows to a temporary table on disk.
 */
const compileItems = (read: ReadPlan, compiler: Compiler, write?: WriteRow): Statement => ({
  ...compileFragment(row(read, compiler, undefined, write)),
  items: true,
});

const writeRow = ({ isBare }: RowsPlan): WriteRow => (isBare === true ? onlyValue : objectText);

/** Whether only the rows are requested, as JSON. */
const isAlone = ({ format, count, read }: RowsPlan): boolean =>
  format === 'json' && (count === 'none' || count === 'planned') && !isGrouped(read);
