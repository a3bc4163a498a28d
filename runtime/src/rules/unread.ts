import { hash } from 'node:crypto';
import type { UnreadColumns } from '../catalog/rights.js';
import type { Table } from '../descriptor/registry.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Driver, Identity } from '../dialect/driver.js';
import type { TenantAddress } from '../execute/custom/tenants.js';

/** A tenant whose database is looked at. */
export type LookedAt = Pick<TenantAddress, 'schemas'> & { readonly name: string };

/** The grants on columns of one database. */
interface Grants {
  readonly text: string;
  /** Databases with equal grants share statements. */
  readonly key: string;
  /** By role, `''` being that of the connection, and then by `schema.name`. */
  readonly byRole: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

const none: Grants = { text: '[]', key: '', byRole: new Map() };

/**
 * The columns that a role of the database may not read, of tables of which it reads others: the
 * server adds none of them to a statement of its own accord. The grants are read at the start and
 * with each look at the database. The same role has other grants in the database of each tenant.
 */
export class Unread {
  /** By tenant; undefined is the server's own database. */
  readonly #grants = new Map<string | undefined, Grants>();

  constructor(private readonly dialect: Pick<Dialect, 'unreadColumns' | 'lacks'>) {}

  /** Another one for other grants: statements were made for those. */
  keyOf({ role = '', tenant }: Identity): string {
    return `${role} ${this.#of(tenant).key}`;
  }

  /** Whether the role reads some tables in part. */
  concerns({ role = '', tenant }: Identity): boolean {
    return this.#of(tenant).byRole.has(role);
  }

  of({ schema, name }: Table, { role = '', tenant }: Identity): ReadonlySet<string> | undefined {
    return this.#of(tenant).byRole.get(role)?.get(`${schema}.${name}`);
  }

  async refresh(driver: Pick<Driver, 'run'>, tenant?: LookedAt): Promise<void> {
    const { unreadColumns, lacks } = this.dialect;
    if (unreadColumns === undefined) return;
    const [[text] = []] = await driver.run([unreadColumns]).catch((error: unknown) => {
      // An engine without these functions has no grants of columns either.
      if (lacks?.(error) === true) return [];
      throw error;
    });
    if (typeof text !== 'string' || text === this.#of(tenant?.name).text) return;
    this.#grants.set(tenant?.name, grantsIn(text, tenant?.schemas));
  }

  /** Its database is looked at again before it is used again. */
  forget(tenant: string): void {
    this.#grants.delete(tenant);
  }

  #of(tenant: string | undefined): Grants {
    return this.#grants.get(tenant) ?? none;
  }
}

/** @param schemas the names that schemas of the API have in the database */
function grantsIn(text: string, schemas: TenantAddress['schemas'] = {}): Grants {
  const served = new Map(Object.entries(schemas).map(([schema, there]) => [there, schema]));
  const byRole = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const { role, isOwn, schema: there, name, columns } of JSON.parse(text) as UnreadColumns) {
    const schema = served.get(there) ?? (Object.hasOwn(schemas, there) ? undefined : there);
    if (schema === undefined) continue;
    for (const key of isOwn ? [role, ''] : [role]) {
      const tables = byRole.get(key) ?? new Map<string, ReadonlySet<string>>();
      byRole.set(key, tables.set(`${schema}.${name}`, new Set(columns)));
    }
  }
  const told = [...byRole].map(([role, tables]) => [role, [...tables].map(([table, of]) => [table, [...of]])]);
  return { text, key: hash('sha1', JSON.stringify(told), 'base64url'), byRole };
}
