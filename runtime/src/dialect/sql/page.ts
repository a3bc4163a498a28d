import { sql } from 'kysely';
import type { Condition, ConnectionPlan, Limit } from '../../plan/read/plan.js';
import { filterOf, tableIn, where } from './condition.js';
import { clauses, join, nothing, type Fragment } from './fragment.js';
import type { Compiler, PageParts, Scope, Target, Words } from './words.js';

/**
 * The page of a connection: collects the parts of its rows that the selections need, then makes the
 * FROM that yields them, which reads no row if nothing is needed. From the inside out: `p` has the
 * rows of the page (and one more, which shows whether there are more) with their numbers in the
 * direction of reading, and `a` aggregates them. If cursors are positions, `w` is the window of
 * positions.
 */
export class Page<D extends Target> {
  readonly scope: Scope<D>;
  readonly words: Words<D>;
  readonly #plan: ConnectionPlan;
  readonly #backward: boolean;
  readonly #positional: boolean;
  /** Columns of `p`: a JSON value or a cursor for each row. */
  readonly #ofRow: Fragment[] = [];
  /** Columns of `a`: a value for the page. */
  readonly #ofPage: Fragment[] = [];

  constructor(plan: ConnectionPlan, compiler: Compiler<D>) {
    this.scope = { row: compiler.newRow(), style: plan.style, compiler };
    this.words = compiler.words;
    this.#plan = plan;
    this.#positional = plan.keys.length === 0;
    this.#backward = plan.page.direction === 'backward' && !this.#positional;
  }

  /** A value of a row of the table, for `list`. */
  ofRow(value: D['value']): D['value'] {
    return this.words.json(this.#rowColumn(this.words.column(value)));
  }

  /**
   * A JSON list in the order of the connection: for each row a value made of `ofRow` and `cursor`.
   */
  list(each: D['value']): D['value'] {
    const { words } = this;
    return words.json(words.complete(this.#forPage(words.pageList(each, this.#backward, this.#kept()))));
  }

  /**
   * The cursor of a row, for `list`: its position, which only the page as a whole knows, or the
   * values of its keys.
   */
  cursor(): Fragment {
    const { keys, fingerprint } = this.#plan;
    if (this.#positional) return this.words.cursor(fingerprint, 'position', this.scope);
    const cursor = this.words.cursor(
      fingerprint,
      keys.map(({ by }) => by),
      this.scope,
    );
    return this.#rowColumn(cursor);
  }

  cursorAt(end: 'start' | 'end'): Fragment {
    const descending = (end === 'start') === this.#backward;
    return this.#forPage(this.words.pageFirst(this.cursor(), descending, this.#kept()));
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
    const { number } = this.words;
    const skipped = this.#forPage(sql`(least(count(*), ${number(page.size)}) > ${number(page.last)})`);
    return after === undefined ? skipped : sql`(${skipped} or ${this.#otherSide(after)})`;
  }

  /** The number of rows on all pages. */
  total(): Fragment {
    return sql`(select count(*) ${this.#source()})`;
  }

  /** FROM, once everything has been asked for. */
  from(): Fragment {
    if (this.#ofPage.length === 0) return nothing;
    const rows = this.#positional ? this.#window() : this.#rows();
    return sql`from (select ${join(this.#ofPage)} from ${rows}) as a`;
  }

  #rows(): Fragment {
    const { after, before } = this.#plan;
    return this.words.keyPage(this.#parts(() => this.#source(after, before)));
  }

  /** `start` is how many rows are before the page, `stop` how many up to its end. */
  #window(): Fragment {
    const { number } = this.words;
    const { direction, size, last, offset, end } = this.#plan.page;
    const all = sql`select count(*) as total ${this.#source()}`;
    const stop = end === undefined ? sql`b.total` : sql`least(${number(end)}, b.total)`;
    const start = offset === undefined ? sql`0` : number(offset);
    const bounds = sql`select b.total, ${stop} as stop from (${all}) as b`;
    const between = sql`select b.total, least(${start}, b.stop) as start, b.stop from (${bounds}) as b`;
    const lastOf = (rows: Limit, from: Fragment): Fragment =>
      sql`select b.total, greatest(b.start, b.stop - ${number(rows)}) as start, b.stop from (${from}) as b`;
    const firstOf = (rows: Limit, from: Fragment): Fragment =>
      sql`select b.total, b.start, least(b.stop, b.start + ${number(rows)}) as stop from (${from}) as b`;
    const sized = direction === 'backward' ? lastOf(size, between) : firstOf(size, between);
    const window = last === undefined ? sized : lastOf(last, sized);
    return sql`(${window}) as w ${this.words.positionPage(this.#parts(() => this.#source()))}`;
  }

  #parts(source: () => Fragment): PageParts<D> {
    return { plan: this.#plan, scope: this.scope, backward: this.#backward, columns: this.#ofRow, source };
  }

  #source(...conditions: readonly (Condition | undefined)[]): Fragment {
    const all = [this.#plan.where, ...conditions].map((each) => filterOf(each, this.scope));
    const { from, readable } = tableIn(this.#plan.table, this.scope);
    return clauses(sql`from ${from}`, where([...readable, ...all]));
  }

  /**
   * Whether there are rows on the other side of a cursor: the cursor's own row is one of them, as
   * long as it exists.
   */
  #otherSide(cursor: Condition): Fragment {
    return sql`exists (${this.words.selectRow} ${this.#source({ kind: 'notTrue', condition: cursor })})`;
  }

  #more(): Fragment {
    return sql`(count(*) > ${this.words.number(this.#plan.page.size)})`;
  }

  #kept(): Fragment {
    const { number, pageRows } = this.words;
    const { size, last } = this.#plan.page;
    if (this.#positional) return sql`p.n is not null`;
    const within = sql`p.n <= ${number(size)}`;
    return last === undefined ? within : sql`${within} and p.n > least(${pageRows}, ${number(size)}) - ${number(last)}`;
  }

  #rowColumn(value: Fragment): Fragment {
    const name = sql.id(`e${String(this.#ofRow.length)}`);
    this.#ofRow.push(sql`${value} as ${name}`);
    return sql`p.${name}`;
  }

  #forPage(value: Fragment): Fragment {
    const name = sql.id(`v${String(this.#ofPage.length)}`);
    this.#ofPage.push(sql`${value} as ${name}`);
    return sql`a.${name}`;
  }
}
