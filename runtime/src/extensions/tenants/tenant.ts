import type { Registry } from '../../descriptor/registry.js';
import type { ConnectionBudget } from '../../dialect/connection-budget.js';
import type { Dialect, LiveCatalog } from '../../dialect/dialect.js';
import type { Driver } from '../../dialect/driver.js';
import { fingerprintOf } from '../../drift/derive.js';
import type { Meaning, Meanings } from '../../drift/identity/meanings.js';
import { readBetweenChanges } from '../../drift/read-between-changes.js';
import type { ServerError } from '../../errors.js';
import type { TenantAddress } from '../../execute/custom/tenants.js';
import type { Observation, Observer } from '../../observe/observation.js';
import type { Settings } from '../../settings/settings.js';
import type { LookedAt } from '../../rules/unread.js';
import { differentTenant, exchangedTenant, unusableTenant } from './failures.js';
import { NamedDriver, namesOf } from './named-driver.js';

/** What the tenants of a server have in common. */
export interface TenantServices {
  /** Of the server: a tenant has these with its own address. */
  readonly settings: Settings;
  /** The dialect for the database of a tenant. */
  readonly dialectFor: (address: TenantAddress) => Dialect;
  readonly observe: Observer;
  readonly budget: ConnectionBudget;
  /** The schemas that the catalogue is read of, and those that may have tables. */
  readonly schemas: readonly string[] | undefined;
  readonly known: readonly string[] | undefined;
  /** Of the served API. The fingerprint is undefined if the server does not know it. */
  readonly registry: () => Registry;
  readonly fingerprint: () => Promise<string | undefined>;
  /** Of protected names; undefined where the configuration protects nothing. */
  readonly meanings: Meanings | undefined;
  /** Looks up what else of the database the server depends on. */
  readonly lookUp: (driver: Driver, tenant: LookedAt) => Promise<void>;
  /** Forgets what was looked up of a tenant. */
  readonly forget: (tenant: string) => void;
  /** Milliseconds between two checks of a database that is in use. */
  readonly checkInterval: number;
}

/** A catalogue. The probe is undefined if it changed meanwhile: the next check reads it again. */
interface ReadCatalog {
  readonly probe: string | undefined;
  readonly fingerprint: string;
  /** Until it is accepted. */
  readonly meaning: Meaning | undefined;
}

/** Milliseconds for which a tenant is refused without another check. */
const REFUSED_MS = 2_000;

/** Milliseconds between two checks that failed statements cause. */
const DOUBT_MS = 10_000;

/**
 * The database of one tenant. Before its first request, and when the API or the database may have
 * changed, the server checks that its catalogue is the one that the API follows from. Until it is,
 * and while the database does not answer, requests of this tenant are 503.
 */
export class Tenant {
  readonly dialect: Dialect;
  readonly database: Driver;
  /** Only for a database that has been checked: `ready` returns it. */
  readonly driver: Driver;
  /** Whether subscribers need it. */
  isWatched = false;
  /** The catalogue as it was read last. */
  #read: ReadCatalog | undefined;
  /** The tables that the database was last found to have, and when. */
  #fits: { readonly registry: Registry; at: number } | undefined;
  #checking: Promise<void> | undefined;
  #refusal: { readonly error: ServerError; readonly until: number } | undefined;
  #doubtedAt = -Infinity;
  #reported = '';

  constructor(
    readonly name: string,
    readonly address: TenantAddress,
    readonly settings: Settings,
    private readonly services: TenantServices,
  ) {
    const { dialectFor, registry, observe, budget } = services;
    this.dialect = dialectFor(address);
    this.database = this.dialect.createDriver(address.url, settings, registry().tables.length, observe, budget);
    this.driver = new NamedDriver(this.database, namesOf(this.dialect));
  }

  /** Whether closing it costs nothing. */
  get isIdle(): boolean {
    const { open = 0, waiting = 0 } = this.driver.stats?.() ?? {};
    return open + waiting === 0 && this.#checking === undefined && !this.isWatched;
  }

