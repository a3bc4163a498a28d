import type { ChangeFeed, FeedState } from '../../dialect/change-feed.js';
import type { Dialect } from '../../dialect/dialect.js';
import type { Identity } from '../../dialect/driver.js';
import type { ServerError } from '../../errors.js';
import type { Receiver } from '../../events/group.js';
import { ChangeHub, rememberedKeys, type Changes, type HubServices, type Reopen } from '../../events/hub.js';
import type { ChangeSource } from '../../events/source.js';
import type { KeyMemory } from '../../events/sent-keys.js';
import type { FeedHealth } from '../../events/unreported.js';
import { toServerError } from '../../response/server-error.js';
import { tooManyWatched } from './failures.js';
import { driverOfTenant } from './tenant-driver.js';
import type { Tenant } from './tenant.js';
import type { Tenants } from './tenants.js';

/** Milliseconds that a feed runs on without a subscriber: a client may only reconnect. */
const LINGER_MS = 2_000;

/** Makes what makes the feed of the served tables, at the database of a tenant. */
export type FeedOfTenant = (tenant: Tenant) => Promise<() => ChangeFeed | undefined>;

interface Watched {
  readonly tenant: Tenant;
  readonly hub: ChangeHub;
  readonly makeFeed: () => ChangeFeed | undefined;
  readonly receivers: Set<Receiver>;
  ending?: NodeJS.Timeout;
}

/**
 * A hub for each tenant that has subscribers: from the first one until after the last.
 */
export class TenantHubs implements Changes {
  readonly #watched = new Map<string, Watched>();
  readonly #memory: KeyMemory;

  /** @param most hubs: each has connections of its own */
  constructor(
    private readonly services: HubServices & { readonly dialect: Pick<Dialect, 'failure'> },
    private readonly tenants: Tenants,
    private readonly feedOf: FeedOfTenant,
    private readonly most: number,
  ) {
    this.#memory = rememberedKeys(services.settings);
    tenants.onLeft = (name, reason) => {
      this.#fail(name, reason);
    };
  }

  start(): void {
    // Hubs start with their first subscribers.
  }

  subscribe(source: ChangeSource, identity: Identity, receiver: Receiver, reopen: Reopen): () => void {
    let end: (() => void) | undefined;
    let isEnded = false;
    const begin = async (): Promise<void> => {
      const tenant = await this.tenants.find(identity.tenant);
      await tenant.ready();
      const makeFeed = this.#watched.get(tenant.name)?.makeFeed ?? (await this.feedOf(tenant));
      if (isEnded) return;
      const watched = this.#watched.get(tenant.name) ?? this.#watch(tenant, makeFeed);
      end = this.#join(watched, source, identity, receiver, reopen);
    };
    begin().catch((error: unknown) => {
      if (!isEnded) receiver.fail(toServerError(error, this.services.dialect));
    });
    return () => {
      isEnded = true;
      end?.();
    };
  }

  #join(watched: Watched, source: ChangeSource, identity: Identity, receiver: Receiver, reopen: Reopen): () => void {
    const { hub, receivers } = watched;
    clearTimeout(watched.ending);
    const leave = (): void => {
      if (receivers.delete(member) && receivers.size === 0) this.#endSoon(watched);
    };
    const member: Receiver = {
      next: receiver.next,
      fail: (error) => {
        leave();
        receiver.fail(error);
      },
    };
    receivers.add(member);
    const end = hub.subscribe(source, identity, member, reopen);
    return () => {
      end();
      leave();
    };
  }

  /** Throws ServerError 503. */
  #watch(tenant: Tenant, makeFeed: Watched['makeFeed']): Watched {
    const feed = this.#watched.size < this.most ? makeFeed() : undefined;
    if (feed === undefined) throw tooManyWatched();
    const { services } = this;
    const { name, dialect } = tenant;
    const driver = driverOfTenant(services.driver, name);
    const named = { tenant: name };
    const own: HubServices = {
      get registry() {
        return services.registry;
      },
      ...{ settings: services.settings, dialect, driver, memory: this.#memory },
      observe: (observation) => {
        services.observe({ ...observation, ...named });
      },
    };
    const watched: Watched = { tenant, makeFeed, hub: new ChangeHub(own, feed), receivers: new Set() };
    this.#watched.set(name, watched);
    tenant.isWatched = true;
    watched.hub.start();
    return watched;
  }

  #endSoon(watched: Watched): void {
    clearTimeout(watched.ending);
    watched.ending = setTimeout(() => void this.#end(watched), LINGER_MS).unref();
  }

  async #end(watched: Watched): Promise<void> {
    const { tenant, hub, ending } = watched;
    clearTimeout(ending);
    tenant.isWatched = false;
    if (this.#watched.get(tenant.name) === watched) this.#watched.delete(tenant.name);
    await hub.close().catch((error: unknown) => {
      this.services.observe({ kind: 'failure', error });
    });
  }

  #fail(name: string, reason: ServerError): void {
    const watched = this.#watched.get(name);
    if (watched === undefined) return;
    void this.#end(watched);
    for (const receiver of [...watched.receivers]) receiver.fail(reason);
    clearTimeout(watched.ending);
  }

  /** @param hasOtherTables whether the API watches other tables than before */
  followTables(hasOtherTables: boolean): void {
    for (const { hub, makeFeed } of this.#watched.values()) void hub.follow(hasOtherTables ? makeFeed() : undefined);
  }

  async follow(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ hub }) => hub.follow(undefined)));
  }

  get size(): { readonly subscribers: number; readonly groups: number } {
    const sizes = [...this.#watched.values()].map(({ hub }) => hub.size);
    return {
      subscribers: sizes.reduce((sum, { subscribers }) => sum + subscribers, 0),
      groups: sizes.reduce((sum, { groups }) => sum + groups, 0),
    };
  }

  /** `interrupted` while the feed of any tenant is. */
  get health(): FeedHealth {
    const states = [...this.#watched.values()].map(({ hub }): FeedState['state'] => hub.state.state);
    return { state: states.includes('interrupted') ? 'interrupted' : 'live' };
  }

  async check(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ hub }) => hub.check()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watched.values()].map((watched) => this.#end(watched)));
  }
}
