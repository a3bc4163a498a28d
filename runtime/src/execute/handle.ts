import {
  type CompiledQuery,
  Kysely,
  type DatabaseConnection,
  type Driver as KyselyDriver,
  type QueryResult,
} from 'kysely';
import type { QueryBuilder } from '../dialect/dialect.js';
import type { CustomResult, CustomStatement, Savepoint } from '../dialect/driver.js';

/** The connection of a handle's statements. */
export interface HandleAccess {
  readonly query: (statement: CustomStatement) => Promise<CustomResult>;
  /** Begins a transaction inside the current one. */
  readonly enter: () => Promise<Savepoint>;
}

/**
 * A Kysely over one open transaction. Its own `transaction()` is a savepoint; it has no connection
 * of its own to close.
 */
export const createHandle = <Database>(builder: QueryBuilder, access: HandleAccess): Kysely<Database> =>
  new Kysely<Database>({ dialect: { ...builder, createDriver: () => new HandleDriver(access) } });

class HandleConnection implements DatabaseConnection {
  /** Transactions that were begun on this connection and have not ended. */
  readonly savepoints: Savepoint[] = [];

  constructor(private readonly access: HandleAccess) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affected, changed, insertId } = await this.access.query({ text: sql, values: parameters });
    return {
      rows: rows as Row[],
      ...(affected === undefined ? {} : { numAffectedRows: affected }),
      ...(changed === undefined ? {} : { numChangedRows: changed }),
      ...(insertId === undefined ? {} : { insertId }),
    };
  }

  /**
   * Yields all rows at once: a cursor would hold the connection, and other statements of the
   * transaction would wait.
   */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}

class HandleDriver implements KyselyDriver {
  constructor(private readonly access: HandleAccess) {}

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<HandleConnection> {
    return Promise.resolve(new HandleConnection(this.access));
  }

  async beginTransaction(connection: HandleConnection): Promise<void> {
    connection.savepoints.push(await this.access.enter());
  }

  async commitTransaction(connection: HandleConnection): Promise<void> {
    await connection.savepoints.pop()?.release();
  }

  async rollbackTransaction(connection: HandleConnection): Promise<void> {
    await connection.savepoints.pop()?.rollback();
  }

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return Promise.resolve();
  }
}
