import type { Table } from '../descriptor/registry.js';
import type { FormerRow } from '../dialect/change-feed.js';

/**
 * A former row as the JSON object that the database makes a row of; null where a column of the
 * table is not known, as generated columns are not. The text of a JSON column stands there as it
 * is.
 */
export function formerText(former: FormerRow, { columns }: Pick<Table, 'columns'>): string | null {
  const members: string[] = [];
  for (const { name, type } of columns) {
    const value = former.get(name);
    if (value === undefined) return null;
    const text = value !== null && isJson(type.kind) ? value : JSON.stringify(value);
    members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

const isJson = (kind: string): boolean => kind === 'json' || kind === 'jsonb';
