import type { ColumnDescriptor } from './descriptor.js';

/** Whether a new row may leave the column out. */
export const mayLack = ({ nullable, hasDefault, filled }: ColumnDescriptor): boolean =>
  nullable === true || hasDefault === true || filled === true;
