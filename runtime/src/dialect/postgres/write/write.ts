import { sql } from 'kysely';
import type { Parameter } from '../../../plan/parameter.js';
import type { Slot, Statement } from '../../statement.js';
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
  RowsPlan,
  UpdatePlan,
} from '../../../plan/write/write-plan.js';
import { condition, where } from '../read/condition.js';
import { undomained } from '../read/expression.js';
import { rowsOf } from '../read/object.js';
import { entries } from '../read/read.js';
import { createCompiler } from '../read/compiler.js';
import { columnOf, type Scope } from '../read/scope.js';
import {
  clauses,
  compileFragment,
  constant,
  join,
  nothing,
  operator,
  parameter,
  table,
  typeName,
  type Fragment,
} from '../sql.js';
import { answerOf, answerOfRow, returningOf, shown, type Outputs, type Written } from './returning.js';

/**
 * What each write answers is said at ReturningPlan. One statement, one JSON parameter for all rows.
 */
export function compileRows(plan: RowsPlan, types: Types): Statement {
  const compiler = createCompiler(types);
  const { style, format } = plan.returning;
  const scope: Scope = { row: compiler.newRow(), style, compiler, literals: format === 'csv' };
  switch (plan.kind) {
    case 'insert':
      return compileFragment(insert(plan, scope));
    case 'update':
      return compileFragment(simple(plan, scope, update(plan, scope)));
    case 'delete':
      return compileFragment(simple(plan, scope, remove(plan, scope)));
    case 'replace':
      return compileFragment(replace(plan, scope));
    case 'find':
      return compileFragment(find(plan, scope));
  }
}

/**
 * Takes the same lock as an update, so that other sessions can still insert rows that refer to
 * these.
 */
function find({ table: target, where: matching, lock, atMost, returning }: FindPlan, scope: Scope): Fragment {
  const outputs = returningOf(returning, [], scope);
  const from = sql`from ${table(target)} as ${sql.id(scope.row)}`;
  const rows = clauses(
    sql`select ${outputs.members} ${from}`,
    where([matching === undefined ? undefined : condition(matching, scope)]),
    sql`limit ${sql.lit(atMost)}`,
    lock ? sql`for no key update` : nothing,
  );
  return sql`with w as (${rows}) ${answerOf(returning, outputs, { from: sql`from w` })}`;
}

function simple(plan: UpdatePlan | DeletePlan, scope: Scope, write: Fragment): Fragment {
  const outputs = returningOf(plan.returning, [], scope);
  return sql`with w as (${write} ${outputs.returning}) ${answerOf(plan.returning, outputs, { from: sql`from w` })}`;
}

function update({ table: target, input, cells, columns, inc, where: matching }: UpdatePlan, scope: Scope): Fragment {
  const values = cells === undefined ? columns.map(({ name }) => columnOf('i', name)) : parametersOf(cells, scope);
  const sets = [
    ...columns.map(({ name }, at) => sql`${sql.id(name)} = ${values[at] ?? nothing}`),
    ...inc.map(
      ({ column, by }) =>
        sql`${sql.id(column.name)} = ${columnOf(scope.row, column.name)} + ${parameter(by, scope.compiler.types)}`,
    ),
  ];
  const from =
    input === undefined ? nothing : sql`from json_to_record(${jsonOf(input, scope)}) as ${definition(columns)}`;
  const head = sql`update ${table(target)} as ${sql.id(scope.row)} set ${join(sets)}`;
  return clauses(head, from, where([matching === undefined ? undefined : condition(matching, scope)]));
}

const remove = ({ table: target, where: matching }: DeletePlan, scope: Scope): Fragment =>
  clauses(
    sql`delete from ${table(target)} as ${sql.id(scope.row)}`,
    where([matching === undefined ? undefined : condition(matching, scope)]),
  );

/** `i("a" int4, "b" text)` */
const definition = (columns: readonly TypedColumn[]): Fragment =>
  sql`i(${join(columns.map(({ name, type }) => sql`${sql.id(name)} ${typeName(type.sql)}`))})`;

