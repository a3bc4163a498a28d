import { sql } from 'kysely';
import type { OwnRowsPlan } from '../../../plan/write/own-rows.js';
import type { Statement } from '../../statement.js';
import { condition, where } from '../read/condition.js';
import { createCompiler } from '../read/compiler.js';
import { columnOf, type Scope, type Types } from '../read/scope.js';
import { nothing } from '../../fragment.js';
import { clauses, compileFragment, join, slot, table } from '../sql.js';
import { keysText, keyTable, sameKey, type Key } from './keys.js';

/** Reads rows with a result column for each table column. */
export function compileOwnRows({ table: name, columns, rows }: OwnRowsPlan, types: Types): Statement {
  const compiler = createCompiler(types);
  const scope: Scope = { row: compiler.newRow(), style, compiler };
  const target = sql`${table(name)} as ${sql.id(scope.row)}`;
  const selected = sql`select ${join(columns.map((column) => columnOf(scope.row, column)))}`;
  if (rows.kind === 'matching') {
    const matching = where([rows.where === undefined ? undefined : condition(rows.where, scope)]);
    return compileFragment(clauses(sql`${selected} from ${target}`, matching, rows.lock ? sql`for update` : nothing));
  }
  const { key } = rows;
  const keys = slot({ bind: (inputs) => keysText(key, JSON.parse(inputs as string) as readonly Key[], types) });
  const from = sql`${keyTable(key, keys)} straight_join ${target} on ${sameKey(key, scope.row)}`;
  return compileFragment(sql`${selected} from ${from} order by k.rn`);
}

/** No value is written by it. */
const style: Scope['style'] = { bigint: 'string', numeric: 'string', enums: 'label', attributes: 'name' };
