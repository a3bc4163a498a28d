import { sql } from 'kysely';
import type { Condition, ConnectionPlan, Limit } from '../../../plan/read/plan.js';
import { condition, where } from './condition.js';
import { compared, orderBy } from './expression.js';
import { opaqueList } from './opaque.js';
import { count64, page as pageOf, pageLimit } from './limit.js';
import type { Compiler, Scope } from './scope.js';
import { clauses, constant, countParameter, join, nothing, table, type Fragment } from '../sql.js';

/**
 * The page of a connection: collects the parts of its rows that the selections need, then makes the
 * FROM that yields them, which reads no row if nothing is needed. From the inside out: `q` has the
 * rows of the page (and one more, which shows whether there are more), `p` numbers them in the
 * direction of reading, and `a` aggregates them. If cursors are positions, `w` is the window of
 * positions.
 */
export class Page {
  readonly scope: Scope;
  readonly #plan: ConnectionPlan;
  readonly #backward: boolean;
  readonly #positional: boolean;
  /** Columns of `q`: a JSON value or a cursor for each row. */
  readonly #ofRow: Fragment[] = [];
  /** Columns of `a`: a value for the page. */
  readonly #ofPage: Fragment[] = [];

  constructor(plan: ConnectionPlan, compiler: Compiler) {
    this.scope = { row: compiler.newRow(), style: plan.style, compiler };
    this.#plan = plan;
    this.#positional = plan.keys.length === 0;
    this.#backward = plan.page.direction === 'backward' && !this.#positional;
  }

  /** A value of a row of the table, for `list`. */
  ofRow(value: Fragment): Fragment {
    const name = sql.id(`e${String(this.#ofRow.length)}`);
    this.#ofRow.push(sql`${value} as ${name}`);
    return sql`p.${name}`;
  }

  /**
   * A JSON list in the order of the connection: for each row a value made of `ofRow` and `cursor`.
   */
  list(each: Fragment): Fragment {
    const order = sql.raw(this.#backward ? 'desc' : 'asc');
    return this.#forPage(sql`coalesce(json_agg(${each} order by p.n ${order}) filter (where ${this.#kept()}), '[]')`);
  }

  /**
   * The cursor of a row, for `list`: its position, which only the page as a whole knows, or the
   * values of its keys.
   */
  cursor(): Fragment {
    if (this.#positional) return this.#cursorOf([sql`(w.start + p.n)::text`]);
    return this.ofRow(this.#cursorOf(this.#plan.keys.map(({ by }) => sql`${compared(by, this.scope)}::text`)));
  }

  cursorAt(end: 'start' | 'end'): Fragment {
    const order = sql.raw((end === 'start') === this.#backward ? 'desc' : 'asc');
    return this.#forPage(sql`(array_agg(${this.cursor()} order by p.n ${order}) filter (where ${this.#kept()}))[1]`);
  }

  hasNext(): Fragment {
    if (this.#positional) return this.#forPage(sql`(max(w.stop) < max(w.total))`);
    if (!this.#backward) return this.#forPage(this.#more());
    return this.#plan.before === undefined ? sql`false` : this.#otherSide(this.#plan.before);
  }

  hasPrevious(): Fragment {
    if (this.#positional) return this.#forPage(sql`(max(w.start) > 0)`);
    if (this.#backward) return this.#forPage(this.#more());
    const { page, after } = this.#plan;
    if (page.last === undefined) return after === undefined ? sql`false` : this.#otherSide(after);
    const skipped = this.#forPage(sql`(least(count(*), ${count64(page.size)}) > ${count64(page.last)})`);
    return after === undefined ? skipped : sql`(${skipped} or ${this.#otherSide(after)})`;
  }

  /** The number of rows on all pages. */
  total(): Fragment {
    return sql`(select count(*) ${this.#source()})`;
  }

  /** FROM, once everything has been asked for. */
  from(): Fragment {
    if (this.#ofPage.length === 0) return nothing;
    return sql`from (select ${join(this.#ofPage)} from ${this.#positional ? this.#window() : this.#rows()}) as a`;
  }

  #rows(): Fragment {
    const { order, page, after, before } = this.#plan;
    const ordered = orderBy(order, this.scope, this.#backward);
    const found = sql`select ${join(this.#ofRow)} ${this.#source(after, before)} ${ordered}`;
    const bounds = { limit: page.fetch, ...(page.reach === undefined ? {} : { reach: page.reach }) };
    return numbered(pageOf(sql`(${found} ${pageLimit(bounds)}) as q`, sql`q`, bounds));
  }

  /** `start` is how many rows are before the page, `stop` how many up to its end. */
  #window(): Fragment {
    const { direction, size, last, offset, end } = this.#plan.page;
    const all = sql`select count(*) as total ${this.#source()}`;
    const stop = end === undefined ? sql`b.total` : sql`least(${countParameter(end)}, b.total)`;
    const start = offset === undefined ? sql`0` : countParameter(offset);
    const bounds = sql`select b.total, ${stop} as stop from (${all}) as b`;
    const between = sql`select b.total, least(${start}, b.stop) as start, b.stop from (${bounds}) as b`;
    const lastOf = (rows: Limit, from: Fragment): Fragment =>
      sql`select b.total, greatest(b.start, b.stop - ${count64(rows)}) as start, b.stop from (${from}) as b`;
    const firstOf = (rows: Limit, from: Fragment): Fragment =>
      sql`select b.total, b.start, least(b.stop, b.start + ${count64(rows)}) as stop from (${from}) as b`;
    const sized = direction === 'backward' ? lastOf(size, between) : firstOf(size, between);
    const window = last === undefined ? sized : lastOf(last, sized);
    const found = sql`select ${join(this.#ofRow)} ${this.#source()} ${orderBy(this.#plan.order, this.scope)}`;
    const rows = numbered(sql`(${found} limit w.stop - w.start offset w.start) as q`);
    return sql`(${window}) as w left join lateral ${rows} on true`;
  }

  #source(...conditions: readonly (Condition | undefined)[]): Fragment {
    const all = [this.#plan.where, ...conditions].map((each) =>
      each === undefined ? undefined : condition(each, this.scope),
    );
    return clauses(sql`from ${table(this.#plan.table)} as ${sql.id(this.scope.row)}`, where(all));
  }

  /**
   * Whether there are rows on the other side of a cursor: its own row is one of them, as long as it
   * is there.
   */
  #otherSide(cursor: Condition): Fragment {
    return sql`exists (select ${this.#source({ kind: 'notTrue', condition: cursor })})`;
  }

  #more(): Fragment {
    return sql`(count(*) > ${count64(this.#plan.page.size)})`;
  }

  #kept(): Fragment {
    const { size, last } = this.#plan.page;
    if (this.#positional) return sql`p.n is not null`;
    const within = sql`p.n <= ${count64(size)}`;
    return last === undefined ? within : sql`${within} and p.n > least(p.rows, ${count64(size)}) - ${count64(last)}`;
  }

  /** base64url of a JSON list: the fingerprint, then each text. */
  #cursorOf(texts: readonly Fragment[]): Fragment {
    return opaqueList([constant(this.#plan.fingerprint), ...texts]);
  }

  #forPage(value: Fragment): Fragment {
    const name = sql.id(`v${String(this.#ofPage.length)}`);
    this.#ofPage.push(sql`${value} as ${name}`);
    return sql`a.${name}`;
  }
}

/** With the number of each row, in the order they come in, and how many they are. */
const numbered = (rows: Fragment): Fragment =>
  sql`(select q.*, row_number() over () as n, count(*) over () as rows from ${rows}) as p`;
