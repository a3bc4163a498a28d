export type WorkloadId = keyof Inputs;

export interface Payment {
  readonly order_id: number;
  readonly method: 'card' | 'bank' | 'cash';
  /** With two decimals. */
  readonly amount: string;
  readonly reference: string;
  /** ISO 8601, UTC. */
  readonly paid_at: string;
}

export interface Stock {
  readonly sku: string;
  readonly quantity: number;
  /** With two decimals. */
  readonly price: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

/**
 * The values that vary between the requests of a workload. The fixed part is in the description of
 * the workload.
 */
export interface Inputs {
  /** A customer by key, all 11 columns: an object, or null. */
  readonly W1: { readonly id: number };
  /** The first 30 customers of a country by id, all 11 columns: a list. */
  readonly W2: { readonly country: string };
  /**
   * The first 10 customers (id, name), of each the first 10 `orders` (id, total, status), of each
   * the first 3 `items` (id, product, quantity, price), each level by id: a list.
   */
  readonly W3: Record<string, never>;
  /** Insert one payment and return its six columns: an object. */
  readonly W4: { readonly payment: Payment };
  /** Insert 1,000 payments in one request: the number of inserted rows. */
  readonly W4b: { readonly payments: readonly Payment[] };
  /** Set `quantity` of the stock with an id and return its five columns: an object. */
  readonly W4c: { readonly id: number; readonly quantity: number };
  /**
   * Insert a stock, or update quantity, price and updated_at of the stock with the same sku; return
   * its five columns: an object.
   */
  readonly W4d: { readonly stock: Stock };
  /**
   * The number of orders of a warehouse, and the sum of their totals: `{count, sum}`. A target that
   * can only count returns `{count}`.
   */
  readonly W5: { readonly warehouse: number };
  /** The first 1,000 customers by id, all 11 columns: a list. */
  readonly W6: Record<string, never>;
  /**
   * The last 30 open documents of the token's user by id (id, owner, title, body, status,
   * created_at; not `search`): a list. The policy of the table, or an equivalent policy of the
   * target, selects the visible documents; the request has no filter for it.
   */
  readonly W7: Record<string, never>;
}
