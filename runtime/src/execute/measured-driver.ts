import type { Driver, OwnSession, RunOptions } from '../dialect/driver.js';
import type { BoundStatement, RawRow } from '../dialect/statement.js';
import type { StatementKind } from '../observe/metrics/metrics.js';

/** Receives each run at the database. */
export interface Meter {
  /**
   * A run begins.
   * @returns to be called with the rows when it has ended well, and without when it has failed
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
    /** What its reads are counted as. */
    private readonly kindOfRead: StatementKind,
  ) {}

  run(statements: readonly BoundStatement[], options: RunOptions = {}): Promise<readonly RawRow[]> {
    const kind = options.write === true ? 'write' : this.kindOfRead;
    return this.#measured(kind, statements, options, () => this.driver.run(statements, options));
  }

  /** Statements of the user are not reported: their values have no form that EXPLAIN could take. */
  transaction<T>(work: (run: Driver['run'], session: OwnSession) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return this.driver.transaction(
      (run, session) =>
        work(
          (statements, own) => this.#measured('write', statements, { ...options, ...own }, () => run(statements, own)),
          this.#measuredOwn(session, options),
        ),
      options,
    );
  }

  #measuredOwn(own: OwnSession, options: RunOptions): OwnSession {
    return {
      query: async (statement) => {
        const { text, values } = statement;
        const end = this.meter.begin('own', [{ text, values: values.map(() => null) }], options);
        try {
          const result = await own.query(statement);
          end(result.rows);
          return result;
        } catch (error) {
          end();
          throw error;
        }
      },
      savepoint: () => own.savepoint(),
    };
  }

  ping(): Promise<void> {
    return this.driver.ping();
  }

  close(): Promise<void> {
    return this.driver.close();
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
