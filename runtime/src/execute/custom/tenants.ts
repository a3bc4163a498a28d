import type { Identity } from '../../dialect/driver.js';
import type { IdentityRequest } from './identity-request.js';

/**
 * The tenant of a request, by its name in `custom.tenants`. It is asked after the sender is
 * identified; for a WebSocket once, when that is. Undefined and unknown names are 404. A
 * ServerError refuses the request with its status.
 */
export interface ChooseTenant {
  (request: IdentityRequest, identity: Identity): string | undefined | Promise<string | undefined>;
  /** Names of the request headers that it reads, for the header `Vary` of answers. */
  readonly reads?: readonly string[];
}

/** The database of a tenant: its address, or an object with it. */
export type TenantDatabase = string | TenantAddress;

export interface TenantAddress {
  /** As `app.datasource.url`, for the same kind of database. */
  readonly url: string;
  /** As `app.changes.url`. Default: `url`. */
  readonly changesUrl?: string;
  /**
   * The names that schemas of the API have there: `{ shop: 'acme' }`. Other schemas have their own
   * names, and tenants of one database share them. On MariaDB these are databases, and the address
   * has the name of a single one.
   */
  readonly schemas?: Readonly<Record<string, string>>;
}

/** Undefined: there is no such tenant, and nothing connects to a database. */
export type FindTenant = (name: string) => TenantDatabase | undefined | Promise<TenantDatabase | undefined>;

/** The databases of the tenants by name, or what finds them. */
export type TenantDatabases = Readonly<Record<string, TenantDatabase>> | FindTenant;
