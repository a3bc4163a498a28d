import { ServerError } from '../../../errors.js';
import { unsupported } from '../../../plan/refuse.js';
import type { GroupFunction, JsonStep } from '../../../plan/intent.js';
import { limits } from './limits.js';
import { limitExceeded, malformedParameter } from './malformed.js';
import { readColumnPath } from './path.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';
import { Scanner } from './scanner.js';

/** One item of a `select`. */
export type SelectItem = { readonly kind: 'all' } | SelectColumn | SelectAggregate | SelectEmbed;

/** An aggregate: the other selected values group the rows. */
export interface SelectAggregate {
  readonly kind: 'aggregate';
  readonly alias?: string;
  readonly function: GroupFunction;
  /** The aggregated value; absent: rows are counted. */
  readonly of?: { readonly column: string; readonly path: readonly JsonStep[]; readonly cast?: string };
  readonly cast?: string;
}

export interface SelectColumn {
  readonly kind: 'column';
  /** The key in the answer, if the client chose one. */
  readonly alias?: string;
  readonly column: string;
  readonly path: readonly JsonStep[];
  readonly cast?: string;
}

/** Rows of another table, along a foreign key. */
export interface SelectEmbed {
  readonly kind: 'embed';
  readonly alias?: string;
  readonly relation: string;
  /**
   * Chooses among several foreign keys: a constraint, one of its columns, or the junction table.
   */
  readonly hint?: string;
  /** Rows without a related row are omitted. */
  readonly inner: boolean;
  /** The selected values stand beside the columns of the embedding table. */
  readonly isSpread?: true;
  readonly items: readonly SelectItem[];
}

const groupFunctions: readonly GroupFunction[] = ['count', 'sum', 'avg', 'min', 'max'];

/** Ends an unquoted name in a `select`. */
const stops = ',():.!';

/**
 * The `select` parameter: columns with an alias, a JSON path and a cast, `*`, and embedded tables,
 * nested. An empty `select` means `*`. Throws ServerError 400. Source: decision 006;
 * PostgREST, "Vertical filtering", "Resource embedding".
 *
 * @accepts `` `*` `a` `a,b` `x:a` `a::text` `x:a::text` `a->b` `x:a->b->>c::int4` `"a,b"`
 * @accepts `"x y":"a.b"` `r(*)` `r(a,b)` `a,r(b,s(c))`
 * @accepts `x:r(a)` `r!h(a)` `r!inner(a)` `r!left(a)` `r!h!inner(a)` `r()` `"r 1"!"h 1"(a)`
 * @accepts `*,r(*)`
 * @rejects `,` `a,` `,a` `a,,b` `a:` `:a` `a::` `a::text::int` `r(` `r(a` `r(a))` `)` `a->` `x:`
 * @rejects `r!(a)` `r!a!b(c)` `r!inner` `"a` `a b"c"d(`
 * @rejects `...r(a)` `count()` `a.sum()` `x:*` `*::text` `a(b)c`
 */
export function parseSelect(text: string, grammar: RestGrammar = ownGrammar): readonly SelectItem[] {
  if (text === '') return [{ kind: 'all' }];
  return new SelectReader(new Scanner(text, 'select', malformedParameter, grammar), grammar).whole();
}

class SelectReader {
  private count = 0;

  constructor(
    private readonly scanner: Scanner,
    private readonly grammar: RestGrammar,
  ) {}

  whole(): readonly SelectItem[] {
    const items = this.items(0);
    const isDropped = this.grammar.trailingText === 'ignored' && this.scanner.looksAt(')');
    if (!this.scanner.done && !isDropped) throw this.atEnd('expected `,` or the end');
    return items;
  }

  private items(depth: number): readonly SelectItem[] {
    const items: SelectItem[] = [];
    do items.push(this.item(depth));
    while (this.scanner.take(','));
    return items;
  }

