import { createHash } from 'node:crypto';
import type { TenantAddress } from '../../execute/custom/tenants.js';
import type { Settings } from '../../settings/settings.js';

/**
 * The settings of a tenant. Servers that share changes over a broker have a subject, and a lock,
 * for each tenant.
 */
export function settingsOf(
  settings: Settings,
  name: string,
  { url, changesUrl, schemas = {} }: TenantAddress,
): Settings {
  const path = settings['app.datasource.search-path'] ?? [];
  const subject = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const own = {
    ...settings,
    'app.datasource.url': url,
    'app.changes.url': changesUrl ?? url,
    'app.datasource.search-path': path.map((each) => (Object.hasOwn(schemas, each) ? (schemas[each] ?? each) : each)),
    'app.changes.hub-subject': `${settings['app.changes.hub-subject']}.${subject}`,
  };
  // Where changes are read from the address of requests, its user is found as for requests.
  if (changesUrl === undefined) Reflect.deleteProperty(own, 'app.changes.url');
  return own;
}
