import { sql } from 'kysely';
import type { ChangesPlan } from '../../../plan/read/plan.js';
import { condition, where } from './condition.js';
import { compared } from './expression.js';
import { objectOf } from './object.js';
import { project } from './projection.js';
import { entries } from './read.js';
import { columnOf, type Compiler, type Scope } from './scope.js';
import { clauses, join, operand, operator, table, type Fragment } from '../sql.js';
import { comparedAs } from '../comparison.js';

/** A row for each key: see ChangesIntent. The key's own JSON is made from the key, so that it is there for a row that is gone. */
export function changes(plan: ChangesPlan, compiler: Compiler): Fragment {
  const { types } = compiler;
  const keys = compiler.newRow();
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler };
  const names = plan.keys.map((_, at) => `k${String(at)}`);
  const lists = plan.keys.map(({ values }) => operand(values, types));
  const source = sql`unnest(${join(lists)}) with ordinality as ${sql.id(keys)}(${join([...names, 'at'].map((name) => sql.id(name)))})`;
  const same = plan.keys.map(({ column, values }, at) => {
    const { type } = values;
    const value = compared({ kind: 'column', column, type, nullable: false }, scope);
    return sql`${value} ${operator('=', comparedAs(type))} ${columnOf(keys, `k${String(at)}`)}`;
  });
  const matching = plan.where === undefined ? undefined : condition(plan.where, scope);
  const rows = plan.rows.map((each, at) => sql`${objectOf(entries(each, scope))} as ${sql.id(`o${String(at)}`)}`);
  const found = clauses(
    sql`select ${join([sql`true as found`, ...rows])} from ${table(plan.table)} as ${sql.id(scope.row)}`,
    where([...same, matching]),
  );
  const key = objectOf(
    plan.keys.map(({ as, values }, at) => ({
      as,
      value: project(values.type, columnOf(keys, `k${String(at)}`), plan.style, types),
    })),
  );
  const columns = plan.rows.map((_, at) => columnOf('f', `o${String(at)}`));
  const selected = join([columnOf(keys, 'at'), sql`coalesce(f.found, false)`, key, ...columns]);
  return sql`select ${selected} from ${source} left join lateral (${found}) as f on true`;
}