  private item(depth: number): SelectItem {
    this.count += 1;
    if (this.count > limits.selections)
      throw limitExceeded(`select names more than ${String(limits.selections)} values.`);
    this.scanner.blanks();
    if (this.scanner.looksAt('...')) return this.spread(depth);
    if (this.scanner.take('*')) {
      this.scanner.blanks();
      return { kind: 'all' };
    }
    const alias = this.alias();
    if (alias !== undefined && this.scanner.looksAt('*')) throw this.scanner.error('`*` takes no alias;');
    const { column, path } = readColumnPath(this.scanner, stops);
    if (this.grammar.aggregates === 'allowed' && column === 'count' && path.length === 0 && this.scanner.take('()'))
      return { kind: 'aggregate', ...given({ alias, cast: this.cast() }), function: 'count' };
    if (path.length === 0 && (this.scanner.looksAt('(') || this.scanner.looksAt('!'))) {
      return this.embed(column, alias, depth);
    }
    const cast = this.cast();
    if (this.scanner.looksAt('.')) return this.aggregate({ column, path, ...given({ cast }) }, alias);
    return { kind: 'column', ...given({ alias, cast }), column, path };
  }

  private cast(): string | undefined {
    return this.scanner.take('::') ? this.scanner.name(stops, 'the name of a type') : undefined;
  }

  private spread(depth: number): SelectEmbed {
    if (this.grammar.spreads === 'refused')
      throw unsupported('Spreading an embedded table with `...` is not supported.');
    this.scanner.expect('...');
    const relation = this.scanner.identifier(stops, 'the name of a relation');
    return { ...this.embed(relation, undefined, depth), isSpread: true };
  }

  /** `.sum()` */
  private aggregate(of: SelectAggregate['of'], alias: string | undefined): SelectAggregate {
    const name = groupFunctions.find((each) => this.scanner.looksAt(`.${each}()`));
    if (this.grammar.aggregates === 'refused' || name === undefined) throw this.afterDot();
    this.scanner.expect(`.${name}()`);
    return { kind: 'aggregate', ...given({ alias, cast: this.cast() }), function: name, ...(of ? { of } : {}) };
  }

  /** Reads `alias:`. A second colon makes it `column::type`, which has no alias. */
  private alias(): string | undefined {
    const start = this.scanner.at;
    const name = this.scanner.identifier(stops, 'the name of a column');
    if (this.scanner.looksAt(':') && !this.scanner.looksAt('::')) {
      this.scanner.at += 1;
      return name;
    }
    this.scanner.at = start;
    return undefined;
  }

  private embed(relation: string, alias: string | undefined, depth: number): SelectEmbed {
    if (depth === limits.depth) throw limitExceeded(`select embeds tables more than ${String(limits.depth)} deep.`);
    let hint: string | undefined;
    let join: string | undefined;
    while (this.scanner.take('!')) {
      const word = this.scanner.identifier(stops, 'a hint, `inner` or `left`');
      if (join === undefined && (word === 'inner' || word === 'left')) join = word;
      else if (hint === undefined && (join === undefined || this.grammar.hintsAfterJoins === 'allowed')) hint = word;
      else throw this.scanner.error('expected one hint, then `!inner` or `!left`,');
    }
    this.scanner.expect('(');
    if (relation === 'count' && this.scanner.looksAt(')')) throw aggregate();
    const items = this.scanner.looksAt(')') ? [] : this.items(depth + 1);
    if (!this.scanner.take(')')) throw this.atEnd('expected `)`');
    return { kind: 'embed', ...given({ alias, hint }), relation, inner: join === 'inner', items };
  }

  /** Parsec says what may follow the name of a column. */
  private atEnd(problem: string): ServerError {
    const { scanner } = this;
    const isAfterName = !scanner.done && /[\p{L}\p{N}_$]/u.test(scanner.text.charAt(scanner.at - 1));
    return isAfterName && this.grammar.syntaxErrors === 'parsec'
      ? scanner.error(problem, undefined, scanner.stopped(`expected ${afterName}`))
      : scanner.error(problem);
  }

  private afterDot(): ServerError {
    const rest = this.scanner.text.slice(this.scanner.at);
    return this.grammar.aggregates === 'refused' && /^\.[a-z]+\(\)/.test(rest)
      ? aggregate()
      : this.scanner.error('expected `,` or the end');
  }
}

const afterName = 'letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input';

/** Leaves out undefined members. */
function given<T extends Record<string, string | undefined>>(parts: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}

/** Source: decision 006. */
const aggregate = (): ServerError =>
  unsupported('REST has no aggregates but the count of `Prefer: count=exact`.', 'The GraphQL API has them.');
