import { sql } from 'kysely';
import type { AggregateCall, AggregatePlan, Expression } from '../../../plan/read/plan.js';
import { havingCondition } from '../../sql/aggregate.js';
import { filterOf, linked, tableIn, where } from '../../sql/condition.js';
import { expression } from '../../sql/expression.js';
import type { Aggregates, GroupSelect } from '../../sql/words.js';
import { clauses, columnOf, join, nothing, type Fragment } from '../sql.js';
import { aggregated, orderBy, orderKeys, sortedInList } from './expression.js';
import { project } from './projection.js';
import type { Belonging, Compiler, Mysql, Scope } from './scope.js';
import { jsonText, listOf, objectText, valueText, whole, type Text } from './text.js';

/** The aggregates of one select, written into the text of its object. */
export class InlineAggregates implements Aggregates<Mysql> {
  readonly scope: Scope;
  readonly #source: (() => Fragment) | undefined;
  #needsRows = false;

  /**
   * @param source FROM and WHERE of the rows. Beside groups, each aggregate is a subselect of its
   * own: where the condition can hold for no row, MariaDB makes every subselect in a select of
   * aggregates NULL.
   */
  constructor(plan: AggregatePlan, compiler: Compiler, source?: () => Fragment) {
    this.scope = { row: compiler.newRow(), style: plan.style, compiler };
    this.#source = plan.select.some(({ kind }) => kind === 'groups') ? source : undefined;
  }

  /**
   * The text is written once, without a test for null around it: only a missing value makes it
   * NULL.
   */
  readonly call = (of: AggregateCall): Text => {
    this.#needsRows = this.#source === undefined;
    const { style, compiler } = this.scope;
    const text = valueText(project(of.type, aggregated(of, this.scope), false, style, compiler.types));
    const written = of.name === 'count' ? text : sql`coalesce(${text}, 'null')`;
    return jsonText(this.#source === undefined ? written : sql`(select ${written} ${this.#source()})`);
  };

  readonly key = (of: Expression): Text => {
    const { style, compiler } = this.scope;
    return project(of.type, expression(of, this.scope), true, style, compiler.types);
  };

  readonly from = (source: () => Fragment): Fragment => (this.#needsRows ? source() : nothing);
}

/** One JSON object per combination of the grouping columns, in their order. */
export function groups(
  plan: AggregatePlan,
  select: GroupSelect<Mysql>,
  compiler: Compiler,
  belonging?: Belonging,
): Text {
  const aggregates = new InlineAggregates(plan, compiler);
  const { scope } = aggregates;
  const g = compiler.newRow();
  const row = objectText(select(aggregates));
  const matches = filterOf(plan.where, scope);
  // A derived table cannot refer to the row around it: it has the groups of all such rows, and the
  // groups of this row are chosen from them.
  const links = belonging === undefined ? undefined : linked(belonging.join, scope);
  const { from, readable } = links ?? tableIn(plan.table, scope);
  const keys = plan.groupBy.flatMap((by) => orderKeys({ by, direction: 'asc' }, scope));
  const grouped = [...(links?.columns ?? []), ...plan.groupBy.map((by) => expression(by, scope))];
  const columns = [
    sql`${row} as j`,
    ...keys.map(({ value }, at) => sql`${value} as ${sql.id(`k${String(at)}`)}`),
    ...(links?.columns ?? []).map((column, at) => sql`${column} as ${sql.id(`l${String(at)}`)}`),
  ];
  const found = clauses(
    sql`select ${join(columns)} from ${from}`,
    where([...readable, matches]),
    grouped.length === 0 ? nothing : sql`group by ${join(grouped)}`,
    plan.having === undefined ? nothing : sql`having ${havingCondition(plan.having, scope)}`,
    ...(belonging === undefined ? [orderBy(keys), sql`limit ${sql.lit(plan.limit)}`] : []),
  );
  const ofOuter = (belonging?.join.columns ?? []).map(
    (column, at) => sql`${columnOf(g, `l${String(at)}`)} = ${columnOf(belonging?.outer.row ?? '', column)}`,
  );
  const order = keys.flatMap((key, at) => sortedInList({ ...key, value: columnOf(g, `k${String(at)}`) }));
  const list = listOf(columnOf(g, 'j'), order);
  return jsonText(whole(sql`(${clauses(sql`select ${list} from (${found}) as ${sql.id(g)}`, where(ofOuter))})`));
}
