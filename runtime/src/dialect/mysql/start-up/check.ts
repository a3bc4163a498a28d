import type { Observation } from '../../../observe/observation.js';
import type { Registry } from '../../../descriptor/registry.js';
import type { Driver } from '../../driver.js';
import type { Settings } from '../../../settings/settings.js';
import { misconfigured } from '../../../errors.js';

/** MariaDB 10.11, as `select version()` begins. */
const oldest = [10, 11] as const;

/**
 * What has to hold before a request may pass: the server is a MariaDB that has what statements are made of, and no setting
 * asks for roles, which nothing here switches to.
 * @throws ServerError `misconfigured`
 */
export async function checkAtStart(
  driver: Driver,
  _registry: Registry,
  settings: Settings,
): Promise<readonly Observation[]> {
  const [row] = await driver.run([{ text: 'select version()', values: [] }]);
  const version = row?.[0] ?? '';
  const [, major = '0', minor = '0'] = /^(?:5\.5\.5-)?(\d+)\.(\d+)/.exec(version) ?? [];
  const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
  if (!/mariadb/i.test(version) || isOld)
    throw misconfigured(
      `The database server is ${version}: the generated server speaks with MariaDB 10.11 or later.`,
      'Point app.datasource.url at a MariaDB server. MySQL 8 is not served yet.',
    );
  const roles = (['role-claim', 'default-role', 'anonymous-role'] as const).filter(
    (name) => settings[`app.security.${name}`] !== undefined,
  );
  if (roles.length > 0)
    throw misconfigured(
      `The server switches to no roles on this database, and app.security.${roles[0] ?? ''} names some.`,
      'Leave the setting out, and filter rows by views: docs/mysql.md.',
    );
  return [];
}
