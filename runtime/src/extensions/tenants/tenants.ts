import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { codes, ServerError } from '../../errors.js';
import type { FindTenant, TenantAddress, TenantDatabase, TenantDatabases } from '../../execute/custom/tenants.js';
import { inTime } from '../../in-time.js';
import type { PoolStats } from '../../observe/pool-stats.js';
import { movedTenant, unknownTenant } from './failures.js';
import { settingsOf } from './settings-of.js';
import { Tenant, type TenantServices } from './tenant.js';

/** Tenants whose state is kept, beside those with a connection. */
const MAX_KEPT = 1_000;

/** Addresses that a function has found, at most, and milliseconds until it is asked again. */
const MAX_FOUND = 10_000;
const FOUND_MS = 60_000;

/** Characters: longer names are unknown. */
const MAX_NAME_LENGTH = 200;

/**
 * The tenants that requests have asked for. A tenant is opened when it is asked for; those that
 * were used least recently are forgotten when they have no connection.
 */
export class Tenants {
  /** The tenant that was used least recently is the first. */
  readonly #open = new Map<string, Tenant>();
  readonly #find: FindTenant;
  /** Called for a tenant with subscribers whose address is another one, or is gone. */
  onLeft: (name: string, reason: ServerError) => void = () => undefined;

  constructor(
    databases: TenantDatabases,
    private readonly services: TenantServices,
  ) {
    this.#find =
      typeof databases === 'function'
        ? remembering(databases, services.settings['app.datasource.acquire-timeout-ms'])
        : (name) => (Object.hasOwn(databases, name) ? databases[name] : undefined);
  }

  /**
   * The tenant of this name. Rejects with ServerError: 404 for an unknown name, 503 where the
   * user's function fails.
   */
  async find(name: string | undefined): Promise<Tenant> {
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) throw unknownTenant();
    const known = this.#open.get(name);
    const found = await this.#addressOf(name, known);
    if (found === undefined) {
      this.#leave(name, unknownTenant());
      throw unknownTenant();
    }
    const address = typeof found === 'string' ? { url: found } : found;
    const before = this.#open.get(name);
    if (before !== undefined && isDeepStrictEqual(before.address, address)) {
      this.#open.delete(name);
      this.#open.set(name, before);
      return before;
    }
    this.#leave(name, movedTenant());
    // The user's code may change its own object.
    const own = structuredClone(address);
    const tenant = new Tenant(name, own, settingsOf(this.services.settings, name, own), this.services);
    this.#open.set(name, tenant);
    this.#forgetUnused();
    return tenant;
  }

  /** The connections of the tenants that were used last, for metrics. */
  *stats(most: number): Generator<readonly [name: string, stats: PoolStats]> {
    for (const tenant of [...this.#open.values()].slice(-most)) {
      const stats = tenant.driver.stats?.();
      if (stats !== undefined) yield [tenant.name, stats];
    }
  }

  async close(grace: number): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(all.map(({ driver }) => driver.close(grace)));
  }

  /** A tenant that is open stays where it is while the user's function fails. */
  async #addressOf(name: string, known: Tenant | undefined): Promise<TenantDatabase | undefined> {
    try {
      return await this.#find(name);
    } catch (error) {
      if (error instanceof ServerError) throw error;
      this.services.observe({ kind: 'failure', error });
      if (known !== undefined) return known.address;
      throw new ServerError(503, codes.unavailable, 'The database of this tenant was not found.', {
        hint: 'Try again in a moment.',
        cause: error,
      });
    }
  }

  #forgetUnused(): void {
    for (const [name, tenant] of this.#open) {
      if (this.#open.size <= MAX_KEPT) return;
      if (tenant.isIdle) this.#close(name, tenant);
    }
  }

  #leave(name: string, reason: ServerError): void {
    const tenant = this.#open.get(name);
    if (tenant === undefined) return;
    this.#close(name, tenant);
    this.onLeft(name, reason);
  }

  /** Running statements end first. */
  #close(name: string, tenant: Tenant): void {
    this.#open.delete(name);
    this.services.forget(name);
    void tenant.driver.close(this.services.settings['app.server.shutdown-grace-ms']);
  }
}

/**
 * Remembers what a function of the user has found for a minute. Questions for one name at the same
 * time are one, and each has a deadline.
 */
function remembering(find: FindTenant, milliseconds: number): FindTenant {
  const found = new LRUCache<string, TenantAddress>({ max: MAX_FOUND, ttl: FOUND_MS });
  const pending = new Map<string, Promise<TenantDatabase | undefined>>();
  const ask = async (name: string): Promise<TenantDatabase | undefined> => {
    const answer = await inTime(
      Promise.resolve().then(() => find(name)),
      milliseconds,
      () => new Error('custom.tenants did not find a tenant in time.'),
    );
    if (answer !== undefined) found.set(name, typeof answer === 'string' ? { url: answer } : answer);
    return answer;
  };
  return (name) => {
    const known = found.get(name) ?? pending.get(name);
    if (known !== undefined) return known;
    const asked = ask(name).finally(() => pending.delete(name));
    pending.set(name, asked);
    return asked;
  };
}
