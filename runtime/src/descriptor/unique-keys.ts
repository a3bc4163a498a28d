import type { TableDescriptor, UniqueDescriptor } from './descriptor.js';

/** The keys that tell a table's rows apart: its primary key, and then its other unique constraints. */
export const uniqueKeys = ({
  primaryKey,
  uniques = [],
}: Pick<TableDescriptor, 'primaryKey' | 'uniques'>): readonly UniqueDescriptor[] =>
  primaryKey === undefined ? uniques : [primaryKey, ...uniques];
