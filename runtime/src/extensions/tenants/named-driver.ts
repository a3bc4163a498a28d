import type { CustomSession, Driver, RunOptions } from '../../dialect/driver.js';
import type { Dialect } from '../../dialect/dialect.js';
import { errorHasNames, sameNames, withNames, type SchemaNames } from '../../dialect/schema-names.js';
import type { BoundStatement, RawRow } from '../../plan/statement.js';

export const namesOf = ({ tenants }: Dialect): SchemaNames => tenants?.names ?? sameNames;

/**
 * Runs statements of all tenants at one database: it sends the names of that database in place of
 * marked ones.
 */
export class NamedDriver implements Driver {
  readonly stats?: NonNullable<Driver['stats']>;

  constructor(
    private readonly driver: Driver,
    private readonly names: SchemaNames,
  ) {
    if (driver.stats !== undefined) this.stats = driver.stats;
  }

  run(statements: readonly BoundStatement[], options?: RunOptions): Promise<readonly RawRow[]> {
    return this.#remembering(this.driver.run(this.#named(statements), options));
  }

  transaction<T>(work: (run: Driver['run'], custom: CustomSession) => Promise<T>, options?: RunOptions): Promise<T> {
    const named: typeof work = (run, custom) =>
      work((statements, of) => this.#remembering(run(this.#named(statements), of)), {
        query: ({ text, values }) => this.#remembering(custom.query({ text: withNames(text, this.names), values })),
        savepoint: () => custom.savepoint(),
      });
    return this.#remembering(this.driver.transaction(named, options));
  }

  ping(): Promise<void> {
    return this.driver.ping();
  }

  close(grace?: number): Promise<void> {
    return this.driver.close(grace);
  }

  #named(statements: readonly BoundStatement[]): readonly BoundStatement[] {
    return statements.map((statement) => ({ ...statement, text: withNames(statement.text, this.names) }));
  }

  async #remembering<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      errorHasNames(error, this.names);
      throw error;
    }
  }
}
