/** A pool whose connections count against a budget. */
export interface BudgetedPool {
  /** Connections that are open or being opened. */
  readonly connectionCount: number;
  readonly hasIdle: boolean;
  /** Requests that wait for a connection. */
  readonly waitingCount: number;
  /** Closes an idle connection, if there is one. */
  closeIdle(): void;
  /** Opens connections for waiting requests, as far as the budget has room. */
  openMore(): void;
}

/**
 * Milliseconds after which opening a connection no longer counts: an address that accepts and never
 * answers must not use up the budget of others.
 */
export const SLOW_OPENING_MS = 1_000;

/** Connections that one pool opens at a time: more would only wait for a dead address. */
export const MAX_OPENING = 2;

/**
 * Milliseconds after which a pool that waits gets the next connection that is idle or released.
 * Until then, a pool that has connections waits for these: opening a connection takes longer than
 * most requests.
 */
const TIMEOUT_MS = 100;

/**
 * The connections that several pools may have together. A pool without a connection gets the
 * room of an idle connection. That connection is taken from the pool with the most connections, and
 * among equals from the least recently used pool. If no connection is idle, pools wait for released
 * connections.
 */
export class ConnectionBudget {
  #used = 0;
  /** The pool that was used least recently is the first. */
  readonly #pools = new Set<BudgetedPool>();
  /** Pools that wait for room, and since when. */
  readonly #waiting = new Map<BudgetedPool, number>();

  constructor(readonly size: number) {}

  /** Takes room for a connection. If it returns false, `openMore` is called when there is room. */
  take(pool: BudgetedPool): boolean {
    if (this.#used >= this.size) {
      if (!this.#waiting.has(pool)) this.#wait(pool);
      // A closed connection gives its room to the pool that has waited longest.
      while (this.#waiting.has(pool) && this.#closeIdle(pool));
      if (this.#used >= this.size) return false;
    }
    this.#waiting.delete(pool);
    this.takeAnyway();
    return true;
  }

  #wait(pool: BudgetedPool): void {
    this.#waiting.set(pool, performance.now());
    setTimeout(() => {
      if (this.#waiting.has(pool)) pool.openMore();
    }, TIMEOUT_MS).unref();
  }

  #hasWaited(pool: BudgetedPool): boolean {
    return performance.now() - (this.#waiting.get(pool) ?? Infinity) >= TIMEOUT_MS;
  }

  /** Makes room for this pool: closes an idle connection of the pool with the most connections. */
  #closeIdle(pool: BudgetedPool): boolean {
    let most: BudgetedPool | undefined;
    for (const other of this.#pools)
      if (other.hasIdle && other.connectionCount > (most?.connectionCount ?? 0)) most = other;
    if (most === undefined) return false;
    const isUrgent = pool.connectionCount === 0 || this.#hasWaited(pool);
    if (!isUrgent && most.connectionCount <= pool.connectionCount + 1) return false;
    most.closeIdle();
    return true;
  }

  /** A connection counts again that took long to open: it may be one too many. */
  takeAnyway(): void {
    this.#used += 1;
  }

  /** Gives the room of a connection back. */
  give(): void {
    this.#used -= 1;
    while (this.#used < this.size) {
      const [next] = this.#waiting.keys();
      if (next === undefined) return;
      this.#waiting.delete(next);
      next.openMore();
    }
  }

  /** Marks the pool as the most recently used. Called when it releases a connection. */
  use(pool: BudgetedPool): void {
    if (pool.waitingCount === 0) this.#waiting.delete(pool);
    this.#pools.delete(pool);
    this.#pools.add(pool);
  }

  /**
   * Whether a pool has to close a connection that a request has released: another pool waits for
   * room, and this one needs it less.
   */
  claims(pool: BudgetedPool): boolean {
    for (const other of this.#waiting.keys()) {
      if (other === pool || other.waitingCount === 0) continue;
      if (other.connectionCount + 1 < pool.connectionCount) return true;
      const [isEmpty, hasWaited] = [other.connectionCount === 0, this.#hasWaited(other)];
      if (pool.waitingCount === 0 ? isEmpty || hasWaited : isEmpty && hasWaited) return true;
    }
    return false;
  }

  /** The pool is closed. */
  forget(pool: BudgetedPool): void {
    this.#pools.delete(pool);
    this.#waiting.delete(pool);
  }
}
