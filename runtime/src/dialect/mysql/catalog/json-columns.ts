import { tableKey, textOf, type Row } from './row.js';
import { partsOfAnd, type Definition } from './view-query.js';
import { isEnclosed, isMark, isWord, outside, splitAt, tokenize, type Token } from './view-tokens.js';

/**
 * Whether a column certainly holds JSON: MariaDB has no type for it. A table's check says so; the
 * column of a view shows such a column, or calls a function that makes JSON.
 */
export function jsonColumns(
  checks: ReadonlyMap<string, readonly Row[]>,
  definitions: ReadonlyMap<string, Definition>,
): (table: string, column: string) => boolean {
  const checked = new Map(
    [...checks].map(([table, own]) => [table, new Set(own.flatMap((check) => validatedBy(textOf(check, 'clause'))))]),
  );
  /** @param below views that lead here: views that were renamed in a circle exist */
  const isJson = (table: string, column: string, below: readonly string[]): boolean => {
    const definition = definitions.get(table);
    if (definition === undefined) return checked.get(table)?.has(column) === true;
    if (definition.json.has(column)) return true;
    const origin = definition.columns.get(column);
    const relation = origin === undefined ? undefined : definition.items[origin.item]?.relation;
    if (origin === undefined || relation === undefined || below.includes(table)) return false;
    return isJson(tableKey(relation.schema, relation.name), origin.column, [...below, table]);
  };
  return (table, column) => isJson(table, column, []);
}

/**
 * The columns of which a check accepts JSON and null only: `json_valid(a)`, also beside other
 * conditions, and `a is null or json_valid(a)`.
 */
export const validatedBy = (clause: string): readonly string[] => [...validated(tokenize(clause))];

function validated(condition: readonly Token[]): ReadonlySet<string> {
  if (isEnclosed(condition)) return validated(condition.slice(1, -1));
  const parts = partsOfAnd(condition);
  if (parts === undefined) return ofAlternatives(condition);
  if (parts.length > 1) return new Set(parts.flatMap((part) => [...validated(part)]));
  const called = validatedColumn(condition);
  return new Set(called === undefined ? [] : [called]);
}

/** `json_valid(a)` and `json_valid(a) = 1`. */
function validatedColumn(tokens: readonly Token[]): string | undefined {
  const [called, open, column, close, equals, one, ...more] = tokens;
  const isCall = isWord(called, 'json_valid') && isMark(open, '(') && column?.kind === 'name' && isMark(close, ')');
  const isTrue = equals === undefined || (isMark(equals, '=') && one?.kind === 'number' && one.value === '1');
  return isCall && isTrue && more.length === 0 ? column.value : undefined;
}

/** The columns that each part between OR accepts as JSON, or as null. */
function ofAlternatives(tokens: readonly Token[]): ReadonlySet<string> {
  const words = [...outside(tokens)];
  if (words.some(([, token]) => isWord(token, 'case', 'xor'))) return new Set();
  const parts = splitAt(
    tokens,
    words.filter(([, token]) => isWord(token, 'or')).map(([at]) => at),
  );
  const nulls = parts.map(nullColumn);
  const others = parts.filter((_, at) => nulls[at] === undefined).map(validated);
  const [first = new Set<string>(), ...more] = others;
  return new Set(
    [...first].filter(
      (column) =>
        more.every((each) => each.has(column)) && nulls.every((each) => each === undefined || each === column),
    ),
  );
}

/** The column of `a is null`. */
function nullColumn(tokens: readonly Token[]): string | undefined {
  if (isEnclosed(tokens)) return nullColumn(tokens.slice(1, -1));
  const [column, is, none, ...more] = tokens;
  return column?.kind === 'name' && isWord(is, 'is') && isWord(none, 'null') && more.length === 0
    ? column.value
    : undefined;
}
