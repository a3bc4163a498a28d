import { checkOwnPath } from '../../server/own-path.js';
import type { Settings } from '../../settings/settings.js';

/**
 * The path of PostgREST's form of REST; undefined if it is off. Throws ServerError `misconfigured`
 * for a text that is not a path, and for a path that is already used.
 */
export function postgrestPath(settings: Pick<Settings, 'app.rest.postgrest'>): string | undefined {
  const path = settings['app.rest.postgrest'];
  if (path === undefined || path === '') return undefined;
  checkOwnPath(path, 'app.rest.postgrest', '/rest/v1');
  return path;
}
