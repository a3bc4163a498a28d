import type { Table } from '@tablewright/runtime/model';
import { alone, inTransaction, type Remedy } from './finding.js';
import { quotedPath } from './quote.js';

/** Creates an index without stopping writes, where PostgreSQL can: not on a partitioned table. */
export function createIndex(table: Table, body: string, note: string | null = null): Remedy {
  const target = `on ${quotedPath(table)} ${body};`;
  if (table.kind !== 'partitionedTable') return alone([`create index concurrently ${target}`], note);
  const lock =
    'PostgreSQL cannot create an index of a partitioned table concurrently: writes wait until the index exists.';
  return inTransaction([`create index ${target}`], note === null ? lock : `${note} ${lock}`);
}

/** Whether an index for every row has these columns, in any order, as its first keys. */
export function isIndexed(table: Table, columns: readonly string[]): boolean {
  return table.indexes.some(({ keys, method, predicate }) => {
    const leading = keys.slice(0, columns.length).map((key) => key.column);
    const searchable = method === 'btree' || (method === 'hash' && columns.length === 1);
    const complete = predicate === null || columns.some((column) => isNotNullPredicate(predicate, column));
    return searchable && complete && columns.every((column) => leading.includes(column));
  });
}

/** A comparison is never true for null, so an index of the rows without null is as good. */
const isNotNullPredicate = (predicate: string, column: string): boolean =>
  [column, `"${column.replaceAll('"', '""')}"`].some((name) => predicate === `(${name} IS NOT NULL)`);
