import { sql } from 'kysely';
import type { Parameter } from '../../../plan/parameter.js';
import type { Slot, Statement } from '../../../plan/statement.js';
import type { Steps } from '../../../plan/write-program.js';
import type { Types } from '../parameters/encode.js';
import { inputSlot } from '../parameters/rows.js';
import type {
  ConflictPlan,
  DeletePlan,
  FindPlan,
  InsertGroup,
  InsertPlan,
  ReadBackPlan,
  ReplacePlan,
  TypedColumn,
  RowsInput,
  TableWritePlan,
  UpdatePlan,
} from '../../../plan/write/write-plan.js';
import type { WrittenTable } from '../../../plan/read/plan.js';
import { filterOf, tableIn, where } from '../../sql/condition.js';
import { orderKey } from '../read/expression.js';
import { undomained } from '../read/expression.js';
import { wholeRow } from '../read/handled.js';
import { rowsOf } from '../read/object.js';
import { entries } from '../../sql/selection.js';
import { createCompiler } from '../read/words.js';
import type { Scope } from '../read/scope.js';
import {
  clauses,
  columnOf,
  compileFragment,
  constant,
  join,
  nothing,
  operator,
  parameter,
  tableRows,
  table,
  typeName,
  type Fragment,
} from '../sql.js';
import { asRepresented, made, type MadeColumn } from './represented.js';
import { rowByRow } from './row-by-row.js';
import { insertUnequal } from './unequal-rows.js';
import { answerOf, answerOfRow, returningOf, shown, wholeOf, type Outputs, type Written } from './returning.js';

/**
 * One statement, with one JSON parameter for all rows. ReturningPlan says what each write returns.
 */
export function compileRows(given: TableWritePlan, types: Types): Statement | Steps {
  const plan = asRepresented(given);
  const scope = scopeOf(plan, types);
  switch (plan.kind) {
    case 'insert':
      return plan.groups.length > 1 ? unequal(plan, types) : compileInsert(plan, scope);
    case 'update':
      return simple(plan, scope, update(plan, scope));
    case 'delete':
      return simple(plan, scope, remove(plan, scope));
    case 'replace':
      return compileFragment(replace(plan, scope), types);
    case 'find':
      return compileFragment(find(plan, scope), types);
  }
}

function scopeOf({ returning: { style, format } }: TableWritePlan, types: Types): Scope {
  const compiler = createCompiler(types);
  return { row: compiler.newRow(), style, compiler, literals: format === 'csv' };
}

/**
 * Takes the same lock as an update, so that other sessions can still insert rows that refer to
 * these.
 */
function find({ table: target, where: matching, lock, atMost, returning }: FindPlan, scope: Scope): Fragment {
  const outputs = returningOf(returning, [], scope);
  const from = sql`from ${tableRows(target)} as ${sql.id(scope.row)}`;
  const rows = clauses(
    sql`select ${outputs.members} ${from}`,
    where([filterOf(matching, scope)]),
    sql`limit ${sql.lit(atMost)}`,
    lock ? sql`for no key update` : nothing,
  );
  return sql`with w as (${rows}) ${answerOf(returning, outputs, { from: sql`from w` })}`;
}

function simple({ table: target, returning }: UpdatePlan | DeletePlan, scope: Scope, write: Fragment) {
  const { types } = scope.compiler;
  if (target.runsRules)
    return rowByRow(compileFragment(clauses(write, answerOfRow(returning, scope)), types), returning);
  const outputs = returningOf(returning, [], scope);
  return compileFragment(
    sql`with w as (${write} ${outputs.returning}) ${answerOf(returning, outputs, { from: sql`from w` })}`,
    types,
  );
}

function update(plan: UpdatePlan, scope: Scope): Fragment {
  const { table: target, input, cells, columns, inc, defaults, where: matching } = plan;
  const values = cells === undefined ? columns.map(given) : parametersOf(cells, columns, scope);
  const sets = [
    ...columns.map(({ name }, at) => sql`${sql.id(name)} = ${values[at] ?? nothing}`),
    ...inc.map(
      ({ column, by }) =>
        sql`${sql.id(column.name)} = ${columnOf(scope.row, column.name)} + ${parameter(by, scope.compiler.types)}`,
    ),
    ...defaults.map((name) => sql`${sql.id(name)} = default`),
  ];
  const from =
    input === undefined ? nothing : sql`from json_to_record(${jsonOf(input, scope)}) as ${definition(columns)}`;
  const head = sql`update ${tableRows(target)} as ${sql.id(scope.row)} set ${join(sets)}`;
  return clauses(head, from, where([filterOf(matching, scope)]));
}

