import { callAt, isGroup, isSelect, isSymbol, isWord, nameAt, typeAt, type Group, type Node } from './tree.js';

/**
 * Words that stand for a value that is the same for every row, or that only connect such values.
 */
const constantWords = ['true', 'false', 'null', 'array', 'and', 'or', 'not', 'is', 'current_user', 'session_user'];

/**
 * Whether no column and no sub-select is in it: the value is the same for every row of a statement.
 */
export function isConstant(items: readonly Node[]): boolean {
  for (let at = 0; at < items.length;) {
    const node = items[at];
    const call = callAt(items, at);
    if (isSymbol(node, '::')) at = typeAt(items, at + 1).next;
    else if (call !== undefined) {
      if (!isConstant(call.arguments.items)) return false;
      at = call.next;
    } else if (isGroup(node)) {
      if (isSelect(node) || !isConstant(node.items)) return false;
      at += 1;
    } else {
      const value = node?.kind === 'text' || node?.kind === 'number' || node?.kind === 'symbol';
      if (!value && !isWord(node, ...constantWords)) return false;
      at += 1;
    }
  }
  return true;
}

/** Whether the SQL calls a function whose result depends on the session. */
export function hasCall(items: readonly Node[]): boolean {
  return items.some((node, at) => callAt(items, at) !== undefined || (isGroup(node) && hasCall(node.items)));
}

export const isCurrentSetting = (parts: readonly string[]): boolean =>
  parts.at(-1) === 'current_setting' && (parts.length === 1 || parts[0] === 'pg_catalog');

/** A piece of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The functions whose result depends on the session; functions that only compute are left out. */
export type Wanted = (parts: readonly string[]) => boolean;

/**
 * The largest pieces that are the same for every row, have a wanted call in them, and are computed
 * for each row because they are not in a sub-select of their own: `( SELECT f() )`.
 */
export function callsPerRow(items: readonly Node[], wanted: Wanted): readonly Span[] {
  const spans: Span[] = [];
  visit(items, { once: false, whole: true });
  return spans;

  /**
   * `once`: inside a sub-select of its own. `whole`: a piece of this list may be replaced by a
   * sub-select.
   */
  function visit(list: readonly Node[], { once, whole }: { readonly once: boolean; readonly whole: boolean }): void {
    for (let at = 0; at < list.length;) {
      const { next, inner } = unitAt(list, at);
      const unit = list.slice(at, next);
      // `= ANY ((SELECT f()))` would compare with the rows of the sub-select instead of with the
      // elements of the array.
      const array = isWord(list[at - 1], 'any', 'all', 'some');
      if (!once && whole && !array && isConstant(unit) && calls(unit, wanted)) {
        spans.push({ start: unit[0]?.start ?? 0, end: unit.at(-1)?.end ?? 0 });
      } else if (inner !== undefined) {
        visit(inner.items, { once: isSelect(inner) ? isAlone(inner) : once, whole: !array });
      }
      at = next;
    }
  }
}

/** A call, a group, a name or a single leaf, with the casts after it. `inner` is its group. */
function unitAt(list: readonly Node[], at: number): { readonly next: number; readonly inner: Group | undefined } {
  const call = callAt(list, at);
  const node = list[at];
  let next = call?.next ?? (isGroup(node) ? at + 1 : (nameAt(list, at)?.next ?? at + 1));
  const isValue = isGroup(node) || call !== undefined;
  while (isValue && isSymbol(list[next], '::')) next = typeAt(list, next + 1).next;
  return { next, inner: call?.arguments ?? (isGroup(node) ? node : undefined) };
}

/** `( SELECT f() )`: without FROM it is computed once. */
const isAlone = (select: Group): boolean => !select.items.some((node) => isWord(node, 'from'));

const calls = (items: readonly Node[], wanted: Wanted): boolean =>
  items.some((node, at) => {
    const call = callAt(items, at);
    return (call !== undefined && wanted(call.parts)) || (isGroup(node) && calls(node.items, wanted));
  });

/** Where the name of the function begins whose arguments the group at `at` is. */
function calledName(items: readonly Node[], at: number): number | undefined {
  for (let start = at - 1; start >= 0 && start >= at - 5; start -= 2) {
    if (callAt(items, start)?.next === at + 1 && !isSymbol(items[start - 1], '.')) return start;
  }
  return undefined;
}

/**
 * The calls of `current_setting` whose text is cast to a type that the empty string is no value of,
 * without NULLIF. What a CASE decides is left alone: it may ask for the empty string itself.
 */
export function uncheckedCasts(items: readonly Node[], failsOnEmpty: (type: string) => boolean): readonly Span[] {
  const found = new Map<number, Span>();
  visit(items);
  return [...found.values()].sort((a, b) => a.start - b.start);

  function visit(list: readonly Node[]): void {
    if (list.some((node) => isWord(node, 'case'))) return;
    for (const [at, node] of list.entries()) {
      if (isSymbol(node, '::') && failsOnEmpty(typeAt(list, at + 1).type)) operand(list, at - 1);
      const call = callAt(list, at);
      if (call?.parts[0] === 'cast') castCall(call.arguments);
      if (isGroup(node)) visit(node.items);
    }
  }

  function castCall({ items: inner }: Group): void {
    const as = inner.findLastIndex((node) => isWord(node, 'as'));
    if (as > 0 && failsOnEmpty(typeAt(inner, as + 1).type)) collect(inner.slice(0, as));
  }

  /** What ends at `at` and is cast. */
  function operand(list: readonly Node[], at: number): void {
    const node = list[at];
    if (!isGroup(node)) return;
    const start = calledName(list, at);
    collect(start === undefined ? node.items : list.slice(start, at + 1));
  }

  function collect(list: readonly Node[]): void {
    if (isWord(list[0], 'select') || list.some((node) => isWord(node, 'case'))) return;
    for (let at = 0; at < list.length; at += 1) {
      const call = callAt(list, at);
      const node = list[at];
      if (call !== undefined) {
        const start = node?.start ?? 0;
        if (isCurrentSetting(call.parts)) found.set(start, { start, end: call.arguments.end });
        else if (call.parts[0] === 'coalesce') collect(call.arguments.items.filter((each) => !isSymbol(each, ',')));
        at = call.next - 1;
      } else if (isGroup(node)) collect(node.items);
    }
  }
}

/** The text with each piece replaced. */
export function rewrite(text: string, spans: readonly Span[], write: (piece: string) => string): string {
  let result = '';
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + write(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}
