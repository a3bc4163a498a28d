/** Characters of a line, as in Prettier's configuration of generated projects. */
const width = 120;

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * JSON in Prettier's form. What fits on a line stays on it, but for the outermost levels of `tall`
 * objects.
 */
export function printJson(value: Json, tall = 2): string {
  return `${jsonText(value, tall, '', 0)}\n`;
}

/**
 * A value that follows a margin and some characters more: its key before it, the comma after it.
 */
function jsonText(value: Json, tall: number, margin: string, besides: number): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const isTall = tall > 0 && !isList(value) && Object.keys(value).length > 0;
  const flat = isTall ? undefined : flatText(value);
  if (flat !== undefined && margin.length + besides + flat.length <= width) return flat;
  const inner = `${margin}  `;
  const items = isList(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(value).map(([key, item]) => [`${JSON.stringify(key)}: `, item] as const);
  const lines = items.map(([key, item], at) => {
    const comma = at === items.length - 1 ? '' : ',';
    return `${inner}${key}${jsonText(item, isTall ? tall - 1 : 0, inner, key.length + comma.length)}${comma}`;
  });
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join('\n')}\n${margin}${close}`;
}

/**
 * The value on one line. Undefined if it is too long for a line, or if Prettier always breaks it.
 */
function flatText(value: Json): string | undefined {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return isList(value) ? flatList(value) : flatObject(value);
}

function flatList(items: readonly Json[]): string | undefined {
  if (items.length > 1 && items.every(isComposite)) return undefined;
  let text = '';
  for (const item of items) {
    const flat = flatText(item);
    if (flat === undefined || text.length > width) return undefined;
    text += text === '' ? flat : `, ${flat}`;
  }
  return `[${text}]`;
}

function flatObject(object: JsonObject): string | undefined {
  let text = '';
  for (const [key, item] of Object.entries(object)) {
    const flat = flatText(item);
    if (flat === undefined || text.length > width) return undefined;
    text += `${text === '' ? '' : ', '}${JSON.stringify(key)}: ${flat}`;
  }
  return text === '' ? '{}' : `{ ${text} }`;
}

/** Prettier puts such items on lines of their own. */
function isComposite(item: Json): boolean {
  return typeof item === 'object' && item !== null && !isList(item) && Object.keys(item).length > 1;
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