function insert(plan: InsertPlan, scope: Scope): Fragment {
  const [only, ...more] = plan.groups;
  const { as, format } = plan.returning;
  if (only !== undefined && plan.cells !== undefined && as === 'one' && format === 'json') {
    const key = plan.arbiter?.map(({ name }) => columnOf(scope.row, name));
    const created = key === undefined ? undefined : sql`case when ${isThere(plan, key)} then 0 else 1 end`;
    return clauses(
      into(plan, only, scope),
      source(plan, only, scope),
      conflictOf(only.conflict, scope),
      answerOfRow(plan.returning, scope, created),
    );
  }
  const outputs = returningOf(plan.returning, plan.arbiter ?? [], scope);
  const created = plan.arbiter === undefined ? {} : { created: createdCount(plan, outputs) };
  if (only !== undefined && more.length === 0 && only.has.length + only.lacks.length === 0) {
    const write = clauses(
      into(plan, only, scope),
      source(plan, only, scope),
      conflictOf(only.conflict, scope),
      outputs.returning,
    );
    return sql`with w as (${write}) ${answerOf(plan.returning, outputs, { from: sql`from w`, ...created })}`;
  }
  return grouped(plan, scope, outputs, created);
}

function into({ table: target }: InsertPlan, { columns }: InsertGroup, scope: Scope): Fragment {
  const names = columns.length === 0 ? nothing : sql`(${join(columns.map(({ name }) => sql.id(name)))})`;
  return clauses(sql`insert into ${table(target)} as ${sql.id(scope.row)}`, names);
}

/**
 * A row without any column takes every default: a select of nothing, as often as there are rows.
 */
function source({ input, cells }: InsertPlan, { columns }: InsertGroup, scope: Scope): Fragment {
  if (cells !== undefined) return sql`values (${join(parametersOf(cells, scope))})`;
  if (columns.length === 0) return sql`select from json_array_elements(${jsonOf(input, scope)})`;
  return sql`select ${givenOf(columns)} from json_to_recordset(${jsonOf(input, scope)}) as ${definition(columns)}`;
}

/** The rows of the request as one JSON parameter. */
const jsonOf = (input: RowsInput, { compiler }: Scope): Fragment => sql`${inputSlot(input, compiler.types)}::json`;

const parametersOf = (cells: readonly Parameter[], { compiler }: Scope): readonly Fragment[] =>
  cells.map((cell) => parameter(cell, compiler.types));

const givenOf = (columns: readonly TypedColumn[]): Fragment => join(columns.map(({ name }) => columnOf('i', name)));

/**
 * Rows that lack columns with a default are inserted apart from the others, all in one statement.
 * What they answer is put back into the order of the input: the nth row that an insert answers is
 * the nth that it was given.
 */
