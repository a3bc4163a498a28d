import type { Settings } from '@tablewright/runtime/model';
import type { Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, string, tallObject, type Entry } from '../source/typescript.js';
import { runtimeModule } from '../source/runtime-module.js';

/** `settings.ts`: the settings of the configuration file, sorted, without secrets. */
export function emitSettings(settings: Partial<Settings>): string {
  const imports = new Imports();
  imports.type('Settings', runtimeModule);
  const entries = Object.entries(settings)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]): Entry => [key, literal(value)]);
  return printFile('the configuration', imports, [
    ['export const settings: Partial<Settings> = ', tallObject(entries), ';'],
  ]);
}

function literal(value: string | number | boolean | readonly string[]): Doc {
  if (typeof value === 'string') return string(value);
  return typeof value === 'object' ? array(value.map(string)) : String(value);
}
