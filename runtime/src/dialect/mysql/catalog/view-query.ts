import type { QualifiedName } from '../../../catalog/catalog.js';
import { clauses, readFrom, type DefinitionItem } from './view-from.js';
import { closing, isEnclosed, isMark, isWord, outside, splitAt, tokenize, type Token } from './view-tokens.js';

/** A column of an item of the FROM list, which is known by its place in the list. */
export interface Origin {
  readonly item: number;
  readonly column: string;
}

/** A condition that holds for all rows of an item: a column of it equals another, or a constant. */
export interface Equality {
  readonly column: string;
  readonly other: Origin | { readonly constant: 'text' | 'integer' };
}

/** The parts of a definition that say where its columns and rows come from. */
export interface Definition {
  /** The one table or view whose rows it shows; undefined for several, and for other forms. */
  readonly base: QualifiedName | undefined;
  readonly items: readonly (Omit<DefinitionItem, 'conditions'> & { readonly equalities: readonly Equality[] })[];
  /** By name in the view: columns that are a column of an item, unchanged. */
  readonly columns: ReadonlyMap<string, Origin>;
  /** By name in the view: columns that call a function that makes JSON. */
  readonly json: ReadonlySet<string>;
  /** Whether it puts rows together for certain: DISTINCT, GROUP BY, HAVING, UNION. */
  readonly groups: boolean;
  /**
   * Whether it calls an aggregate function, or a stored function, which may be an aggregate. It may
   * belong to a subquery: a view that the server reports as updatable does not aggregate its rows.
   */
  readonly mayAggregate: boolean;
  /** Whether this reader knows the form. */
  readonly isUnderstood: boolean;
}

const setOperations = ['union', 'except', 'intersect', 'minus'];
const options = ['all', 'high_priority', 'straight_join', 'distinct', 'distinctrow'];
const aggregates = new Set(
  'count sum avg min max group_concat bit_and bit_or bit_xor std stddev stddev_pop stddev_samp variance var_pop var_samp json_arrayagg json_objectagg st_collect'.split(
    ' ',
  ),
);

/** Functions whose result is valid JSON or null for every argument. */
const jsonMakers = new Set(
  'array array_append array_insert arrayagg extract insert merge merge_patch merge_preserve object objectagg remove replace set'
    .split(' ')
    .map((name) => `json_${name}`),
);

/**
 * Reads a definition as the server prints it: every name in backticks, tables with their schema,
 * every column with an alias. Expressions are skipped.
 * Source: MariaDB manual, "SHOW CREATE VIEW"
 */
export function readDefinition(definition: string): Definition {
  const tokens = tokenize(definition);
  const words = [...outside(tokens)];
  const from = words.find(([, token]) => isWord(token, 'from'))?.[0];
  const isUnited = words.some(([, token]) => isWord(token, ...setOperations));
  if (!isWord(tokens[0], 'select') || from === undefined || isUnited) {
    const isKnown = isUnited || isWord(tokens[0], 'select', 'values');
    const row = isWord(tokens[0], 'select') && !isUnited ? tokens.slice(1, endOf(words, 0, clauses)) : [];
    return { ...nothing, json: jsonOf(readList(row)), isUnderstood: isKnown };
  }
  const end = endOf(words, from, clauses);
  const items = readFrom(tokens.slice(from + 1, end)) ?? [];
  const list = readList(tokens.slice(1, from));
  const columns = list.items.flatMap(([alias, item]) => {
    const origin = originOf(pathOf(item), items);
    return origin === undefined ? [] : [[alias, origin] as const];
  });
  const where = isWord(tokens[end], 'where') ? tokens.slice(end + 1, endOf(words, end, clauses)) : [];
  const joins = tokens.some((token) => isWord(token, 'join', 'union'));
  return {
    base: items.length === 1 && !joins ? items[0]?.relation : undefined,
    items: items.map(({ conditions, ...item }, at) => ({
      ...item,
      equalities: [...conditions, where].flatMap(conjuncts).flatMap((each) => equalitiesOf(each, at, items)),
    })),
    columns: new Map(columns),
    json: jsonOf(list),
    groups: list.isDistinct || words.some(([at, token]) => at >= end && isWord(token, 'group', 'having', 'procedure')),
    mayAggregate: tokens.some((_, at) => isAggregate(tokens, at)),
    isUnderstood: items.length > 0,
  };
}

const nothing: Definition = {
  base: undefined,
  items: [],
  columns: new Map(),
  json: new Set(),
  groups: true,
  mayAggregate: true,
  isUnderstood: true,
};

/** The place of the next clause; without one, behind the last token. */
function endOf(words: readonly (readonly [number, Token])[], after: number, next: readonly string[]): number {
  return words.find(([at, token]) => at > after && isWord(token, ...next))?.[0] ?? Infinity;
}

