import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionBudget } from '../../../runtime/src/dialect/connection-budget.js';
import { ConnectionPool, type PoolMember } from '../../../runtime/src/dialect/connection-pool.js';
import { settingsWith } from '../../support/settings.js';

class Connection implements PoolMember {
  readonly isUsable = true;
  readonly isLost = false;
  readonly bytesRead = 0;
  readonly awaited = undefined;
  readonly allowed = 0;
  end(): void {
    // Nothing is open.
  }
  cut(): void {
    // Nothing is open.
  }
  cancel(): Promise<void> {
    return Promise.resolve();
  }
}

/** A pool to a database that needs long to accept a connection. */
class SlowPool extends ConnectionPool<Connection> {
  opened = 0;

  constructor(budget: ConnectionBudget) {
    super(settingsWith(), () => undefined, budget);
  }

  protected override async connect(): Promise<Connection> {
    // Longer than other pools wait until they claim the connections of this one.
    await sleep(150);
    this.opened += 1;
    return new Connection();
  }

  protected override prepare(): Promise<void> {
    return Promise.resolve();
  }
}

test('a connection that was slow to open serves waiting requests before another pool has its room', async () => {
  const budget = new ConnectionBudget(1);
  const pools = [new SlowPool(budget), new SlowPool(budget)];
  try {
    await Promise.all(
      pools.flatMap((pool) => Array.from({ length: 50 }, () => pool.use(undefined, () => Promise.resolve()))),
    );
    expect(pools.map(({ opened }) => opened)).toEqual([1, 1]);
  } finally {
    await Promise.all(pools.map((pool) => pool.close(0)));
  }
});
