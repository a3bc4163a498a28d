import type { RunOptions } from '../dialect/driver.js';
import { codes, ServerError } from '../errors.js';
import type { Services } from './services.js';

/**
 * What a role may do in the database: `RoleRights` as text. Undefined: the database knows no roles
 * of requests. Rejects with ServerError `misconfigured` for a role that is not there.
 * @param role undefined: that of the connection
 */
export async function rightsOfRole(
  { dialect, driver }: Pick<Services, 'dialect' | 'driver'>,
  role: string | undefined,
  options?: RunOptions,
): Promise<string | undefined> {
  if (dialect.rightsOf === undefined) return undefined;
  const [[text] = []] = await driver.run([dialect.rightsOf(role)], options);
  if (typeof text === 'string') return text;
  throw new ServerError(500, codes.misconfigured, `The database has no role ${role ?? ''}.`);
}
