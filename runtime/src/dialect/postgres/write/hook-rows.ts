import { sql } from 'kysely';
import type { HookRowsPlan } from '../../../plan/write/hook-rows.js';
import type { Slot, Statement } from '../../../plan/statement.js';
import type { Types } from '../parameters/encode.js';
import { filterOf, where } from '../../sql/condition.js';
import { undomained } from '../read/expression.js';
import { createCompiler } from '../read/words.js';
import type { Scope } from '../read/scope.js';
import { clauses, columnOf, compileFragment, join, nothing, operator, table, typeName } from '../sql.js';

/** A statement that reads rows with a result column for each table column. */
export function compileHookRows({ table: name, columns, rows }: HookRowsPlan, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope: Scope = { row: compiler.newRow(), style, compiler };
  const target = sql`${table(name)} as ${sql.id(scope.row)}`;
  const selected = sql`select ${join(columns.map((column) => columnOf(scope.row, column.name)))}`;
  if (rows.kind === 'matching') {
    const matching = where([filterOf(rows.where, scope)]);
    const locked = rows.lock ? sql`for update of ${sql.id(scope.row)}` : nothing;
    return compileFragment(clauses(sql`${selected} from ${target}`, matching, locked), types);
  }
  const matches = rows.key.map(
    ({ name, type }, at) =>
      sql`${undomained(columnOf(scope.row, name), type)} ${operator('=', type)} (k.v ->> ${sql.lit(at)})::${typeName(type.sql)}`,
  );
  const keys = sql`json_array_elements(${{ bind: (inputs) => inputs as string } satisfies Slot}::json) with ordinality as k(v, n)`;
  return compileFragment(
    sql`${selected} from ${keys} inner join ${target} on ${join(matches, sql` and `)} order by k.n`,
    types,
  );
}

/** The statement writes no JSON, so the style has no effect. */
const style: Scope['style'] = { bigint: 'string', numeric: 'string', enums: 'label', attributes: 'name' };
