import type { Driver, CustomSession, RunOptions } from '../dialect/driver.js';
import type { BoundStatement, RawRow } from '../plan/statement.js';
import type { StatementKind } from '../observe/metrics/metrics.js';

/** Receives each run at the database. */
export interface Meter {
  /**
   * A run begins.
   * @returns a function to call when the run ends: with its rows, or without arguments if it failed
   */
  readonly begin: (
    kind: StatementKind,
    statements: readonly BoundStatement[],
    options: RunOptions,
  ) => (rows?: readonly unknown[]) => void;
}

/** A driver whose runs are reported to a meter: metrics, traces, and the log of slow statements. */
export class MeasuredDriver implements Driver {
  constructor(
    private readonly driver: Driver,
    private readonly meter: Meter,
    /** The kind as which its reads are counted. */
    private readonly kindOfRead: StatementKind,
  ) {}

  run(statements: readonly BoundStatement[], options: RunOptions = {}): Promise<readonly RawRow[]> {
    const kind = options.write === true ? 'write' : this.kindOfRead;
    return this.#measured(kind, statements, options, () => this.driver.run(statements, options));
  }

  /** The values of custom statements are not reported: EXPLAIN does not accept their form. */
  transaction<T>(
    work: (run: Driver['run'], session: CustomSession) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    return this.driver.transaction(
      (run, session) =>
        work(
          (statements, more) =>
            this.#measured('write', statements, { ...options, ...more }, () => run(statements, more)),
          this.#measuredCustom(session, options),
        ),
      options,
    );
  }

  #measuredCustom(custom: CustomSession, options: RunOptions): CustomSession {
    return {
      query: async (statement) => {
        const { text, values } = statement;
        const end = this.meter.begin('own', [{ text, values: values.map(() => null) }], options);
        try {
          const result = await custom.query(statement);
          end(result.rows);
          return result;
        } catch (error) {
          end();
          throw error;
        }
      },
      savepoint: () => custom.savepoint(),
    };
  }

  ping(): Promise<void> {
    return this.driver.ping();
  }

  close(grace?: number): Promise<void> {
    return this.driver.close(grace);
  }

  async #measured(
    kind: StatementKind,
    statements: readonly BoundStatement[],
    options: RunOptions,
    run: () => Promise<readonly RawRow[]>,
  ): Promise<readonly RawRow[]> {
    const end = this.meter.begin(kind, statements, options);
    try {
      const rows = await run();
      end(rows);
      return rows;
    } catch (error) {
      end();
      throw error;
    }
  }
}
