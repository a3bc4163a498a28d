import { isRecord } from '../is-record.js';
import { z } from 'zod';
import { TablewrightError } from '../tablewright-error.js';
import type { Catalog } from './catalog.js';
import { hasConflictMarkers } from './conflict-markers.js';
import { isLeftOut } from './fingerprint.js';
import { portable } from './portable.js';
import { catalogShape } from './shape.js';

/** Left out everywhere: `portable` makes them the same for everyone. */
const evenedOut: ReadonlySet<string> = new Set(['privileges', 'executable', 'version']);

/**
 * The text of `catalog.json`: the portable catalogue, in a form that can be reviewed line by line.
 * Each column, argument, constraint and index has one line. Members that are null, false or empty
 * are left out, where their absence means the same. The same catalogue gives the same bytes. The
 * order of its members does not matter.
 */
export function serializeCatalog(catalog: Catalog): string {
  return `${print(catalogShape.parse(portable(catalog)), 0)}\n`;
}

/**
 * Reads what `serializeCatalog` wrote: `parseCatalog(serializeCatalog(c))` equals `portable(c)`,
 * and is written as the same text.
 * @throws TablewrightError OUTPUT_EDITED when the text is no such catalogue
 */
export function parseCatalog(text: string): Catalog {
  const hint =
    'Run `tablewright generate` with a connection to the database to write it again, or restore it from version control.';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const problem = hasConflictMarkers(text) ? 'catalog.json has conflict markers.' : 'catalog.json is not JSON.';
    throw new TablewrightError('OUTPUT_EDITED', problem, hint, { cause });
  }
  const result = catalogShape.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined ? '' : ` At ${z.core.toDotPath(issue.path) || 'its top'}: ${issue.message}.`;
  throw new TablewrightError('OUTPUT_EDITED', `catalog.json is not a catalogue.${where}`, hint, {
    cause: result.error,
  });
}

/** The written members of an object. */
function membersOf(value: Record<string, unknown>): readonly (readonly [name: string, member: unknown])[] {
  return Object.entries(value).filter(([name, member]) => !evenedOut.has(name) && !isLeftOut(name, member));
}

/**
 * A list of objects has a line for each, and what holds one opens up; below the columns of a table
 * all is one line.
 */
function print(value: unknown, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const close = '  '.repeat(depth);
  if (isRecordList(value) && depth <= 4) {
    return `[\n${value.map((item) => indent + print(item, depth + 1)).join(',\n')}\n${close}]`;
  }
  if (isRecord(value) && depth <= 3) {
    const members = membersOf(value);
    if (!members.some(([, member]) => isRecordList(member))) return inlineObject(members);
    const lines = members.map(([name, member]) => `${indent}${quote(name)}: ${print(member, depth + 1)}`);
    return `{\n${lines.join(',\n')}\n${close}}`;
  }
  return inline(value);
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  return isRecord(value) ? inlineObject(membersOf(value)) : quote(value);
}

function inlineObject(members: ReturnType<typeof membersOf>): string {
  const texts = members.map(([name, member]) => `${quote(name)}: ${inline(member)}`);
  return texts.length === 0 ? '{}' : `{ ${texts.join(', ')} }`;
}

/**
 * Escapes what an editor would take for a line end, or what would make a line read otherwise than
 * it is (bidi controls).
 */
function quote(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isRecordList(value: unknown): value is readonly Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}
