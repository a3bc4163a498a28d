import type { Catalog, Table } from './catalog.js';

/**
 * The catalogue without the facts that differ between machines or roles with the same schema: what
 * the connecting role may do (taken as everything), whether definitions of views are hidden from
 * it, and the versions of extensions (left empty). It is what `catalog.json` holds, so that two
 * developers who generate from the same schema commit the same file. Nothing generated may depend
 * on the facts left out.
 */
export function portable(catalog: Catalog): Catalog {
  return {
    ...catalog,
    tables: catalog.tables.map((table) => {
      const shared: Table = { ...table, privileges: everyPrivilege };
      Reflect.deleteProperty(shared, 'unread');
      return shared;
    }),
    routines: catalog.routines.map((routine) => ({ ...routine, executable: true })),
    extensions: catalog.extensions.map((extension) => ({ ...extension, version: '' })),
  };
}

export const everyPrivilege = { select: true, insert: true, update: true, delete: true } as const;
