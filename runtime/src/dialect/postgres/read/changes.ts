import { sql } from 'kysely';
import type { ChangesPlan } from '../../../plan/read/plan.js';
import { filterOf, tableIn, where } from '../../sql/condition.js';
import { compared } from './expression.js';
import { objectOf } from './object.js';
import { project } from './projection.js';
import { entries } from '../../sql/selection.js';
import type { Compiler, Scope } from './scope.js';
import { clauses, columnOf, join, operand, operator, table, type Fragment } from '../sql.js';
import { comparedAs } from '../comparison.js';

/**
 * A row for each key: see ChangesIntent. The key's JSON is made from the given key, so that it
 * exists for a deleted row, too.
 */
export function changes(plan: ChangesPlan, compiler: Compiler): Fragment {
  const { types } = compiler;
  const keys = compiler.newRow();
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler };
  const names = plan.keys.map((_, at) => `k${String(at)}`);
  const lists = plan.keys.map(({ values }) => operand(values, types));
  const former = plan.former === undefined ? undefined : formerOf(plan.former, plan, columnOf(keys, 'old'), compiler);
  const columns = [...names, ...(former === undefined ? [] : ['old']), 'at'].map((name) => sql.id(name));
  const values = former === undefined ? lists : [...lists, former.values];
  const source = sql`unnest(${join(values)}) with ordinality as ${sql.id(keys)}(${join(columns)})`;
  const same = plan.keys.map(({ column, values }, at) => {
    const { type } = values;
    const value = compared({ kind: 'column', column, type, nullable: false }, scope);
    return sql`${value} ${operator('=', comparedAs(type))} ${columnOf(keys, `k${String(at)}`)}`;
  });
  const { from, readable } = tableIn(plan.table, scope);
  const matching = filterOf(plan.where, scope);
  const rows = plan.rows.map((each, at) => sql`${objectOf(entries(each, scope))} as ${sql.id(`o${String(at)}`)}`);
  const found = clauses(
    sql`select ${join([sql`true as found`, ...rows])} from ${from}`,
    where([...same, ...readable, matching]),
  );
  const key = objectOf(
    plan.keys.map(({ as, values }, at) => ({
      as,
      value: project(values.type, columnOf(keys, `k${String(at)}`), plan.style, types),
    })),
  );
  const objects = plan.rows.map((_, at) => columnOf('f', `o${String(at)}`));
  const selected = [columnOf(keys, 'at'), sql`coalesce(f.found, false)`, key, ...objects];
  const current = sql`from ${source} left join lateral (${found}) as f on true`;
  if (former === undefined) return sql`select ${join(selected)} ${current}`;
  const all = [...selected, ...former.columns];
  return sql`select ${join(all)} ${current} left join lateral (${former.found}) as b on true`;
}

interface Former {
  readonly values: Fragment;
  readonly found: Fragment;
  readonly columns: readonly Fragment[];
}

/**
 * The rows before the change, from JSON objects with the texts of their columns. The second
 * subselect returns nothing: it makes the database check that the role may read these columns of
 * the table.
 */
function formerOf(
  { values, rows }: NonNullable<ChangesPlan['former']>,
  plan: ChangesPlan,
  old: Fragment,
  compiler: Compiler,
): Former {
  const scopeOf = (): Scope => ({ row: compiler.newRow(), style: plan.style, compiler, isCalled: true });
  const objectsIn = (scope: Scope): readonly Fragment[] =>
    rows.map((each, at) => sql`${objectOf(entries(each, scope))} as ${sql.id(`o${String(at)}`)}`);
  const [scope, checked] = [scopeOf(), scopeOf()];
  const from = table(plan.table);
  const allowed = sql`not exists (select ${join(objectsIn(checked))} from ${from} as ${sql.id(checked.row)} where false)`;
  return {
    values: operand(values, compiler.types),
    found: clauses(
      sql`select ${join(objectsIn(scope))} from json_populate_record(null::${from}, ${old}::json) as ${sql.id(scope.row)}`,
      where([sql`${old} is not null`, allowed]),
    ),
    columns: rows.map((_, at) => columnOf('b', `o${String(at)}`)),
  };
}
