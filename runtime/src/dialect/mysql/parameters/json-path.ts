import { malformed } from '../../malformed.js';

const step = String.raw`\.(?:\*|[A-Za-z_$][\w$]*|"[^"\\]*")|\[(?:\*|\d{1,9})\]`;
const plainPath = new RegExp(String.raw`^\$(?:${step})*$`);

/**
 * A JSON path of members and items only: `$.tags[*]`, `$."a key".b[0]`. A path with a filter
 * silently finds nothing in this database, so it is refused.
 */
export function checkedPath(given: string): string {
  const path = given.trim();
  if (path === '') throw malformed('The JSON path is empty.', 'A JSON path is like $.tags[*].');
  if (path.includes('?'))
    throw malformed('This database has no filters in JSON paths.', 'A path without them is like $.tags[*].');
  if (!plainPath.test(path)) throw malformed('The JSON path is malformed.', 'A JSON path is like $.tags[*].');
  return path;
}

/**
 * The path of one step: a member by its name, or an item by its index. A path of this database
 * cannot express a name with a quote or a backslash.
 */
export function stepPath(key: string | number): string {
  if (typeof key === 'number') return `$[${String(key)}]`;
  if (/["\\]/.test(key))
    throw malformed('A key of a JSON path has a quote or a backslash.', 'This database cannot look it up.');
  return `$."${key}"`;
}
