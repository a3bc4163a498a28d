import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { ChangesPlan } from '../../../plan/read/plan.js';
import { keyValue, slotOf } from '../parameters/parameter.js';
import { clauses, columnOf, join, slot, type Fragment } from '../sql.js';
import { filterOf, tableIn } from '../../sql/condition.js';
import { project } from './projection.js';
import { entries } from '../../sql/selection.js';
import type { Compiler, Scope, Types } from './scope.js';
import { objectText, whole } from './text.js';

/**
 * A row for each key: see ChangesIntent. The key's JSON is made from the given key, so that it
 * exists for a deleted row, too.
 */
export function changes(plan: ChangesPlan, compiler: Compiler): Fragment {
  const { types } = compiler;
  const scope: Scope = { row: compiler.newRow(), style: plan.style, compiler };
  const lists = plan.keys.map((key) => ({ ...key, type: key.values.type, list: compiler.newRow() }));
  const [first] = lists;
  if (first === undefined) throw new TypeError('Only changes of tables with a key are reported.');
  const sources = lists.map(({ list, values }) => {
    const source = sql`json_table(${slot(slotOf(values, types))}, '$[*]' columns (rn for ordinality, v longtext path '$')) as ${sql.id(list)}`;
    return list === first.list
      ? sql`from ${source}`
      : sql`inner join ${source} on ${columnOf(list, 'rn')} = ${columnOf(first.list, 'rn')}`;
  });
  const same = lists.map(
    ({ column, type, list }) =>
      sql`${columnOf(scope.row, column)} = ${keyValue(type, columnOf(list, 'v'), types.features)}`,
  );
  const { from, readable } = tableIn(plan.table, scope);
  const asked = filterOf(plan.where, scope);
  const matching = asked === undefined ? readable : [...readable, asked];
  const isFound = sql`${columnOf(scope.row, first.column)} is not null`;
  const rows = plan.rows.map((each) => sql`if(${isFound}, ${whole(objectText(entries(each, scope)))}, null)`);
  const key = objectText(
    lists.map(({ as, type, list }) => ({
      as,
      value: project(type, shown(type, columnOf(list, 'v'), types), false, plan.style, types),
    })),
  );
  const selected = join([columnOf(first.list, 'rn'), sql`if(${isFound}, 'true', 'false')`, key, ...rows]);
  return clauses(
    sql`select ${selected}`,
    ...sources,
    sql`left join ${from} on ${join([...same, ...matching], sql` and `)}`,
  );
}

/**
 * The value of a key as its column has it. A decimal stays as given: the cast would add zeros up to
 * the scale of the type.
 */
const shown = (type: ColumnType, text: Fragment, { features }: Types): Fragment =>
  type.kind === 'numeric' || type.kind === 'money' ? text : keyValue(type, text, features);
