import type { QualifiedName } from '../../../catalog/catalog.js';
import { closing, isMark, isWord, type Token } from './view-tokens.js';

/** An item of the FROM list. */
export interface DefinitionItem {
  /** The table or view; undefined for a subquery, a function, a CTE. */
  readonly relation: QualifiedName | undefined;
  /** The name by which columns name it, if it is not its own. */
  readonly alias: string | undefined;
  /** Whether an outer join may put nulls in the place of its columns. */
  readonly nullable: boolean;
  /** The conditions of joins, in parentheses, that hold for its rows. */
  readonly conditions: readonly (readonly Token[])[];
  /** Words after it say which rows it has (FOR SYSTEM_TIME ALL), so that its keys may not hold. */
  readonly isModified: boolean;
}

/** Words that may follow an item, and those that end the list. */
const joins = ['join', 'straight_join', 'left', 'right', 'cross', 'inner', 'natural', 'on', 'using'];
/** The words that begin a clause after FROM. */
export const clauses = ['where', 'group', 'having', 'order', 'limit', 'procedure', 'fetch', 'offset', 'lock', 'window'];
/** Hints, and partitions: fewer rows, whose keys hold. */
const harmless = ['use', 'force', 'ignore', 'partition'];

/**
 * Reads the tokens between FROM and the next clause. The server prints `a, b` as `a join b`, a
 * right join as a left join, and USING as ON.
 * @returns undefined for a list that is not understood
 */
export function readFrom(tokens: readonly Token[]): readonly DefinitionItem[] | undefined {
  const reader = new FromReader(tokens);
  const items = reader.joined();
  return reader.isDone ? items : undefined;
}

class FromReader {
  #at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get isDone(): boolean {
    return this.#at === this.tokens.length;
  }

  /** Items that joins connect, from left to right; undefined where something else stands. */
  joined(): readonly DefinitionItem[] | undefined {
    let all = this.#item();
    for (let kind = this.#join(); kind !== undefined && all !== undefined; kind = this.#join()) {
      const next = this.#item();
      const on = this.#condition();
      if (next === undefined || on === undefined) return undefined;
      // ON of an outer join holds for the rows that it looks up, unless they are nulls.
      const held = next.map((item) => ({
        ...item,
        conditions: [...item.conditions, ...on],
        nullable: item.nullable || kind === 'left',
      }));
      const before = kind === 'left' ? all : all.map((item) => ({ ...item, conditions: [...item.conditions, ...on] }));
      all = [...before, ...held];
    }
    return all;
  }

  #item(): readonly DefinitionItem[] | undefined {
    if (isMark(this.#token, '(') && !isQuery(this.tokens, this.#at)) {
      this.#at += 1;
      const inner = this.joined();
      return this.#take(isMark(this.#token, ')')) ? inner : undefined;
    }
    const relation = this.#relation();
    if (relation === undefined) return undefined;
    const alias = this.#token?.kind === 'name' ? this.#token.value : undefined;
    if (alias !== undefined) this.#at += 1;
    return [{ ...relation, alias, nullable: false, conditions: [], isModified: this.#modifiers() }];
  }

  #relation(): Pick<DefinitionItem, 'relation'> | undefined {
    const [schema, dot, name] = this.tokens.slice(this.#at, this.#at + 3);
    if (schema?.kind === 'name' && isMark(dot, '.') && name?.kind === 'name') {
      this.#at += 3;
      return { relation: { schema: schema.value, name: name.value } };
    }
    // A CTE, `json_table(…)`, or a query in parentheses.
    const isCall = schema?.kind === 'word' && isMark(dot, '(');
    if (isCall) this.#at += 1;
    else if (schema?.kind === 'name') this.#at += 1;
    if (isMark(this.#token, '(')) this.#at = closing(this.tokens, this.#at) + 1;
    else if (schema?.kind !== 'name') return undefined;
    return { relation: undefined };
  }

  /** Whether words follow that change the rows of an item. They are skipped. */
  #modifiers(): boolean {
    let isModified = false;
    let isFirst = true;
    for (let token = this.#token; token !== undefined; token = this.#token) {
      if (isMark(token, ')') || isMark(token, ',') || isWord(token, ...joins)) break;
      if (isFirst) isModified = !isWord(token, ...harmless);
      isFirst = isMark(token, '(');
      this.#at = isFirst ? closing(this.tokens, this.#at) + 1 : this.#at + 1;
    }
    return isModified;
  }

  #join(): 'inner' | 'left' | undefined {
    if (this.#take(isMark(this.#token, ',') || isWord(this.#token, 'join', 'straight_join'))) return 'inner';
    const isLeft = isWord(this.#token, 'left');
    const next = this.tokens[this.#at + 1];
    if (!(isLeft || isWord(this.#token, 'cross', 'inner')) || !isWord(next, 'join')) return undefined;
    this.#at += 2;
    return isLeft ? 'left' : 'inner';
  }

  /** The condition after ON, which is always in parentheses, as a list; none is an empty list. */
  #condition(): readonly (readonly Token[])[] | undefined {
    if (!this.#take(isWord(this.#token, 'on'))) return [];
    if (!isMark(this.#token, '(')) return undefined;
    const start = this.#at;
    this.#at = closing(this.tokens, start) + 1;
    return [this.tokens.slice(start, this.#at)];
  }

  get #token(): Token | undefined {
    return this.tokens[this.#at];
  }

  #take(isThere: boolean): boolean {
    if (isThere) this.#at += 1;
    return isThere;
  }
}

/** Whether the parenthesis at a place encloses a query, and not joined items. */
function isQuery(tokens: readonly Token[], open: number): boolean {
  const inner = tokens[open + 1];
  if (!isMark(inner, '(')) return isWord(inner, 'select', 'with', 'values');
  // ((select …) union …) is a query; ((select …) `x` join …) is not.
  const after = tokens[closing(tokens, open + 1) + 1];
  return isQuery(tokens, open + 1) && after?.kind !== 'name';
}