const remove = ({ table: target, where: matching }: DeletePlan, scope: Scope): Fragment =>
  clauses(sql`delete from ${tableRows(target)} as ${sql.id(scope.row)}`, where([filterOf(matching, scope)]));

/** `i("a" int4, "b" text)` */
const definition = (columns: readonly TypedColumn[]): Fragment =>
  sql`i(${join(columns.map(({ name, type }) => sql`${sql.id(name)} ${typeName(type.sql)}`))})`;

/** Rows with different columns. Each statement has its own scope. */
function unequal(plan: InsertPlan, types: Types): Steps {
  const scope = (): Scope => scopeOf(plan, types);
  return insertUnequal(
    plan,
    types,
    (values, columns) => {
      const within = scope();
      const conflict = plan.groups[0]?.conflict;
      const group: InsertGroup = { columns, has: [], lacks: [], ...(conflict === undefined ? {} : { conflict }) };
      const insertion = plan.table.runsRules ? eachAnswered : answered;
      return compileFragment(insertion(plan, group, sql`values ${values}`, within), types);
    },
    () => compileFragment(grouped(plan, scope()), types),
  );
}

function compileInsert(plan: InsertPlan, scope: Scope): Statement | Steps {
  const { table: target, cells, returning } = plan;
  const only = plan.groups[0] ?? { columns: [], has: [], lacks: [] };
  const isOne = cells !== undefined && returning.as === 'one' && returning.format === 'json';
  const insertion = isOne || target.runsRules ? eachAnswered : answered;
  const statement = compileFragment(insertion(plan, only, source(plan, only, scope), scope), scope.compiler.types);
  return isOne || !target.runsRules ? statement : rowByRow(statement, returning);
}

/** Rows of one group from a source; each is answered on its own. */
function eachAnswered(plan: InsertPlan, group: InsertGroup, from: Fragment, scope: Scope): Fragment {
  const key = plan.arbiter?.map(({ name }) => columnOf(scope.row, name));
  const created = key === undefined ? undefined : sql`case when ${isThere(plan, key)} then 0 else 1 end`;
  const answer = answerOfRow(plan.returning, scope, created);
  return clauses(into(plan, group, scope), from, conflictOf(group.conflict, scope), answer);
}

/** Rows of one group from a source, and the answer about them. */
function answered(plan: InsertPlan, group: InsertGroup, from: Fragment, scope: Scope): Fragment {
  const outputs = returningOf(plan.returning, plan.arbiter ?? [], scope);
  const write = clauses(into(plan, group, scope), from, conflictOf(group.conflict, scope), outputs.returning);
  const written = { from: sql`from w`, ...createdIn(plan, outputs) };
  return sql`with w as (${write}) ${answerOf(plan.returning, outputs, written)}`;
}

const createdIn = (plan: InsertPlan, outputs: Outputs): Pick<Written, 'created'> =>
  plan.arbiter === undefined ? {} : { created: createdCount(plan, outputs) };

function into({ table: target }: InsertPlan, { columns }: InsertGroup, scope: Scope): Fragment {
  const names = columns.length === 0 ? nothing : sql`(${join(columns.map(({ name }) => sql.id(name)))})`;
  return clauses(sql`insert into ${table(target)} as ${sql.id(scope.row)}`, names);
}

/** A row without any column takes every default: an empty select with the right number of rows. */
function source(plan: InsertPlan, group: InsertGroup, scope: Scope): Fragment {
  const { input, cells } = plan;
  const { columns } = group;
  if (cells !== undefined) return sql`values (${join(parametersOf(cells, columns, scope))})`;
  if (columns.length === 0) return sql`select from json_array_elements(${jsonOf(input, scope)})`;
  const from = sql`from json_to_recordset(${jsonOf(input, scope)}) as ${definition(columns)}`;
  return clauses(sql`select ${givenOf(columns)} ${from}`, where(absentIn(plan, group)));
}