/** The expressions of the list, by their aliases. */
function readList(tokens: readonly Token[]): {
  readonly isDistinct: boolean;
  readonly items: readonly (readonly [alias: string, expression: readonly Token[]])[];
} {
  const start = tokens.findIndex(
    (token) => !isWord(token, ...options) && !(token.kind === 'word' && token.value.startsWith('sql_')),
  );
  const list = tokens.slice(Math.max(start, 0));
  const commas = [...outside(list)].filter(([, token]) => isMark(token, ',')).map(([at]) => at);
  return {
    isDistinct: tokens.slice(0, Math.max(start, 0)).some((token) => isWord(token, 'distinct', 'distinctrow')),
    items: splitAt(list, commas).flatMap((item) => {
      const [as, alias] = item.slice(-2);
      return isWord(as, 'as') && alias?.kind === 'name' ? [[alias.value, item.slice(0, -2)] as const] : [];
    }),
  };
}

const jsonOf = ({ items }: ReturnType<typeof readList>): ReadonlySet<string> =>
  new Set(items.filter(([, expression]) => makesJson(expression)).map(([alias]) => alias));

/** Whether an expression is one call of a function that makes JSON, also of one `over (…)`. */
function makesJson(tokens: readonly Token[]): boolean {
  const [called, open] = tokens;
  if (called?.kind !== 'word' || !jsonMakers.has(called.value) || !isMark(open, '(')) return false;
  const end = closing(tokens, 1) + 1;
  const isWindow = isWord(tokens[end], 'over') && isMark(tokens[end + 1], '(');
  return end === tokens.length || (isWindow && closing(tokens, end + 1) === tokens.length - 1);
}

/** The names of `` `schema`.`table`.`column` ``; undefined for anything else. */
function pathOf(tokens: readonly Token[]): readonly string[] | undefined {
  const isPath =
    tokens.length % 2 === 1 && tokens.every((token, at) => (at % 2 === 0 ? token.kind === 'name' : isMark(token, '.')));
  return isPath ? tokens.filter((_, at) => at % 2 === 0).map(({ value }) => value) : undefined;
}

/** Undefined where the path names no item, or two. */
function originOf(path: readonly string[] | undefined, items: readonly DefinitionItem[]): Origin | undefined {
  if (path === undefined || path.length < 2) return undefined;
  const [column = '', name = '', schema] = [...path].reverse();
  const named = items.flatMap(({ alias, relation }, at) => {
    const own = alias ?? relation?.name;
    const isSame = own === name && (schema === undefined || (alias === undefined && relation?.schema === schema));
    return isSame ? [at] : [];
  });
  const [item] = named;
  return item === undefined || named.length > 1 ? undefined : { item, column };
}

/** The parts of a condition that hold together, also those in parentheses. */
function conjuncts(condition: readonly Token[]): readonly (readonly Token[])[] {
  if (isEnclosed(condition)) return conjuncts(condition.slice(1, -1));
  const parts = partsOfAnd(condition) ?? [];
  return parts.length < 2 ? parts : parts.flatMap(conjuncts);
}

/**
 * The parts of a condition between AND; undefined where OR or XOR connects parts. AND binds
 * stronger than those, and the AND of BETWEEN and all words within CASE separate nothing.
 */
export function partsOfAnd(condition: readonly Token[]): readonly (readonly Token[])[] | undefined {
  const places: number[] = [];
  let [cases, betweens] = [0, 0];
  for (const [at, token] of outside(condition)) {
    if (isWord(token, 'case')) cases += 1;
    else if (isWord(token, 'end')) cases -= 1;
    else if (cases > 0) continue;
    else if (isWord(token, 'or', 'xor')) return undefined;
    else if (isWord(token, 'between')) betweens += 1;
    else if (isWord(token, 'and') && betweens > 0) betweens -= 1;
    else if (isWord(token, 'and')) places.push(at);
  }
  return splitAt(condition, places);
}

/** What `a = b` says of an item. `<=>` is not looked for: nulls of a unique key are equal to it. */
function equalitiesOf(
  condition: readonly Token[],
  item: number,
  items: readonly DefinitionItem[],
): readonly Equality[] {
  const [at, ...more] = [...condition.keys()].filter((place) => isMark(condition[place], '='));
  if (at === undefined || more.length > 0) return [];
  const sides = [condition.slice(0, at), condition.slice(at + 1)];
  return [sides, [...sides].reverse()].flatMap(([near = [], far = []]): readonly Equality[] => {
    const column = originOf(pathOf(near), items);
    if (column?.item !== item) return [];
    const other = originOf(pathOf(far), items) ?? constantOf(far);
    return other === undefined || ('item' in other && other.item === item) ? [] : [{ column: column.column, other }];
  });
}

/**
 * A text with other characters than ASCII may be compared in another character set than that of the
 * column, where more values are equal.
 */
function constantOf([token, ...more]: readonly Token[]): { readonly constant: 'text' | 'integer' } | undefined {
  if (token === undefined || more.length > 0) return undefined;
  if (token.kind === 'text' && /^[ -~]*$/.test(token.value)) return { constant: 'text' };
  return token.kind === 'number' && /^\d+$/.test(token.value) ? { constant: 'integer' } : undefined;
}

/** Whether an aggregate is called at a place, and not as a window function. */
function isAggregate(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!isMark(tokens[at + 1], '(') || token === undefined) return false;
  const isCandidate = token.kind === 'name' || (token.kind === 'word' && aggregates.has(token.value));
  return isCandidate && !isWord(tokens[closing(tokens, at + 1) + 1], 'over');
}
