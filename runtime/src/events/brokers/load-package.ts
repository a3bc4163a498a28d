import { misconfigured } from '../../errors.js';

/**
 * A package that only servers with a hub need. Throws ServerError `misconfigured` where it is not
 * installed.
 */
export async function loadPackage(name: string): Promise<unknown> {
  try {
    return await import(name);
  } catch (cause) {
    throw misconfigured(
      `app.changes.hub needs the package ${name}, which is not installed.`,
      `npm install ${name}`,
      cause,
    );
  }
}
