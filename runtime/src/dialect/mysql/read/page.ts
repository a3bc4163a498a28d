import { sql } from 'kysely';
import type { Condition, ConnectionPlan, Limit } from '../../../plan/read/plan.js';
import { plainText } from './projection.js';
import { condition, where } from './condition.js';
import { allKeys, expression, orderBy, sorted, type OrderKey } from './expression.js';
import { clauses, join, limitOf, rowNumber, table, type Fragment } from '../sql.js';
import type { Compiler, Scope } from './scope.js';
import { opaqueList } from './opaque.js';
import { jsonText, listOf, whole, type Text } from './text.js';

/**
 * The page of a connection: collects the parts of its rows that the selections need, then makes the
 * select that yields them, which reads no row if nothing is needed. From the inside out: `q` has
 * the rows of the page (and one more, which shows whether there are more), `p` numbers them in the
 * direction of reading, and `a` aggregates them. If cursors are positions, `w` is the window of
 * positions, and all rows are numbered.
 */
export class Page {
  readonly scope: Scope;
  readonly #plan: ConnectionPlan;
  readonly #backward: boolean;
  readonly #positional: boolean;
  /** Columns of `q`: a text or a cursor for each row. */
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
    return whole(this.#forPage(listOf(each, [this.#order(this.#backward)], this.#kept())));
  }

  /**
   * The cursor of a row, for `list`: its position, which only the page as a whole knows, or the
   * values of its keys.
   */
  cursor(): Fragment {
    const { keys } = this.#plan;
    if (this.#positional) return this.#cursorOf([{ text: sql`p.n`, form: 'plain', nullable: false }]);
    return this.ofRow(this.#cursorOf(keys.map(({ by }) => this.#keyText(by))));
  }

  cursorAt(end: 'start' | 'end'): Fragment {
    const order = this.#order((end === 'start') === this.#backward);
    // The first of a list; cursors have no comma.
    const all = sql`group_concat(if(${this.#kept()}, ${this.cursor()}, null) order by ${order} separator ',')`;
    return this.#forPage(sql`substring_index(${all}, ',', 1)`);
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
    const skipped = this.#forPage(sql`(least(count(*), ${rowNumber(page.size)}) > ${rowNumber(page.last)})`);
    return after === undefined ? skipped : sql`(${skipped} or ${this.#otherSide(after)})`;
  }

  /** The number of rows on all pages. */
  total(): Fragment {
    return sql`(select count(*) ${this.#source()})`;
  }

  /** The object around it all, once everything has been asked for. */
  around(object: Fragment): Fragment {
    if (this.#ofPage.length === 0) return object;
    const from = this.#positional ? this.#window() : this.#rows();
    return sql`(select ${object} from (select ${join(this.#ofPage)} from ${from}) as a)`;
  }

  #order(descending: boolean): Fragment {
    return sorted({ value: sql`p.n`, descending });
  }

  #keyText(by: ConnectionPlan['keys'][number]['by']): Text {
    const value = expression(by, this.scope);
    // As the database reads it: with every digit, and without formatting.
    const raw = by.type.kind === 'bytes' ? sql`hex(${value})` : this.#exactText(by, value);
    return { text: raw, form: 'escaped', nullable: true, test: value };
  }

  #exactText(by: ConnectionPlan['keys'][number]['by'], value: Fragment): Fragment {
    return by.type.kind === 'other'
      ? plainText(by.type, value, this.scope.style, this.scope.compiler.types)
      : sql`cast(${value} as char)`;
  }

  #rows(): Fragment {
    const { order, page, after, before } = this.#plan;
    const keys = allKeys(order, this.scope, this.#backward);
    const columns = [...this.#ofRow, ...namedKeys(keys)];
    const found = sql`select ${join(columns)} ${this.#source(after, before)} ${orderBy(keys)} ${limitOf({ limit: page.fetch })}`;
    return sql`(select q.*, row_number() over (order by ${join(keysOf(keys))}) as n, count(*) over () as total from (${found}) as q) as p`;
  }

  /** `start` is how many rows are before the page, `stop` how many up to its end. */
  #window(): Fragment {
    const { direction, size, last, offset, end } = this.#plan.page;
    const all = sql`select count(*) as total ${this.#source()}`;
    const stop = end === undefined ? sql`b.total` : sql`least(${rowNumber(end)}, b.total)`;
    const start = offset === undefined ? sql`0` : rowNumber(offset);
    const bounds = sql`select b.total, ${stop} as stop from (${all}) as b`;
    const between = sql`select b.total, least(${start}, b.stop) as start, b.stop from (${bounds}) as b`;
    const lastOf = (rows: Limit, from: Fragment): Fragment =>
      sql`select b.total, greatest(b.start, b.stop - ${rowNumber(rows)}) as start, b.stop from (${from}) as b`;
    const firstOf = (rows: Limit, from: Fragment): Fragment =>
      sql`select b.total, b.start, least(b.stop, b.start + ${rowNumber(rows)}) as stop from (${from}) as b`;
    const sized = direction === 'backward' ? lastOf(size, between) : firstOf(size, between);
    const window = last === undefined ? sized : lastOf(last, sized);
    const over = orderBy(allKeys(this.#plan.order, this.scope));
    const columns = [...this.#ofRow, sql`row_number() over (${over}) as n`];
    const rows = sql`select ${join(columns)} ${this.#source()}`;
    return sql`(${window}) as w left join (${rows}) as p on p.n > w.start and p.n <= w.stop`;
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
    return sql`exists (select 1 ${this.#source({ kind: 'notTrue', condition: cursor })})`;
  }

  #more(): Fragment {
    return sql`(count(*) > ${rowNumber(this.#plan.page.size)})`;
  }

  #kept(): Fragment {
    const { size, last } = this.#plan.page;
    if (this.#positional) return sql`p.n is not null`;
    const within = sql`p.n <= ${rowNumber(size)}`;
    return last === undefined
      ? within
      : sql`${within} and p.n > least(p.total, ${rowNumber(size)}) - ${rowNumber(last)}`;
  }

  /** base64url of a JSON list: the fingerprint, then each text. */
  #cursorOf(texts: readonly Text[]): Fragment {
    return opaqueList([jsonText(sql.raw(`'"${this.#plan.fingerprint}"'`)), ...texts]);
  }

  #forPage(value: Fragment): Fragment {
    const name = sql.id(`v${String(this.#ofPage.length)}`);
    this.#ofPage.push(sql`${value} as ${name}`);
    return sql`a.${name}`;
  }
}

const namedKeys = (keys: readonly OrderKey[]): readonly Fragment[] =>
  keys.map(({ value }, at) => sql`${value} as ${sql.id(`k${String(at)}`)}`);

const keysOf = (keys: readonly OrderKey[]): readonly Fragment[] =>
  keys.map(({ descending }, at) => sorted({ value: sql`q.${sql.id(`k${String(at)}`)}`, descending }));
