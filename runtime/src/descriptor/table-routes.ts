import type { TableDescriptor } from './descriptor.js';
import type { TableRoutes } from './generated.js';
import { rowKeyOf } from './unique-keys.js';

/**
 * The routes of a table that was generated otherwise. A route that the user has replaced or removed
 * stays so: it finds the table by its key.
 */
export function routesAfter(table: TableDescriptor, generated: TableRoutes | undefined): TableRoutes {
  const now = routesOfTable(table);
  if (generated === undefined) return now;
  const before = routesOfTable(generated.table);
  const kept = methods.flatMap((method) => {
    const handler = generated[method] ?? (before[method] === undefined ? now[method] : undefined);
    return now[method] === undefined || handler === undefined ? [] : [[method, handler] as const];
  });
  return { table, list: generated.list, ...Object.fromEntries(kept) };
}

const methods = ['row', 'insert', 'update', 'replace', 'remove'] as const;

/** The routes of a table, as its generated file would state them. */
export function routesOfTable(table: TableDescriptor): TableRoutes {
  const { primaryKey, insertable, updatable, deletable } = table;
  return {
    table,
    list: (exchange) => exchange.list(table),
    ...(rowKeyOf(table)?.length === 1 ? { row: (exchange) => exchange.row(table) } : {}),
    ...(insertable === true ? { insert: (exchange) => exchange.insert(table) } : {}),
    ...(updatable === true ? { update: (exchange) => exchange.update(table) } : {}),
    ...(updatable === true && primaryKey !== undefined ? { replace: (exchange) => exchange.replace(table) } : {}),
    ...(deletable === true ? { remove: (exchange) => exchange.remove(table) } : {}),
  };
}
