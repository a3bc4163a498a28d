import type { Table } from '../descriptor/registry.js';
import { ownRows } from './context.js';
import type { Filter, ReadIntent, RowsIntent, Value } from './intent.js';
import { restForm } from './intent-form.js';

/**
 * Where the inputs of a page of keys have the last key before it: the texts of its columns.
 */
export const lastKey = Symbol('last key');

export interface SnapshotInputs {
  readonly [lastKey]: readonly string[];
}

/** Reads the keys of a table's rows in their order, as CSV: the first page, and each later one. */
export interface SnapshotIntent {
  readonly first: RowsIntent;
  readonly next: RowsIntent;
}

/** Rows of a page; `app.max-rows` may be less. */
const PAGE = 1_000;

/** @param where which rows; those that the reader may not see are never among them */
export function snapshotIntent(table: Table, { where }: Pick<ReadIntent, 'where'>): SnapshotIntent {
  const columns = table.primaryKey?.columns ?? [];
  const page = (filters: readonly Filter[]): RowsIntent => ({
    kind: 'rows',
    read: {
      table,
      ...ownRows(table),
      select: columns.map((column) => ({ kind: 'column', as: column, column })),
      ...(filters.length > 0 && { where: { kind: 'and', filters } }),
      orderBy: columns.map((column) => ({ by: { kind: 'column', column }, direction: 'asc' })),
      limit: { read: () => PAGE, form: 'json', constant: PAGE, most: PAGE },
      form: restForm,
    },
    count: 'none',
    format: 'csv',
  });
  const asked = where === undefined ? [] : [where];
  return { first: page(asked), next: page([...asked, after(columns)]) };
}

/** The keys after the last one: `a > $1 or (a = $1 and b > $2)`. */
function after(columns: readonly string[]): Filter {
  const compare = (at: number, operator: string): Filter => ({
    kind: 'compare',
    column: columns[at] ?? '',
    operator,
    values: [lastValue(at)],
  });
  return {
    kind: 'or',
    filters: columns.map((_, at) => ({
      kind: 'and',
      filters: [...columns.slice(0, at).map((_, before) => compare(before, 'eq')), compare(at, 'gt')],
    })),
  };
}

const lastValue = (at: number): Value => ({
  read: (inputs) => (inputs as SnapshotInputs)[lastKey][at],
  form: 'text',
});
