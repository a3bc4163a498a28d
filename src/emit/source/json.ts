import { group, hardline, indent, join, line, print, softline, type Doc } from './doc.js';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** JSON in Prettier's form. What fits on a line stays on it, but for the outermost levels of `tall` objects. */
export function printJson(value: Json, tall = 2): string {
  return `${jsonText(value, tall, 0, '')}\n`;
}

/** Tall objects are put together entry by entry: a large document is never one large tree. */
function jsonText(value: Json, tall: number, depth: number, before: string): string {
  if (tall === 0 || typeof value !== 'object' || value === null || isList(value)) {
    return before + print(jsonDoc(value), depth, before.length);
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return `${before}{}`;
  const margin = '  '.repeat(depth + 1);
  const lines = entries.map(([key, item]) => margin + jsonText(item, tall - 1, depth + 1, `${JSON.stringify(key)}: `));
  return `${before}{\n${lines.join(',\n')}\n${'  '.repeat(depth)}}`;
}

function jsonDoc(value: Json): Doc {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return isList(value) ? listDoc(value) : objectDoc(value);
}

function listDoc(items: readonly Json[]): Doc {
  if (items.length === 0) return '[]';
  const docs = items.map(jsonDoc);
  if (items.length > 1 && items.every(isComposite)) {
    return ['[', indent([hardline, join([',', hardline], docs)]), hardline, ']'];
  }
  return group(['[', indent([softline, join([',', line], docs)]), softline, ']']);
}

function objectDoc(object: JsonObject): Doc {
  const entries = Object.entries(object).map(([key, item]) => [JSON.stringify(key), ': ', jsonDoc(item)]);
  if (entries.length === 0) return '{}';
  return group(['{', indent([line, join([',', line], entries)]), line, '}']);
}

/** Prettier puts such items on lines of their own. */
function isComposite(item: Json): boolean {
  return typeof item === 'object' && item !== null && !isList(item) && Object.keys(item).length > 1;
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
