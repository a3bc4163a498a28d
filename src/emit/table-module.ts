import type { TableModel } from '@tablewright/runtime/model';

/** The module of a table, as `Home.module` is written. */
export function moduleOf(table: TableModel): string {
  return `${table.folder}/${table.file}.table`;
}
