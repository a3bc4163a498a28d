import type { RowRules } from '@tablewright/runtime/model';
import type { Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, object, string, tallObject, type Entry } from '../source/typescript.js';
import { runtimeModule } from '../source/runtime-module.js';

/** `rules.ts`: the rules of the configuration, sorted by table, with a line for each part. */
export function emitRules(rules: RowRules): string {
  const imports = new Imports();
  imports.type('RowRules', runtimeModule);
  const tables = Object.entries(rules)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, rule]): Entry => [name, tallObject(entriesOf(rule))]);
  return printFile('the configuration', imports, [['export const rules: RowRules = ', tallObject(tables), ';']]);
}

const entriesOf = (value: object): readonly Entry[] =>
  Object.entries(value).map(([name, each]: [string, unknown]) => [name, literal(each)]);

/** A value of JSON: checkRules has taken the rules. */
function literal(value: unknown): Doc {
  if (typeof value === 'string') return string(value);
  if (Array.isArray(value)) return array(value.map(literal));
  return typeof value === 'object' && value !== null ? object(entriesOf(value)) : JSON.stringify(value);
}
