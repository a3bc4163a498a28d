import type { Descriptors } from '../descriptor/registry.js';
import type { Settings } from '../settings/settings.js';

/**
 * The settings with a search path. By default it has the schemas that are served now, then
 * `public`.
 */
export function withSearchPath(settings: Settings, descriptors: Descriptors): Settings {
  if (settings['app.datasource.search-path'] !== undefined) return settings;
  const served = servedSchemas(settings, descriptors).filter((name) => name !== 'public');
  return { ...settings, 'app.datasource.search-path': [...served, 'public'] };
}

/** The schemas that a server of this code serves. */
export function servedSchemas(
  settings: Settings,
  { tables, procedures = [], functions = [] }: Descriptors,
): readonly string[] {
  const found = [...tables, ...procedures, ...functions].map(({ schema }) => schema);
  return settings['app.schemas'] ?? [...new Set(found)];
}
