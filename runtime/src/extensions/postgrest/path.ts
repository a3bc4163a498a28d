import { misconfigured } from '../../errors.js';
import type { Settings } from '../../settings/settings.js';

/** The server's own paths. */
const taken = ['/graphql', '/api/v1', '/health', '/console', '/schema.graphql'];

/**
 * The path of PostgREST's form of REST; undefined if it is off. Throws ServerError `misconfigured`
 * for a text that is not a path, and for a path that is already used.
 */
export function postgrestPath(settings: Pick<Settings, 'app.rest.postgrest'>): string | undefined {
  const path = settings['app.rest.postgrest'];
  if (path === undefined || path === '') return undefined;
  if (!/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw misconfigured(
      `\`${path}\` in app.rest.postgrest is not a path.`,
      'A path begins with `/` and does not end with it, as in /rest/v1.',
    );
  }
  const other = taken.find((each) => isUnder(path, each) || isUnder(each, path));
  if (other === undefined) return path;
  throw misconfigured(`\`${path}\` in app.rest.postgrest is the place of ${other}.`, 'Choose another, as /rest/v1.');
}

const isUnder = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);