function grouped(plan: InsertPlan, scope: Scope, outputs: Outputs, created: Pick<Written, 'created'>): Fragment {
  const input = sql`input as materialized (select e.value, e.n, ${groupNumber(plan.groups)} as g from json_array_elements(${jsonOf(plan.input, scope)}) with ordinality as e(value, n))`;
  const inserts = plan.groups.map((group, at) => {
    const rows =
      group.columns.length === 0
        ? sql`select from input`
        : sql`select ${givenOf(group.columns)} from input, json_to_record(input.value) as ${definition(group.columns)}`;
    const write = clauses(
      into(plan, group, scope),
      sql`${rows} where input.g = ${sql.lit(at)} order by input.n`,
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
  return sql`case ${join(cases, sql` `)} end`;
}

function conflictOf(conflict: ConflictPlan | undefined, scope: Scope): Fragment {
  if (conflict === undefined) return nothing;
  const { target, update: columns } = conflict;
  const on = target === undefined ? nothing : sql`${targetOf(target)} `;
  if (columns.length === 0) return sql`on conflict ${on}do nothing`;
  const sets = columns.map((name) => sql`${sql.id(name)} = ${columnOf('excluded', name)}`);
  const matching = conflict.where === undefined ? undefined : condition(conflict.where, scope);
  return clauses(sql`on conflict ${on}do update set ${join(sets)}`, where([matching]));
}

const targetOf = (target: NonNullable<ConflictPlan['target']>): Fragment =>
  target.kind === 'constraint'
    ? sql`on constraint ${sql.id(target.name)}`
    : sql`(${join(target.columns.map((name) => sql.id(name)))})`;

/** How many of an upsert's rows are new. */
function createdCount(plan: InsertPlan, { extra }: Outputs): Fragment {
  const key = extra.map((name) => sql`n.${name}`);
  return sql`(select count(*) from w as n where not ${isThere(plan, key)})`;
}

/**
 * Whether there was a row with this key before the statement, whose own snapshot does not have its
 * new rows. No system column is asked, as a partitioned table or a view has none. `offset 0` keeps
 * PostgreSQL from joining: it takes any JSON for 100 rows, and would read the whole table for one.
 */
function isThere({ table: target, arbiter = [] }: InsertPlan, key: readonly Fragment[]): Fragment {
  const same = arbiter.map(
    ({ name, type }, at) =>
      sql`${undomained(sql`p.${sql.id(name)}`, type)} ${operator('=', type)} ${undomained(key[at] ?? nothing, type)}`,
  );
  return sql`exists (select from ${table(target)} as p where ${join(same, sql` and `)} offset 0)`;
}

/**
 * One statement: between an update and an insert of two, another request could write the row. The
 * insert asks for what the update has done, so it runs after it. A row that is there by now, or
 * that the role does not see, is no failure here: then nothing is written.
 */
function replace(plan: ReplacePlan, scope: Scope): Fragment {
  const { table: target, input, columns, update: names, key } = plan;
  const outputs = returningOf(plan.returning, [], scope);
  const row = sql.id(scope.row);
  const sets = names.map((name) => sql`${sql.id(name)} = ${columnOf('i', name)}`);
  const matching = where([plan.where === undefined ? undefined : condition(plan.where, scope)]);
  const given = sql`i as (select * from json_to_recordset(${jsonOf(input, scope)}) as ${definition(columns)})`;
  const updated = clauses(sql`update ${table(target)} as ${row} set ${join(sets)} from i`, matching, outputs.returning);
  const inserted = clauses(
    sql`insert into ${table(target)} as ${row} (${join(columns.map(({ name }) => sql.id(name)))})`,
    sql`select ${givenOf(columns)} from i where not exists (select from u)`,
    conflictOf({ target: { kind: 'constraint', name: key }, update: [] }, scope),
    outputs.returning,
  );
  const written = sql`w as (select u.*, false as "new" from u union all select n.*, true from n)`;
  const created = sql`(select count(*) from w where w."new")`;
  return sql`with ${given}, u as (${updated}), n as (${inserted}), ${written} ${answerOf(plan.returning, outputs, { from: sql`from w`, created })}`;
}

/** The current rows of these keys, in the order of the keys. */
export function compileReadBack(plan: ReadBackPlan, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler, literals: plan.format === 'csv' };
  const matches = plan.key.map(
    ({ name, type }, at) =>
      sql`${undomained(columnOf(scope.row, name), type)} ${operator('=', type)} (k.v ->> ${sql.lit(at)})::${typeName(type.sql)}`,
  );
  const readable = where([plan.where === undefined ? undefined : condition(plan.where, scope)]);
  const keys = sql`json_array_elements(${{ bind: plan.keys } satisfies Slot}::json) with ordinality as k(v, n)`;
  const tail = sql`from ${keys} inner join ${table(plan.table)} as ${sql.id(scope.row)} on ${join(matches, sql` and `)} ${readable} order by k.n`;
  const found = rowsOf(entries(plan.select, scope), tail);
  return compileFragment(sql`select ${shown(found, plan, plan.select)} from ${found.from}`);
}
