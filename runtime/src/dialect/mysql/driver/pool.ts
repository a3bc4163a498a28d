import type { ConnectionOptions } from 'mysql2/promise';
import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import type { ConnectionBudget } from '../../connection-budget.js';
import { ConnectionPool } from '../../connection-pool.js';
import { MysqlConnection } from './connection.js';
import type { SessionZone } from './session-settings.js';
import { load } from './load.js';
import { clientOptions } from './options.js';

/**
 * Connections by mysql2, which keeps statements prepared and does not say how many.
 */
export class MysqlPool extends ConnectionPool<MysqlConnection> {
  readonly #options: ConnectionOptions;

  /** @param zone that a session has between statements */
  constructor(
    url: string,
    settings: Settings,
    observe: Observer,
    private readonly zone: () => SessionZone,
    budget?: ConnectionBudget,
  ) {
    super(settings, observe, budget);
    this.#options = clientOptions(url, settings);
  }

  /** The client has its answer already while the session is reset. */
  override release(connection: MysqlConnection): void {
    if (connection.isTouched && connection.isUsable) {
      void connection.renew(this.settings).then(() => {
        super.release(connection);
      });
    } else super.release(connection);
  }

  protected override async connect(onLost: (connection: MysqlConnection) => void): Promise<MysqlConnection> {
    const { createConnection } = await load();
    const client = await createConnection(this.#options);
    return new MysqlConnection(client, this.#options, this.settings, this.zone, onLost);
  }

  protected override prepare(connection: MysqlConnection): Promise<void> {
    return connection.start(this.settings);
  }
}
