import type { Catalog, Table } from '@tablewright/runtime/model';
import { findColumnRenames } from './columns.js';
import { findEnumRenames } from './enums.js';
import type { Rename } from './rename.js';
import { findTableRenames } from './tables.js';

export { placeText, type Place, type Rename } from './rename.js';

/**
 * The renames between two catalogues. Certain where names of keys and indexes, or the places of
 * columns and labels, show it; else proposed. The catalogue has no object ids: two databases of the
 * same migrations give the same.
 */
export function findRenames(before: Catalog, after: Catalog): readonly Rename[] {
  const tables = findTableRenames(before, after);
  const newNames = new Map(tables.map(({ from, to }) => [from.object, to.object]));
  const now = new Map(after.tables.map((table) => [keyOf(table), table]));
  const columns = before.tables.flatMap((table) => {
    const same = now.get(newNames.get(keyOf(table)) ?? keyOf(table));
    return same === undefined ? [] : findColumnRenames(table, same, before.dialect);
  });
  return [...tables, ...columns, ...findEnumRenames(before, after, [...tables, ...columns])];
}

const keyOf = ({ schema, name }: Table): string => `${schema}.${name}`;

export { findRelationRenames } from './relations.js';
