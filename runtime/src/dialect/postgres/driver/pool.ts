import pg from 'pg';
import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import type { ConnectionBudget } from '../../connection-budget.js';
import { ConnectionPool } from '../../connection-pool.js';
import { refusedConnection } from '../failures/outage.js';
import type { PoolStats } from '../../../observe/pool-stats.js';
import type { BoundStatement } from '../../../plan/statement.js';
import { batchClient } from './batch-connection.js';
import { PgConnection, type KeptSession } from './connection.js';
import { chooseConnection } from './choose-connection.js';
import { clientConfig, keptSession } from './pool-config.js';

/** Connections by node-postgres, which keep statements prepared. */
export class PgPool extends ConnectionPool<PgConnection> {
  readonly #config: pg.ClientConfig;
  readonly #kept: KeptSession | undefined;

  /** @param tables how many there are: with more of them, connections keep more statements */
  constructor(url: string, settings: Settings, tables: number, observe: Observer, budget?: ConnectionBudget) {
    super(settings, observe, budget);
    this.#config = clientConfig(url, settings);
    this.#kept = keptSession(settings, tables);
  }

  /** A connection that has the statements prepared, if it matters and there is one. */
  leaseFor(statements: readonly BoundStatement[]): Promise<PgConnection> | PgConnection {
    return this.take((idle) => chooseConnection(idle, statements)) ?? this.queue.wait();
  }

  /**
   * A connection for statements of several requests: an idle one that has nothing to parse, or
   * undefined.
   */
  leaseToShare(statements: readonly BoundStatement[]): PgConnection | undefined {
    return this.take((idle) => {
      const place = chooseConnection(idle, statements);
      return idle[place]?.canShare(statements) === true ? place : -1;
    });
  }

  override get stats(): PoolStats {
    let prepared = 0;
    for (const connection of this.connections) prepared += connection.preparedCount;
    return { ...super.stats, prepared };
  }

  /** A cancel request on its way would stop the statement of the next request. */
  override release(connection: PgConnection): void {
    connection.onceUncancelled(() => {
      super.release(connection);
    });
  }

  protected override async connect(onLost: (connection: PgConnection) => void): Promise<PgConnection> {
    const client = batchClient(this.#config);
    // Without a listener a connection that is lost would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      client.end().catch(() => undefined);
      throw refusedConnection(error);
    }
    return new PgConnection(client, this.#kept, this.settings['app.limits.response-bytes'], onLost);
  }

  /** The settings of a session come with its connection. */
  protected override prepare(): Promise<void> {
    return Promise.resolve();
  }
}
