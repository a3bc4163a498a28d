import type { Catalog } from '../catalog/catalog.js';
import type { Patterns } from './patterns.js';

/**
 * The objects that `exclude` names in this catalogue: `schema.table`, `schema.table.column` and
 * `schema.routine`, sorted. If one is gone later, it may be there under a name that nothing
 * excludes.
 */
export function excludedNames({ tables, routines }: Catalog, exclude: Patterns): readonly string[] {
  const ofTables = tables.flatMap(({ schema, name, columns }) =>
    exclude.matches(schema, name)
      ? [`${schema}.${name}`]
      : columns
          .filter((column) => exclude.matches(schema, name, column.name))
          .map((column) => `${schema}.${name}.${column.name}`),
  );
  const ofRoutines = routines
    .filter(({ schema, name }) => exclude.matches(schema, name))
    .map(({ schema, name }) => `${schema}.${name}`);
  return [...new Set([...ofTables, ...ofRoutines])].sort();
}
