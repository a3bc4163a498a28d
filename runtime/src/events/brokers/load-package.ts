import { misconfigured } from '../../errors.js';
import { optionalPackage } from '../../optional-package.js';

/**
 * A package that only servers with a hub need. Throws ServerError `misconfigured` where it is not
 * installed.
 */
export async function loadPackage(name: string): Promise<unknown> {
  const found = await optionalPackage(name);
  if (found !== undefined) return found;
  throw misconfigured(`app.changes.hub needs the package ${name}, which is not installed.`, `npm install ${name}`);
}
