import type { Rate, Settings } from '@tablewright/runtime/model';
import type { Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, objects, string, tallObject, type Entry } from '../source/typescript.js';
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

const entriesOf = (rate: Rate): readonly Entry[] =>
  Object.entries<string | number>({ ...rate }).map(([key, part]): Entry => [key, literal(part)]);

function literal(value: Settings[keyof Settings]): Doc {
  if (typeof value === 'string') return string(value);
  if (typeof value !== 'object') return String(value);
  const items: readonly (string | Rate)[] = value;
  const rates = items.filter((each) => typeof each !== 'string');
  if (rates.length > 0) return objects(rates.map(entriesOf));
  return array(items.filter((each) => typeof each === 'string').map(string));
}