/** The conditions that leave out rows of the request whose other keys exist in the table. */
function absentIn({ table: target }: InsertPlan, { columns, conflict }: InsertGroup): readonly Fragment[] {
  const given = new Set(columns.map(({ name }) => name));
  const keys = (conflict?.absent ?? []).filter((key) => key.every(({ name }) => given.has(name)));
  return keys.map((key) => {
    const same = key.map((column) => sameValue(column, columnOf('i', column.name)));
    return sql`not exists (select from ${keyed(target)} as p where ${join(same, sql` and `)})`;
  });
}

/** The row `p` has this value of a column of a key, as the index of the key compares them. */
function sameValue({ name, type, nullsEqual }: TypedColumn, given: Fragment): Fragment {
  const column = sql`p.${sql.id(name)}`;
  const same = sql`${undomained(column, type)} ${operator('=', type)} ${undomained(given, type)}`;
  return nullsEqual === true ? sql`(${same} or ${column} is null and ${given} is null)` : same;
}

/** The rows that the keys of a table are about, without those of tables that inherit from it. */
const keyed = (target: WrittenTable): Fragment =>
  tableRows(target.inherited === true ? { ...target, isOnly: true } : target);

/** The rows of the request as one JSON parameter. */
const jsonOf = (input: RowsInput, { compiler }: Scope): Fragment => sql`${inputSlot(input, compiler.types)}::json`;

const parametersOf = (
  cells: readonly Parameter[],
  columns: readonly TypedColumn[],
  { compiler }: Scope,
): readonly Fragment[] => cells.map((cell, at) => made(parameter(cell, compiler.types), columns[at]));

/** The value that a row of the request has for a column. */
const given = (column: MadeColumn): Fragment => made(columnOf('i', column.name), column);

const givenOf = (columns: readonly TypedColumn[]): Fragment => join(columns.map(given));

/**
 * Inserts the rows of each set of columns separately, all in one statement. The results are put
 * back into the order of the input: the nth row that an insert returns is the nth row that it was
 * given.
 */
function grouped(plan: InsertPlan, scope: Scope): Fragment {
  const outputs = returningOf(plan.returning, plan.arbiter ?? [], scope);
  const created = createdIn(plan, outputs);
  const input = sql`input as materialized (select e.value, e.n, ${groupNumber(plan.groups)} as g from json_array_elements(${jsonOf(plan.input, scope)}) with ordinality as e(value, n))`;
  const inserts = plan.groups.map((group, at) => {
    const rows =
      group.columns.length === 0
        ? sql`select from input`
        : sql`select ${givenOf(group.columns)} from input, json_to_record(input.value) as ${definition(group.columns)}`;
    const write = clauses(
      into(plan, group, scope),
      clauses(rows, where([sql`input.g = ${sql.lit(at)}`, ...absentIn(plan, group)]), sql`order by input.n`),
      conflictOf(group.conflict, scope),
      outputs.returning,
    );
    return sql`${sql.id(`w${String(at)}`)} as (${write})`;
  });
  const all = plan.groups.map(
    (_, at) => sql`select ${sql.lit(at)} as g, row_number() over () as j, * from ${sql.id(`w${String(at)}`)}`,
  );
  const places = sql`places as (select g, n, row_number() over (partition by g order by n) as j from input)`;
  const w = sql`w as (select places.n, written.* from (${join(all, sql` union all `)}) as written left join places using (g, j))`;
  return sql`with ${join([input, ...inserts, places, w])} ${answerOf(plan.returning, outputs, { from: sql`from w`, order: sql`w.n`, ...created })}`;
}

function groupNumber(groups: readonly InsertGroup[]): Fragment {
  const cases = groups.map(({ has, lacks }, at) => {
    const tests = [
      ...has.map((name) => sql`(e.value -> ${constant(name)}) is not null`),
      ...lacks.map((name) => sql`(e.value -> ${constant(name)}) is null`),
    ];
    return sql`when ${join(tests, sql` and `)} then ${sql.lit(at)}`;
  });
  // Without the error a row of no group would be lost. The expression is not constant, because the
  // planner would evaluate it.
  return sql`case ${join(cases, sql` `)} else 1 / (e.n - e.n) end`;
}

