import type { ColumnType } from '../descriptor/descriptor.js';

/** Types that PostgreSQL can't sort; arrays of them neither. */
const unordered: ReadonlySet<string> = new Set([
  'xml',
  'json',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
  'aclitem',
  'cid',
  'xid',
  'refcursor',
  'txid_snapshot',
  'pg_snapshot',
]);

/** Whether rows can be sorted by a value of this type. */
export function isOrderable(type: ColumnType): boolean {
  if (type.kind === 'array' && type.element !== undefined) return isOrderable(type.element);
  if (type.kind === 'composite' || type.kind === 'vector') return false;
  return !unordered.has(type.sql.name);
}
