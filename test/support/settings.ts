import { settingDefinitions, type Settings } from '../../runtime/src/settings/settings.js';
import { patience } from './patience.js';
import { reach } from './pooler.js';

/**
 * Default settings, with the given ones and the settings of a pooler between the tests and their
 * database.
 */
export function settingsWith(given: Partial<Settings> = {}): Settings {
  const defaults = Object.entries(settingDefinitions).flatMap(([key, definition]) =>
    'default' in definition ? [[key, definition.default] as const] : [],
  );
  const { 'app.datasource.url': url } = given;
  const { url: reached, pooler } = reach(url ?? '');
  const reaching = pooler === 'none' ? {} : { 'app.datasource.url': reached, 'app.datasource.pooler': pooler };
  const patient = { 'app.datasource.acquire-timeout-ms': patience };
  return { ...(Object.fromEntries(defaults) as unknown as Settings), ...patient, ...given, ...reaching };
}
