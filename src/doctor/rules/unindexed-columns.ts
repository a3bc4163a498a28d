import type { Catalog, Column, Table } from '@tablewright/runtime/model';

/**
 * Columns of tables and materialised views that no index with one of these methods has as a key.
 */
export const unindexedColumns = (
  { tables }: Catalog,
  methods: ReadonlySet<string>,
  isMeant: (type: Column['type']) => boolean,
): readonly { readonly table: Table; readonly column: Column }[] =>
  tables
    .filter(({ kind }) => kind === 'table' || kind === 'partitionedTable' || kind === 'materializedView')
    .flatMap((table) =>
      table.columns
        .filter(({ type }) => !type.array && isMeant(type))
        .filter(
          ({ name }) =>
            !table.indexes.some((index) => methods.has(index.method) && index.keys.some((key) => key.column === name)),
        )
        .map((column) => ({ table, column })),
    );
