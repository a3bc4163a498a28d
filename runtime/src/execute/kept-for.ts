import type { RowFilter, ShapeCache } from '../plan/context.js';

/**
 * The cached value of a request's shape; if there is none, `make` makes it. Identities whose hooks
 * give conditions of different form have different entries; conditions that differ only in values
 * share an entry.
 */
export function keptFor<T extends object>(
  cache: ShapeCache<T>,
  shape: string,
  rowFilter: RowFilter | undefined,
  make: () => T,
): T {
  if (rowFilter !== undefined) return rowFilter.kept(cache, shape, make);
  const known = cache.get(shape);
  if (known !== undefined) return known;
  const made = make();
  cache.set(shape, made);
  return made;
}
