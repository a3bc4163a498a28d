import type { Registry } from '../descriptor/registry.js';
import type { ServerError } from '../errors.js';
import { misconfigured } from '../errors.js';
import type { Settings } from '../settings/settings.js';

/** The names of the served tables, by schema. */
export function servedTables({ schemas }: Registry, settings: Settings): ReadonlyMap<string, readonly string[]> {
  const served = settings['app.schemas'];
  const all = [...schemas].map(([schema, tables]) => [schema, [...tables.keys()]] as const);
  return new Map(all.filter(([schema]) => served?.includes(schema) !== false));
}

/** As many of the tables that are not there are named. */
const MAX_NAMED = 3;

/**
 * The database is another one than the code was generated for: every request would fail, or be
 * answered from tables that have the right names by chance.
 */
export function wrongDatabase(where: string, tables: readonly string[], hint: string): ServerError {
  const named = tables.slice(0, MAX_NAMED).join(', ');
  const rest = tables.length > MAX_NAMED ? `, … (${String(tables.length)} tables)` : '';
  return misconfigured(
    `${where} is not the database that this server was generated for: it has none of ${named}${rest}.`,
    hint,
  );
}
