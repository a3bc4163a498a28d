import type { ModelOptions } from '../../descriptor/options.js';
import { ConnectionBudget } from '../../dialect/connection-budget.js';
import type { Dialect } from '../../dialect/dialect.js';
import type { Driver, Identity } from '../../dialect/driver.js';
import { Meanings } from '../../drift/identity/meanings.js';
import { isRestricting } from '../../drift/identity/protection.js';
import { misconfigured } from '../../errors.js';
import type { Services } from '../../execute/services.js';
import type { PoolStats } from '../../observe/pool-stats.js';
import type { Settings } from '../../settings/settings.js';
import type { CustomServer } from '../custom.js';
import { NamedDriver, namesOf } from './named-driver.js';
import { TenantDriver } from './tenant-driver.js';
import type { TenantServices } from './tenant.js';
import { Tenants } from './tenants.js';

/** A server whose requests are answered from the databases of tenants. */
export interface Tenancy {
  /** The dialect of the API: its statements are for the databases of all tenants. */
  readonly dialect: (server: Dialect) => Dialect;
  /** The server's own database, for statements of that dialect. */
  readonly database: (server: Driver) => Driver;
  readonly tenants: Tenants;
  /** Runs everything at the tenant of its identity. */
  readonly driver: (server: Driver) => Driver;
  readonly authenticate: (authenticate: Services['authenticate']) => Services['authenticate'];
  /** Looks at the database of the identity's tenant, if nothing has used it yet. */
  readonly known: NonNullable<Services['known']>;
  /** The names of the headers that tenants are chosen by. */
  readonly chosenBy: readonly string[];
  readonly budget: ConnectionBudget;
  /** The connections of the tenants that were used last. */
  readonly stats: () => Iterable<readonly [name: string, stats: PoolStats]>;
  readonly close: (grace: number) => Promise<void>;
}

/** Tenants whose connections metrics show: each is a series. */
const MOST_SHOWN = 100;

/**
 * @param given settings of the server: a worker has others, because its parent checks the schema
 * @throws ServerError `misconfigured`
 */
export function openTenancy(
  { tenant, tenants: databases }: CustomServer,
  given: Settings,
  {
    model,
    ...services
  }: Omit<TenantServices, 'budget' | 'checkInterval' | 'meanings'> & {
    readonly dialect: Dialect;
    readonly model: ModelOptions;
  },
): Tenancy {
  if (tenant === undefined || databases === undefined)
    throw misconfigured(
      `The custom code has \`${tenant === undefined ? 'tenants' : 'tenant'}\` alone.`,
      'It needs `tenant`, which names the tenant of a request, and `tenants`, which has their databases.',
    );
  if ((services.settings['app.datasource.replicas'] ?? []).length > 0)
    throw misconfigured('A server with tenants reads from no replicas.', 'Unset app.datasource.replicas.');
  if (services.settings['app.security.schema-by-role'])
    throw misconfigured('Tenants have one API for all roles.', 'Unset app.security.schema-by-role.');
  const budget = new ConnectionBudget(services.settings['app.datasource.tenant-connections']);
  const meanings = isRestricting(model) ? new Meanings(model) : undefined;
  const tenants = new Tenants(databases, { ...services, budget, meanings, checkInterval: intervalOf(given) });
  const named = new WeakMap<Identity, Identity>();
  // Statements are made for the grants that the first look at the database finds. A database that
  // cannot be used is the failure of the first statement.
  const lookAt = async (name: string | undefined): Promise<void> => {
    const tenant = await tenants.find(name);
    if (services.dialect.unreadColumns !== undefined) await tenant.ready().catch(() => undefined);
  };
  return {
    tenants,
    budget,
    dialect: (server) => ({ ...server, ...server.tenants?.compilers() }),
    database: (driver) => new NamedDriver(driver, namesOf(services.dialect)),
    driver: (server) => new TenantDriver(server, tenants),
    authenticate: (authenticate) => async (request) => {
      const identity = await authenticate(request);
      const name = await tenant(request, identity);
      await lookAt(name);
      const before = named.get(identity);
      // Caches are by the object of an identity: that of a token is the same for each request.
      if (before !== undefined && before.tenant === name) return before;
      const found: Identity = Object.freeze({ ...identity, ...(name === undefined ? {} : { tenant: name }) });
      named.set(identity, found);
      return found;
    },
    known: async ({ tenant: name }) => {
      if (name !== undefined) await lookAt(name);
    },
    chosenBy: (tenant.reads ?? []).map((each) => each.toLowerCase()),
    stats: () => tenants.stats(MOST_SHOWN),
    close: (grace) => tenants.close(grace),
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
export const withTenants = (settings: Settings): Settings =>
  settings['app.rest.request-variables'] === 'mentioned'
    ? { ...settings, 'app.rest.request-variables': 'always' }
    : settings;
