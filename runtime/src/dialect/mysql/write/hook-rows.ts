import { sql } from 'kysely';
import type { HookRowsPlan } from '../../../plan/write/hook-rows.js';
import type { TypedColumn } from '../../../plan/write/write-plan.js';
import type { Statement } from '../../../plan/statement.js';
import { filterOf, where } from '../../sql/condition.js';
import { createCompiler } from '../read/words.js';
import type { Scope, Types } from '../read/scope.js';
import { inUtc, isExact } from '../parameters/instant.js';
import { isUnchecked } from '../parameters/type-name.js';
import { nothing } from '../../sql/fragment.js';
import { clauses, columnOf, compileFragment, join, slot, table, type Fragment } from '../sql.js';
import { keysText, keyTable, sameKey, type Key } from './keys.js';

/** A statement that reads rows with a result column for each table column. */
export function compileHookRows({ table: name, columns, rows }: HookRowsPlan, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope: Scope = { row: compiler.newRow(), style, compiler };
  const target = sql`${table(name, types)} as ${sql.id(scope.row)}`;
  const selected = sql`select ${join(columns.map((column) => valueOf(column, scope.row, types)))}`;
  if (rows.kind === 'matching') {
    const matching = where([filterOf(rows.where, scope)]);
    return compileFragment(clauses(sql`${selected} from ${target}`, matching, rows.lock ? sql`for update` : nothing));
  }
  const { key } = rows;
  const keys = slot({ bind: (inputs) => keysText(key, JSON.parse(inputs as string) as readonly Key[], types) });
  const from = sql`${keyTable(key, keys)} straight_join ${target} on ${sameKey(key, scope.row, types)}`;
  return compileFragment(sql`${selected} from ${from} order by k.rn`);
}

/**
 * A value in the form that mysql2 reads: dates are in UTC. A type that the configuration gives is 0
 * or 1, or parsed JSON. A hook can return each value unchanged.
 */
function valueOf({ name, type }: TypedColumn, row: string, { features }: Types): Fragment {
  const column = columnOf(row, name);
  if (type.kind === 'boolean') return sql`${column} <> 0 as ${sql.id(name)}`;
  if (!isExact(type, features)) return sql`${inUtc(type, column, features)} as ${sql.id(name)}`;
  if (!isUnchecked(type.sql)) return column;
  // A function of JSON tells mysql2 that its text is JSON.
  return sql`json_extract(if(json_valid(${column}), ${column}, json_quote(${column})), '$') as ${sql.id(name)}`;
}

/** The statement writes no JSON, so the style has no effect. */
const style: Scope['style'] = { bigint: 'string', numeric: 'string', enums: 'label', attributes: 'name' };
