import type { Table } from '../descriptor/registry.js';
import type { FormerRow } from '../dialect/change-feed.js';

/**
 * A former row as a JSON object, of which the database makes a row. Null if the value of a column
 * is unknown, as it is for generated columns. The text of a JSON column stays as it is.
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
