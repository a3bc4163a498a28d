import type { Policy, Table } from '@tablewright/runtime/model';
import { hasCall, isConstant } from './calls.js';
import { isGroup, isSelect, isSymbol, isWord, nameAt, parseSql, typeAt, type Group, type Node } from './tree.js';

/** A column, by `schema.table` and name. */
export interface ColumnName {
  readonly table: string;
  readonly column: string;
  /** It is compared as text: of types that are stored as text the index serves all the same. */
  readonly asText: boolean;
}

/** Columns one of which has to be indexed: those of conditions that are joined by AND. */
export type Alternatives = readonly ColumnName[];

/**
 * The table that each qualifier of a column means, and the table of columns without a qualifier.
 */
interface Scope {
  readonly tables: ReadonlyMap<string, string>;
  readonly own: string | undefined;
}

/**
 * The columns that a policy compares with session values, each with its alternatives. `undefined`
 * where some row may pass by a condition that no index answers, such as `true` or `shared OR …`:
 * then every row is looked at anyway.
 */
export function comparedColumns(table: Table, expression: string): readonly Alternatives[] | undefined {
  const path = `${table.schema}.${table.name}`;
  return needs(parseSql(expression), { tables: new Map([[table.name, path]]), own: path });
}

/** The same for the sub-selects of a policy: the columns that decide about a row. */
export function comparedInSelects(expression: string): readonly Alternatives[] {
  return selectsOf(parseSql(expression)).flatMap((select) => {
    const from = select.items.findIndex((node) => isWord(node, 'from'));
    const where = select.items.findIndex((node) => isWord(node, 'where'));
    if (from < 0 || where < 0) return [];
    const tables = new Map(tablesIn(select.items.slice(from + 1, where)));
    const end = select.items.findIndex(
      (node, at) => at > where && isWord(node, 'group', 'having', 'order', 'limit', 'union', 'intersect', 'except'),
    );
    return needs(select.items.slice(where + 1, end < 0 ? undefined : end), { tables, own: undefined }) ?? [];
  });
}

function selectsOf(items: readonly Node[]): readonly Group[] {
  return items.flatMap((node) => {
    if (!isGroup(node)) return [];
    const inner = selectsOf(node.items);
    return isSelect(node) ? [node, ...inner] : inner;
  });
}

/** `FROM schema.table alias`, joins included: by alias, or by name where there is none. */
function tablesIn(items: readonly Node[]): readonly (readonly [alias: string, table: string])[] {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const node = items[at];
    if (isGroup(node) && !isSelect(node)) found.push(...tablesIn(node.items));
    const name = nameAt(items, at);
    if (name === undefined) continue;
    if (name.parts.length === 2 && !isGroup(items[name.next])) {
      const alias = nameAt(items, name.next)?.parts[0];
      found.push([alias ?? name.parts[1] ?? '', name.parts.join('.')]);
    }
    at = name.next - 1;
  }
  return found;
}

function needs(items: readonly Node[], scope: Scope): readonly Alternatives[] | undefined {
  const [only] = items;
  if (items.length === 1 && isGroup(only) && !isSelect(only)) return needs(only.items, scope);
  if (items.some((node) => isWord(node, 'case'))) return undefined;
  const either = split(items, 'or');
  if (either.length > 1) {
    const each = either.map((part) => needs(part, scope));
    return each.every((need) => need !== undefined) ? each.flat() : undefined;
  }
  const both = split(items, 'and');
  if (both.length > 1) return allOf(both.map((part) => needs(part, scope)));
  const column = comparison(items, scope);
  return column === undefined ? undefined : [[column]];
}

/**
 * One condition that an index answers is enough: each alternative of one is an alternative to all
 * the others.
 */
function allOf(each: readonly (readonly Alternatives[] | undefined)[]): readonly Alternatives[] | undefined {
  const known = each.filter((need) => need !== undefined);
  const [first] = known;
  if (first === undefined) return undefined;
  if (known.every((need) => need.length === 1)) return [known.flatMap((need) => need.flat())];
  return first;
}

function split(items: readonly Node[], word: string): readonly (readonly Node[])[] {
  const parts: Node[][] = [[]];
  for (const node of items) {
    if (isWord(node, word)) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

/**
 * `column = value` or `value = column`, where the value is the same for all rows and the session
 * decides it.
 */
function comparison(items: readonly Node[], scope: Scope): ColumnName | undefined {
  const at = items.findIndex((node) => isSymbol(node, '='));
  if (at < 0) return undefined;
  const left = items.slice(0, at);
  const right = items.slice(at + 1);
  if (isSessionValue(right, scope)) return columnOf(left, scope);
  return isSessionValue(left, scope) ? columnOf(right, scope) : undefined;
}

function columnOf(items: readonly Node[], scope: Scope): ColumnName | undefined {
  const [first] = items;
  if (isGroup(first) && !isSelect(first)) {
    if (items.length === 1) return columnOf(first.items, scope);
    const asText = isSymbol(items[1], '::') && typeAt(items, 2).type === 'text';
    const column = asText ? columnOf(first.items, scope) : undefined;
    return column === undefined ? undefined : { ...column, asText };
  }
  const name = nameAt(items, 0);
  if (name?.next !== items.length) return undefined;
  const [qualifier, column] = name.parts;
  if (column === undefined) {
    return scope.own === undefined || qualifier === undefined
      ? undefined
      : { table: scope.own, column: qualifier, asText: false };
  }
  const table = scope.tables.get(qualifier ?? '');
  return table === undefined ? undefined : { table, column, asText: false };
}

function isSessionValue(items: readonly Node[], scope: Scope): boolean {
  const [first, second] = items;
  if (isWord(first, 'any')) {
    const array = isGroup(second) ? second.items : [];
    return (isWord(array[0], 'array') && isSelect(array[1])) || isSessionValue(array, scope);
  }
  if (isConstant(items)) return hasCall(items);
  if (items.length === 1 && isSelect(first)) return true;
  // A column of the row that the policy decides about, seen from a sub-select.
  const name = nameAt(items, 0);
  if (name?.next === items.length) return name.parts.length === 2 && !scope.tables.has(name.parts[0] ?? '');
  return items.length === 1 && isGroup(first) && isSessionValue(first.items, scope);
}

/** The condition that decides which rows are seen: USING, which writes are subject to as well. */
export const readCondition = ({ command, using }: Policy): string | null => (command === 'insert' ? null : using);
