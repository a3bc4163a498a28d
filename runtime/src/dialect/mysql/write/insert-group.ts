import { sql } from 'kysely';
import type { InsertGroup, InsertPlan, ReturningPlan, TypedColumn } from '../../../plan/write/write-plan.js';
import type { RawRow, Statement } from '../../statement.js';
import type { RunOne } from '../../write-program.js';
import { csvLine } from '../read/csv.js';
import { clauses, compileFragment, join, nothing, slot, table, type Fragment } from '../sql.js';
import { entries } from '../read/read.js';
import { createCompiler, keyOf, type Scope, type Types } from '../read/scope.js';
import { objectText, whole } from '../read/text.js';
import { cell, columnsOf, given, keyTable, keyText, type Key } from './keys.js';
import type { GivenRow } from './rows.js';

/** A row that was written: where it was among those given, and what is answered of it. */
export interface WrittenRow {
  readonly at: number;
  readonly id: Key;
  readonly keys: Key;
  readonly text: string | null;
  readonly isNew: boolean;
}

/** Inserts rows of one group, and answers them in their order. */
export type InsertRows = (
  run: RunOne,
  rows: readonly { readonly at: number; readonly row: GivenRow }[],
) => Promise<WrittenRow[]>;

/** Which columns tell the written rows apart: the table's key, where it has one. */
export const idOf = ({ table: target }: Pick<InsertPlan, 'table'>, types: Types): readonly TypedColumn[] =>
  keyOf(target, types) ?? [];

/** @param onDuplicate what becomes of a row that is there after all; absent: it is an error */
export function insertGroup(
  plan: InsertPlan,
  { columns }: InsertGroup,
  types: Types,
  onDuplicate: Fragment = nothing,
): InsertRows {
  const id = idOf(plan, types);
  const returned = returnedOf(plan, id, types);
  const statement =
    columns.length === 0 ? undefined : insertStatement(plan, columns, clauses(onDuplicate, returned.clause));
  const bare = compileFragment(clauses(sql`insert into ${table(plan.table)} () values ()`, returned.clause));
  return async (run, rows) => {
    const answered: RawRow[] = [];
    if (statement === undefined) for (const { at } of rows) answered.push(...(await run(bare, at)));
    else {
      const values = rows.map(({ row }) => columns.map(({ name }) => row.get(name) ?? null));
      answered.push(...(await run(statement, JSON.stringify(values))));
    }
    return answered.map((each, at) => ({ at: rows[at]?.at ?? at, isNew: true, ...returned.read(each) }));
  };
}

function insertStatement(plan: InsertPlan, columns: readonly TypedColumn[], tail: Fragment): Statement {
  const names = join(columns.map(({ name }) => sql.id(name)));
  const values = join(columns.map(({ type }, at) => cell(type, `c${String(at)}`, 'value')));
  const from = keyTable(columns, slot(given));
  return compileFragment(
    clauses(sql`insert into ${table(plan.table)} (${names}) select ${values} from ${from} order by k.rn`, tail),
  );
}

interface Returned {
  readonly clause: Fragment;
  readonly read: (row: RawRow) => Pick<WrittenRow, 'id' | 'keys' | 'text'>;
}

/** RETURNING: the table has no other name in it than its own. */
function returnedOf({ table: target, returning }: InsertPlan, id: readonly TypedColumn[], types: Types): Returned {
  const scope: Scope = { row: target.name, style: returning.style, compiler: createCompiler(types) };
  const keys = columnsOf(target, returning.keys ?? [], types);
  const texts = [...id, ...keys].map((each) => keyText(each, scope.row, returning.style, types));
  const row = rowText(returning, scope);
  const columns = [...texts, ...(row === undefined ? [] : [row])];
  return {
    clause: columns.length === 0 ? sql`returning 1` : sql`returning ${join(columns)}`,
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
  return whole(format === 'csv' ? csvLine(members) : objectText(members));
}
