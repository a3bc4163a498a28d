/**
 * The text that a parsed object or list came from. A column of the type json keeps its text:
 * spaces, the order of members, and several members of one name.
 */
const sources = new WeakMap<object, string>();

/** The text of an object or a list of JSON that was parsed with its source. */
export const sourceOf = (value: object): string | undefined => sources.get(value);

/**
 * Remembers for each object and list inside `value` the text that it came from.
 * @param value what a parser made of `text`; of several members of one name it has the last
 * @param text valid JSON
 */
export function withSource(value: unknown, text: string): unknown {
  walk(value, text, 0);
  return value;
}

/** Forgets the texts inside a value that the user's code may change: the value is written. */
export function withoutSource(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  sources.delete(value);
  for (const each of Object.values(value)) withoutSource(each);
}

/** Returns the position after the value. An earlier member of the same name is walked, too. */
function walk(value: unknown, text: string, from: number): number {
  let at = skipSpace(text, from);
  const start = at;
  const opening = text[at];
  if (opening !== '{' && opening !== '[') return scalarEnd(text, at);
  const isList = opening === '[';
  at = skipSpace(text, at + 1);
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index += 1) {
    let key: string | number = index;
    if (!isList) {
      const end = stringEnd(text, at);
      key = nameOf(text.slice(at, end));
      at = skipSpace(text, end) + 1;
    }
    at = skipSpace(text, walk(memberOf(value, key), text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] === undefined) return at;
  }
  if (typeof value === 'object' && value !== null && Array.isArray(value) === isList) {
    sources.set(value, text.slice(start, at + 1));
  }
  return at + 1;
}

const nameOf = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (Reflect.get(value, key) as unknown)
    : undefined;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (' \n\r\t'.includes(text[at] ?? 'x')) at += 1;
  return at;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function scalarEnd(text: string, from: number): number {
  if (text[from] === '"') return stringEnd(text, from);
  let at = from;
  while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? ',')) at += 1;
  return at;
}
