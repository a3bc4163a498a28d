import { ConnectionBudget } from '../../dialect/connection-budget.js';
import type { Identity } from '../../dialect/driver.js';
import { Meanings } from '../../drift/identity/meanings.js';
import { isRestricting } from '../../drift/identity/protection.js';
import { modelOptions } from '../../drift/model-options.js';
import { misconfigured } from '../../errors.js';
import type { Services } from '../../execute/services.js';
import type { CustomServer } from '../../server/custom.js';
import { dialectOfTenant } from '../../server/dialects.js';
import type { Extension, Host } from '../../server/extension.js';
import { knownSchemas } from '../../server/follow.js';
import { servedSchemas, withSearchPath } from '../../server/search-path.js';
import { NamedDriver, namesOf } from './named-driver.js';
import type { FeedOfTenant } from './tenant-hubs.js';
import { TenantDriver } from './tenant-driver.js';
import { Tenants } from './tenants.js';
import type { Settings } from '../../settings/settings.js';
import { seriesOf } from './series.js';

/** Tenants whose connections metrics show: each is a series. */
const MAX_SHOWN = 100;

/** Requests are answered from the database of their tenant: `custom.tenant`. Decision 048. */
export const tenants: Extension = {
  name: 'tenants',
  excludes: {
    replicas: ['A server with tenants reads from no replicas.', 'Unset app.datasource.replicas.'],
    roles: ['Tenants have one API for all roles.', 'Unset app.security.schema-by-role.'],
  },
  settings: (given) => withTenants(given),
  open: (host) => {
    const { dialect } = host;
    const choose = chooserIn(host.custom);
    const { all, budget } = openTenants(host, choose.databases);
    // Statements are made for the grants that the first look at the database finds. A database that
    // cannot be used is the failure of the first statement.
    const lookAt = async (name: string | undefined): Promise<void> => {
      const tenant = await all.find(name);
      if (dialect.unreadColumns !== undefined) await tenant.ready().catch(() => undefined);
    };
    return {
      // The statements of the API are for the databases of all tenants.
      dialect: (next) => ({ ...next, ...next.tenants?.compilers() }),
      database: (next) => new NamedDriver(next, namesOf(dialect)),
      driver: (next) => new TenantDriver(next, all),
      readsOwnDatabase: false,
      authenticate: identifying(choose.tenant, lookAt),
      identifiedBy: (choose.tenant.reads ?? []).map((each) => each.toLowerCase()),
      services: {
        known: async ({ tenant: name }) => {
          if (name !== undefined) await lookAt(name);
        },
      },
      hub: async (services, feedsAt) => {
        const { TenantHubs } = await import('./tenant-hubs.js');
        const feedOf: FeedOfTenant = ({ settings, dialect: own, database }) => feedsAt(settings, own, database);
        const hub = new TenantHubs(services, all, feedOf, budget.size);
        return {
          hub,
          followTables: (hasOthers) => {
            hub.followTables(hasOthers);
          },
        };
      },
      series: seriesOf(() => all.stats(MAX_SHOWN)),
      close: (grace) => all.close(grace),
    };
  },
};

/** @throws ServerError `misconfigured` */
function chooserIn({ tenant, tenants: databases }: CustomServer): Required<Pick<CustomServer, 'tenant'>> & {
  readonly databases: NonNullable<CustomServer['tenants']>;
} {
  if (tenant !== undefined && databases !== undefined) return { tenant, databases };
  throw misconfigured(
    `The custom code has \`${tenant === undefined ? 'tenants' : 'tenant'}\` alone.`,
    'It needs `tenant`, which names the tenant of a request, and `tenants`, which has their databases.',
  );
}

function openTenants(
  { generated, given, settings, dialect, registry, observe, served, lookUp, forget }: Host,
  databases: NonNullable<CustomServer['tenants']>,
): { readonly all: Tenants; readonly budget: ConnectionBudget } {
  const { naming = {}, rules, descriptors } = generated;
  const budget = new ConnectionBudget(settings['app.datasource.tenant-connections']);
  const model = modelOptions(naming, settings, rules);
  const schemas = servedSchemas(settings, descriptors);
  const all = new Tenants(databases, {
    settings: withSearchPath(settings, descriptors),
    dialectFor: (address) => dialectOfTenant(dialect, address, schemas, naming.schemas !== undefined),
    ...{ observe, budget, lookUp, forget, ...served },
    schemas: naming.schemas,
    known: knownSchemas({ registry }, settings),
    meanings: isRestricting(model) ? new Meanings(model) : undefined,
    checkInterval: intervalOf(given),
  });
  return { all, budget };
}

/** Adds the tenant of a request to the identity of its sender. */
function identifying(
  choose: NonNullable<CustomServer['tenant']>,
  lookAt: (name: string | undefined) => Promise<void>,
): (next: Services['authenticate']) => Services['authenticate'] {
  const named = new WeakMap<Identity, Identity>();
  return (authenticate) => async (request) => {
    const identity = await authenticate(request);
    const name = await choose(request, identity);
    await lookAt(name);
    const before = named.get(identity);
    // Caches are by the object of an identity: that of a token is the same for each request.
    if (before !== undefined && before.tenant === name) return before;
    const found: Identity = Object.freeze({ ...identity, ...(name === undefined ? {} : { tenant: name }) });
    named.set(identity, found);
    return found;
  };
}

/** Milliseconds between the checks of a database: as those of the server's own. */
function intervalOf(settings: Settings): number {
  const [minutes, probes] = [settings['app.cache.schema-ttl-minutes'], settings['app.drift.probe-ms']];
  return Math.min(minutes === 0 ? Infinity : minutes * 60_000, probes === 0 ? Infinity : probes);
}

/**
 * The settings of a server with tenants. The code of a tenant's database may mention other
 * variables of requests than that of another one: all of them are set.
 */
const withTenants = (settings: Settings): Settings =>
  settings['app.rest.request-variables'] === 'mentioned'
    ? { ...settings, 'app.rest.request-variables': 'always' }
    : settings;
