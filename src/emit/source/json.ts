import { group, hardline, indent, join, line, print, softline, type Doc } from './doc.js';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** JSON in Prettier's form. What fits on a line stays on it, but for the outermost levels of `tall` objects. */
export function printJson(value: Json, tall = 2): string {
  return `${print(jsonDoc(value, tall))}\n`;
}

function jsonDoc(value: Json, tall: number): Doc {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return isList(value) ? listDoc(value) : objectDoc(value, tall);
}

function listDoc(items: readonly Json[]): Doc {
  if (items.length === 0) return '[]';
  const docs = items.map((item) => jsonDoc(item, 0));
  if (items.length > 1 && items.every(isComposite)) {
    return ['[', indent([hardline, join([',', hardline], docs)]), hardline, ']'];
  }
  return group(['[', indent([softline, join([',', line], docs)]), softline, ']']);
}

function objectDoc(object: JsonObject, tall: number): Doc {
  const entries = Object.entries(object).map(([key, item]) => [JSON.stringify(key), ': ', jsonDoc(item, tall - 1)]);
  if (entries.length === 0) return '{}';
  if (tall > 0) return ['{', indent([hardline, join([',', hardline], entries)]), hardline, '}'];
  return group(['{', indent([line, join([',', line], entries)]), line, '}']);
}

/** Prettier puts such items on lines of their own. */
function isComposite(item: Json): boolean {
  return typeof item === 'object' && item !== null && !isList(item) && Object.keys(item).length > 1;
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