  /** The driver of a database that fits the API. Rejects with ServerError 503. */
  async ready(): Promise<Driver> {
    const now = performance.now();
    const fits = this.#fits;
    if (fits?.registry === this.services.registry()) {
      if (now - fits.at > this.services.checkInterval) {
        fits.at = now;
        void this.#check().catch(() => undefined);
      }
      return this.driver;
    }
    if (this.#refusal !== undefined && now < this.#refusal.until) throw this.#refusal.error;
    await this.#check();
    return this.driver;
  }

  /** A statement has failed: perhaps the database has changed. */
  failed(error: unknown): void {
    const now = performance.now();
    if (this.#fits === undefined || this.dialect.failure(error)?.kind !== 'outdated') return;
    if (now - this.#doubtedAt < DOUBT_MS) return;
    this.#doubtedAt = now;
    this.#fits = undefined;
  }

  #check(): Promise<void> {
    this.#checking ??= this.#look().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #look(): Promise<void> {
    const registry = this.services.registry();
    let refusal: ServerError;
    try {
      if (await this.#isEqual(registry)) {
        this.#accept(registry);
        return;
      }
      refusal = differentTenant();
    } catch (error) {
      // A database that was in use may be busy: statements say whether it answers.
      if (this.#fits !== undefined && this.dialect.outage(error) !== undefined) return;
      refusal = unusableTenant(error);
    }
    this.#refuse(refusal);
    throw refusal;
  }

  /** Whether the API follows from its catalogue. Rejects with errors of the driver. */
  async #isEqual(registry: Registry): Promise<boolean> {
    const { driver, dialect, settings, services } = this;
    const { live } = dialect;
    await driver.ping();
    // Roles get rights without a change of the catalogue.
    await services.lookUp(driver, { name: this.name, ...this.address });
    const probe = await live?.probe(driver, services.schemas);
    if (probe === undefined || probe !== this.#read?.probe) {
      for (const finding of await dialect.checkAtStart(driver, registry, settings)) this.#report(finding);
      if (live === undefined || probe === undefined) return true;
      this.#read = await this.#readCatalog(live, probe);
    }
    const wanted = await services.fingerprint();
    if (wanted !== undefined && wanted !== this.#read.fingerprint) return false;
    this.#checkMeaning(this.#read);
    this.#read = { ...this.#read, meaning: undefined };
    return true;
  }

  async #readCatalog(live: LiveCatalog, before: string): Promise<ReadCatalog> {
    const { schemas, known, meanings } = this.services;
    const wanted = { schemas, isProtecting: meanings !== undefined };
    const { text, still, identities } = await readBetweenChanges(live, this.driver, wanted, before);
    const catalog = live.parse(text);
    return {
      probe: still,
      fingerprint: fingerprintOf(catalog, known),
      meaning: meanings?.meaningOf(catalog, identities),
    };
  }

  /** Throws for a database in which a protected name has another meaning than before. */
  #checkMeaning({ probe, meaning }: ReadCatalog): void {
    if (meaning === undefined) return;
    // The ids may be of another state than the names.
    if (probe === undefined) throw differentTenant();
    const exchanges = this.services.meanings?.accept(JSON.stringify([this.name, this.address]), meaning) ?? [];
    if (exchanges.length > 0) throw exchangedTenant(exchanges.map(({ message }) => message).join(' '));
  }

  #report(finding: Observation): void {
    const { name, services } = this;
    if (finding.kind !== 'warning') services.observe(finding);
    else services.observe({ ...finding, message: `Tenant ${JSON.stringify(name)}: ${finding.message}` });
  }

  #accept(registry: Registry): void {
    this.#fits = { registry, at: performance.now() };
    this.#refusal = undefined;
    if (this.#reported !== '') this.services.observe({ kind: 'tenant', tenant: this.name, state: 'available' });
    this.#reported = '';
  }

  /** Reports each reason once. */
  #refuse(error: ServerError): void {
    this.#fits = undefined;
    this.#refusal = { error, until: performance.now() + REFUSED_MS };
    const { cause } = error;
    const reason = this.dialect.outage(cause) ?? (cause instanceof Error ? cause.message : error.message);
    if (reason === this.#reported) return;
    this.#reported = reason;
    this.services.observe({ kind: 'tenant', tenant: this.name, state: 'unavailable', reason });
  }
}
