import type { Observation } from '../../../observe/observation.js';
import type { Registry } from '../../../descriptor/registry.js';
import type { Driver } from '../../driver.js';
import type { Settings } from '../../../settings/settings.js';
import { misconfigured } from '../../../errors.js';
import { zoneOf, type DatabaseZone } from './zone.js';
import { isTooOld, parseVersion, supported, type ServerVersion } from '../catalog/version.js';

/** Facts about the database server, read at the start. */
export interface Checked {
  readonly version: ServerVersion;
  readonly observations: readonly Observation[];
  /** Of sessions. Undefined: UTC. */
  readonly zone: DatabaseZone | undefined;
}

/**
 * The checks before the first request: the server has the features that statements use, and no
 * setting asks to switch roles, which this dialect does not do: roles are those of rules alone.
 * @throws ServerError `misconfigured`
 */
export async function checkServer(
  driver: Driver,
  { rules = {} }: Pick<Registry, 'rules'>,
  settings: Settings,
): Promise<Checked> {
  const [row] = await driver.run([{ text: 'select version(), @@global.time_zone, @@system_time_zone', values: [] }]);
  const [text, zone, system] = [row?.[0] ?? '', row?.[1] ?? null, row?.[2] ?? null];
  const version = parseVersion(text);
  if (isTooOld(version))
    throw misconfigured(
      `The database server is ${text}, but this server was generated for ${supported}.`,
      'Point app.datasource.url at such a server.',
    );
  const roles = (['role-claim', 'default-role', 'anonymous-role'] as const).filter(
    (name) => settings[`app.security.${name}`] !== undefined,
  );
  const areUsed = Object.values(rules).some(
    (rule) => rule.roles !== undefined || JSON.stringify(rule).includes('"role":true'),
  );
  if (roles.length > 0 && !areUsed)
    throw misconfigured(
      `The server switches to no roles on this database, and app.security.${roles[0] ?? ''} names some.`,
      'Leave the setting out, or give roles a meaning with `rules`: docs/row-rules.md.',
    );
  if (version.flavour === 'mysql') return { version, zone: undefined, observations: [untested(text)] };
  return { version, zone: await zoneOf(driver, zone, system), observations: [] };
}

const untested = (version: string): Observation => ({
  kind: 'warning',
  message: `The database server is MySQL ${version}. Statements for MySQL are written by its manual, and were not run on one before this release.`,
  hint: 'docs/mysql.md lists the differences from MariaDB. Test the features that you use.',
});
