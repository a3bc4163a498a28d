import type { Descriptors } from '../descriptor/registry.js';
import type { Settings } from '../settings/settings.js';

/**
 * The settings with a search path. By default it has the schemas that are served now, then
 * `public`.
 */
export function withSearchPath(settings: Settings, { tables, procedures = [], functions = [] }: Descriptors): Settings {
  if (settings['app.datasource.search-path'] !== undefined) return settings;
  const found = [...tables, ...procedures, ...functions].map(({ schema }) => schema);
  const served = settings['app.schemas'] ?? [...new Set(found)];
  return { ...settings, 'app.datasource.search-path': [...served.filter((name) => name !== 'public'), 'public'] };
}
