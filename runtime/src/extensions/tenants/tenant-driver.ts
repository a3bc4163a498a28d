import type { CustomSession, Driver, RunOptions } from '../../dialect/driver.js';
import type { BoundStatement, RawRow } from '../../plan/statement.js';
import { noTenant } from './failures.js';
import type { Tenants } from './tenants.js';

/**
 * Runs everything at the database of the identity's tenant, and nothing for an identity of none.
 * Its readiness is that of the server's own database.
 */
export class TenantDriver implements Driver {
  constructor(
    private readonly server: Driver,
    private readonly tenants: Tenants,
  ) {}

  run(statements: readonly BoundStatement[], options?: RunOptions): Promise<readonly RawRow[]> {
    return this.#at(options, (driver) => driver.run(statements, options));
  }

  transaction<T>(work: (run: Driver['run'], custom: CustomSession) => Promise<T>, options?: RunOptions): Promise<T> {
    return this.#at(options, (driver) => driver.transaction(work, options));
  }

  ping(): Promise<void> {
    return this.server.ping();
  }

  close(grace?: number): Promise<void> {
    return this.server.close(grace);
  }

  async #at<T>(options: RunOptions | undefined, work: (driver: Driver) => Promise<T>): Promise<T> {
    const name = options?.identity?.tenant;
    if (name === undefined) throw noTenant();
    const tenant = await this.tenants.find(name);
    const driver = await tenant.ready();
    try {
      return await work(driver);
    } catch (error) {
      tenant.failed(error);
      throw error;
    }
  }
}

/** The driver for the shared reads of a tenant's subscribers, which are of no identity. */
export const driverOfTenant = (driver: Pick<Driver, 'run'>, tenant: string): Pick<Driver, 'run'> => ({
  run: (statements, options) => driver.run(statements, { ...options, identity: { ...options?.identity, tenant } }),
});
