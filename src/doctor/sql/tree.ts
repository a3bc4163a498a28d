/**
 * SQL as a tree of brackets: enough to find calls, casts and comparisons in PostgreSQL's text of a
 * policy. Nodes have their positions in the text, so that a change leaves the rest of the text
 * unchanged.
 */
export type Node = Leaf | Group;

export interface Leaf {
  readonly kind: 'word' | 'quoted' | 'text' | 'number' | 'symbol';
  /** Words in lower case, quoted identifiers without their quotes; everything else unchanged. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export interface Group {
  readonly kind: 'group';
  readonly open: '(' | '[';
  readonly items: readonly Node[];
  readonly start: number;
  readonly end: number;
}

/** Source: PostgreSQL manual, "Lexical Structure". */
const lexeme = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*|/\*[^]*?\*/)`,
    String.raw`(?<quoted>"(?:[^"]|"")*")`,
    String.raw`(?<text>[eE]'(?:[^'\\]|\\[^]|'')*'|(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'|(?<tag>\$\w*\$)[^]*?\k<tag>)`,
    String.raw`(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
    String.raw`(?<symbol>::|[()[\]]|[-+*/<>=~!@#%^&|?` + '`' + String.raw`]+|[^])`,
  ].join('|'),
  'gu',
);

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** Text that is not SQL also gives a tree: an open bracket ends with the text. */
export function parseSql(text: string): readonly Node[] {
  const stack: { open: '(' | '['; start: number; items: Node[] }[] = [];
  const top: Node[] = [];
  for (const match of text.matchAll(lexeme)) {
    const items = stack.at(-1)?.items ?? top;
    const leaf = leafOf(match);
    if (leaf === undefined) continue;
    const { value, end } = leaf;
    const innermost = stack.at(-1);
    if (leaf.kind === 'symbol' && (value === '(' || value === '[')) {
      stack.push({ open: value, start: leaf.start, items: [] });
    } else if (leaf.kind === 'symbol' && innermost !== undefined && value === closing[innermost.open]) {
      stack.pop();
      (stack.at(-1)?.items ?? top).push({ kind: 'group', ...innermost, end });
    } else items.push(leaf);
  }
  for (let open = stack.pop(); open !== undefined; open = stack.pop()) {
    (stack.at(-1)?.items ?? top).push({ kind: 'group', ...open, end: text.length });
  }
  return top;
}

function leafOf(match: RegExpMatchArray): Leaf | undefined {
  const groups = match.groups ?? {};
  const start = match.index ?? 0;
  const place = { start, end: start + match[0].length };
  if (groups['space'] !== undefined) return undefined;
  if (groups['quoted'] !== undefined) {
    return { kind: 'quoted', value: match[0].slice(1, -1).replaceAll('""', '"'), ...place };
  }
  if (groups['word'] !== undefined) return { kind: 'word', value: match[0].toLowerCase(), ...place };
  if (groups['text'] !== undefined) return { kind: 'text', value: match[0], ...place };
  return { kind: groups['number'] === undefined ? 'symbol' : 'number', value: match[0], ...place };
}

export const isWord = (node: Node | undefined, ...words: readonly string[]): boolean =>
  node?.kind === 'word' && words.includes(node.value);

export const isSymbol = (node: Node | undefined, symbol: string): boolean =>
  node?.kind === 'symbol' && node.value === symbol;

export const isGroup = (node: Node | undefined): node is Group => node?.kind === 'group';

/** `( SELECT … )` */
export const isSelect = (node: Node | undefined): boolean => isGroup(node) && isWord(node.items[0], 'select');

/** Words of the grammar that may stand before a bracket without being a function. */
const keywords = new Set(
  `all and any array as between by case distinct else end except exists filter from full group having ilike in inner intersect is
   join lateral left like limit not offset on or order over right row select similar some then union using values when where with`.split(
    /\s+/,
  ),
);

/** A name at a position: `a`, `a.b`, `"A".b`; where the next node is, and its parts. */
export interface Name {
  readonly parts: readonly string[];
  readonly next: number;
}

export function nameAt(items: readonly Node[], at: number): Name | undefined {
  const parts: string[] = [];
  for (let next = at; ; next += 2) {
    const node = items[next];
    if (node?.kind !== 'quoted' && (node?.kind !== 'word' || keywords.has(node.value))) return undefined;
    parts.push(node.value);
    if (!isSymbol(items[next + 1], '.')) return { parts, next: next + 1 };
  }
}

/** A call at a position: its name, and its arguments. */
export interface Call extends Name {
  readonly arguments: Group;
}

export function callAt(items: readonly Node[], at: number): Call | undefined {
  const name = nameAt(items, at);
  const group = name === undefined ? undefined : items[name.next];
  if (name === undefined || !isGroup(group) || group.open !== '(') return undefined;
  return { parts: name.parts, next: name.next + 1, arguments: group };
}

const secondWords: Readonly<Record<string, string>> = { double: 'precision', character: 'varying', bit: 'varying' };

/** The type at a position, after `::`: its name in the text, and the position of the next node. */
export function typeAt(items: readonly Node[], at: number): { readonly type: string; readonly next: number } {
  const name = nameAt(items, at) ?? { parts: [], next: at + 1 };
  let type = name.parts.join('.');
  let next = name.next;
  const second = items[next];
  if (second !== undefined && isWord(second, secondWords[type] ?? '')) {
    type = `${type} ${secondWords[type] ?? ''}`;
    next += 1;
  }
  if (isGroup(items[next])) next += 1;
  if (isWord(items[next], 'with', 'without') && isWord(items[next + 1], 'time')) next += 3;
  for (let node = items[next]; isGroup(node) && node.open === '['; node = items[next]) next += 1;
  return { type, next };
}