function conflictOf(conflict: ConflictPlan | undefined, scope: Scope): Fragment {
  if (conflict === undefined) return nothing;
  const { target, update: columns, absent } = conflict;
  // Without a key that the database takes, the rows were compared with those of the table alone.
  if (target === undefined && absent !== undefined) return nothing;
  const on = target === undefined ? nothing : sql`${targetOf(target)} `;
  if (columns.length === 0) return sql`on conflict ${on}do nothing`;
  const sets = columns.map((name) => sql`${sql.id(name)} = ${columnOf('excluded', name)}`);
  const matching = filterOf(conflict.where, scope);
  return clauses(sql`on conflict ${on}do update set ${join(sets)}`, where([matching]));
}

const targetOf = (target: NonNullable<ConflictPlan['target']>): Fragment =>
  sql`(${join(target.map((name) => sql.id(name)))})`;

/** The number of new rows of an upsert. */
function createdCount(plan: InsertPlan, { extra }: Outputs): Fragment {
  const key = extra.map((name) => sql`n.${name}`);
  return sql`(select count(*) from w as n where not ${isThere(plan, key)})`;
}

/**
 * Whether a row with this key existed before the statement, whose own snapshot does not include its
 * new rows. It uses no system column, because partitioned tables and views have none. `offset 0`
 * prevents a join: PostgreSQL estimates any JSON at 100 rows, and would read the whole table for
 * one.
 */
function isThere({ table: target, arbiter = [] }: InsertPlan, key: readonly Fragment[]): Fragment {
  const same = arbiter.map((column, at) => sameValue(column, key[at] ?? nothing));
  return sql`exists (select from ${keyed(target)} as p where ${join(same, sql` and `)} offset 0)`;
}

/**
 * One statement: between separate update and insert statements, another request could write the
 * row. The insert refers to the result of the update, so it runs after it. A row that exists by
 * then, or that the role does not see, is no failure: then nothing is written.
 */
function replace(plan: ReplacePlan, scope: Scope): Fragment {
  const { table: target, input, columns, update: names, key } = plan;
  const outputs = returningOf(plan.returning, [], scope);
  const row = sql.id(scope.row);
  const sets = columns.flatMap((column) =>
    names.includes(column.name) ? [sql`${sql.id(column.name)} = ${given(column)}`] : [],
  );
  const matching = where([filterOf(plan.where, scope)]);
  const request = sql`i as (select * from json_to_recordset(${jsonOf(input, scope)}) as ${definition(columns)})`;
  const updated = clauses(
    sql`update ${tableRows(target)} as ${row} set ${join(sets)} from i`,
    matching,
    outputs.returning,
  );
  const inserted = clauses(
    sql`insert into ${table(target)} as ${row} (${join(columns.map(({ name }) => sql.id(name)))})`,
    sql`select ${givenOf(columns)} from i where not exists (select from u)`,
    conflictOf({ target: key, update: [] }, scope),
    outputs.returning,
  );
  const written = sql`w as (select u.*, false as "new" from u union all select n.*, true from n)`;
  const created = sql`(select count(*) from w where w."new")`;
  return sql`with ${request}, u as (${updated}), n as (${inserted}), ${written} ${answerOf(plan.returning, outputs, { from: sql`from w`, created })}`;
}

/** The current rows of these keys, in the order of the keys. */
export function compileReadBack(plan: ReadBackPlan, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler, literals: plan.format === 'csv' };
  const matches = plan.key.map(
    ({ name, type }, at) =>
      sql`${undomained(columnOf(scope.row, name), type)} ${operator('=', type)} (k.v ->> ${sql.lit(at)})::${typeName(type.sql)}`,
  );
  const { from, readable } = tableIn(plan.table, scope);
  const matching = where([...readable, filterOf(plan.where, scope)]);
  const order = (plan.order ?? []).map((each) => orderKey(each, scope));
  const keys = sql`json_array_elements(${{ bind: plan.keys } satisfies Slot}::json) with ordinality as k(v, n)`;
  const tail = sql`from ${keys} inner join ${from} on ${join(matches, sql` and `)} ${matching} order by ${join([...order, sql`k.n`])}`;
  const of = wholeOf(plan.format);
  const shownEntries = of === undefined ? entries(plan.select, scope) : [{ as: 'whole', value: wholeRow(scope, of) }];
  const found = rowsOf(shownEntries, tail);
  return compileFragment(sql`select ${shown(found, plan, plan.select)} from ${found.from}`, types);
}
