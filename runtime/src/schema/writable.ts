import type { ColumnDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { fieldOf } from '../descriptor/registry.js';
import { innermost, inputType } from './graphql-type.js';
import type { FieldShape } from './type-shape.js';

/** Whether GraphQL can insert rows: an input needs a field. */
export const canCreate = (table: TableDescriptor): boolean =>
  table.insertable === true && writtenColumns(table).some(isInsertable);

/** Whether GraphQL can update rows. */
export const canUpdate = (table: TableDescriptor): boolean =>
  table.updatable === true && writtenColumns(table).some(isUpdatable);

export const canDelete = (table: TableDescriptor): boolean => table.deletable === true;

/**
 * The database computes generated columns. Text search documents are not writable, either: no
 * client writes them by hand.
 */
export function isWritable({ readOnly, type }: ColumnDescriptor): boolean {
  return readOnly !== true && innermost(type).kind !== 'tsvector';
}

/** The columns that writes may name: also those that a role may only write. */
export const writtenColumns = ({ columns, writeOnly = [] }: TableDescriptor): readonly ColumnDescriptor[] => [
  ...columns,
  ...writeOnly,
];

/** Whether an insert may write the column. */
export const isInsertable = (column: ColumnDescriptor): boolean => column.updateOnly !== true && isWritable(column);

/** Whether an update may write the column. */
export const isUpdatable = (column: ColumnDescriptor): boolean => column.insertOnly !== true && isWritable(column);

/** An input field for a column. Clients may omit it or send null. */
export function columnField(column: ColumnDescriptor): FieldShape {
  const { name, depth } = inputType(column.type);
  return { name: fieldOf(column), type: name, depth, nullable: true, nullableItems: true };
}
