import { countries, WAREHOUSES, type Sizes } from '../data/schema.js';
import type { Data, Exchange, Exchanges, HttpRequest } from '../harness/target.js';
import type { Inputs, Payment, Stock, WorkloadId } from './inputs.js';

/** The requirement for every target, whatever its protocol. `Inputs` describes the answers. */
export interface Workload<Id extends WorkloadId = WorkloadId> {
  readonly id: Id;
  readonly what: string;
  readonly writes: boolean;
  /**
   * The inputs are used in turn. They follow from their number, so every target and every run gets
   * the same inputs.
   */
  readonly inputs: (sizes: Sizes) => readonly Inputs[Id][];
  /**
   * SQL that returns one JSON value: the expected `rows` of an answer. For a write it reads the
   * table afterwards.
   */
  readonly sql: string;
  parameters(input: Inputs[Id], data: Data): readonly unknown[];
  /** Members of the answer that some targets do not return. */
  readonly optional?: readonly string[];
}

export const customerColumns = 'id, name, email, city, country, tier, active, credit, tags, profile, created_at';
export const paymentColumns = 'id, order_id, method, amount, reference, paid_at';
export const stockColumns = 'id, sku, quantity, price, updated_at';
export const documentColumns = 'id, owner, title, body, status, created_at';

export const BULK_ROWS = 1000;

const MANY = 1000;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
/**
 * Spreads consecutive numbers over the keys of a table: 7919 is a prime that divides no table's
 * size.
 */
const key = (number: number, size: number): number => 1 + ((number * 7919) % size);
const instant = (second: number): string => new Date(Date.UTC(2024, 5, 1, 0, 0, second)).toISOString();

function payment(number: number, sizes: Sizes): Payment {
  return {
    order_id: key(number, sizes.orders),
    method: (['card', 'bank', 'cash'] as const)[number % 3] ?? 'card',
    amount: `${number % 400}.${10 + (number % 90)}`,
    reference: `PAY-${String(number).padStart(6, '0')}`,
    paid_at: instant(number),
  };
}

/** Every other stock has an existing sku. */
function stock(number: number, sizes: Sizes): Stock {
  return {
    sku: `SKU-${String(key(number, 2 * sizes.stock)).padStart(6, '0')}`,
    quantity: number % 300,
    price: `${number % 200}.${10 + (number % 90)}`,
    updated_at: instant(number),
  };
}

/** A list of rows as one JSON value, [] when there are none. */
const list = (rows: string): string => `select coalesce(json_agg(t), '[]') from (${rows}) t`;
const object = (row: string): string => `select row_to_json(t) from (${row}) t`;

const described: { readonly [Id in WorkloadId]: Omit<Workload<Id>, 'id'> } = {
  W1: {
    what: 'one row by key, 11 columns',
    writes: false,
    inputs: ({ customers }) => numbers(MANY).map((number) => ({ id: key(number, customers) })),
    sql: object(`select ${customerColumns} from bench.customers where id = $1`),
    parameters: ({ id }) => [id],
  },
  W2: {
    what: '30 rows, filter and order',
    writes: false,
    inputs: () => countries.map((country) => ({ country })),
    sql: list(`select ${customerColumns} from bench.customers where country = $1 order by id limit 30`),
    parameters: ({ country }) => [country],
  },
  W3: {
    what: 'three levels, 10 × 10 × 3',
    writes: false,
    inputs: () => [{}],
    sql: list(`select id, name, (
      select coalesce(json_agg(o), '[]') from (
        select id, total, status, (
          select coalesce(json_agg(i), '[]') from (
            select id, product, quantity, price from bench.items where order_id = orders.id order by id limit 3) i) as items
        from bench.orders where customer_id = customers.id order by id limit 10) o) as orders
      from bench.customers order by id limit 10`),
    parameters: () => [],
  },
  W4: {
    what: 'insert one, returning the row',
    writes: true,
    inputs: (sizes) => numbers(MANY).map((number) => ({ payment: payment(number, sizes) })),
    sql: object(`select ${paymentColumns} from bench.payments
      where (order_id, method, amount, reference, paid_at) = ($1, $2, $3, $4, $5) order by id desc limit 1`),
    parameters: ({ payment: { order_id, method, amount, reference, paid_at } }) => [
      order_id,
      method,
      amount,
      reference,
      paid_at,
    ],
  },
  W4b: {
    what: 'insert 1,000 at once',
    writes: true,
    inputs: (sizes) =>
      numbers(10).map((batch) => ({
        payments: numbers(BULK_ROWS).map((number) => payment(batch * BULK_ROWS + number, sizes)),
      })),
    sql: `select to_json(count(*)) from bench.payments p join json_to_recordset($1)
      as given (order_id integer, method bench.payment_method, amount numeric, reference text, paid_at timestamptz)
      using (order_id, method, amount, reference, paid_at)`,
    parameters: ({ payments }) => [JSON.stringify(payments)],
  },
  W4c: {
    what: 'update by key, returning the row',
    writes: true,
    inputs: (sizes) => numbers(MANY).map((number) => ({ id: key(number, sizes.stock), quantity: number % 700 })),
    sql: object(`select ${stockColumns} from bench.stock where id = $1 and quantity = $2`),
    parameters: ({ id, quantity }) => [id, quantity],
  },
  W4d: {
    what: 'upsert one, returning the row',
    writes: true,
    inputs: (sizes) => numbers(MANY).map((number) => ({ stock: stock(number, sizes) })),
    sql: object(`select ${stockColumns} from bench.stock
      where (sku, quantity, price, updated_at) = ($1, $2, $3, $4)`),
    parameters: ({ stock: { sku, quantity, price, updated_at } }) => [sku, quantity, price, updated_at],
  },
  W5: {
    what: 'count and sum of 3,125 rows',
    writes: false,
    inputs: () => numbers(WAREHOUSES).map((warehouse) => ({ warehouse })),
    sql: object('select count(*) as count, sum(total) as sum from bench.orders where warehouse = $1'),
    parameters: ({ warehouse }) => [warehouse],
    optional: ['sum'],
  },
  W6: {
    what: '1,000 rows, 11 columns',
    writes: false,
    inputs: () => [{}],
    sql: list(`select ${customerColumns} from bench.customers order by id limit 1000`),
    parameters: () => [],
  },
  W7: {
    what: '30 rows under a policy, with a token',
    writes: false,
    inputs: () => [{}],
    sql: list(`select ${documentColumns} from bench.documents where owner = $1 and status = 'open'
      order by id desc limit 30`),
    parameters: (_, { claims }) => [claims.sub],
  },
};

export const workloadIds = Object.keys(described) as WorkloadId[];

export const workload = <Id extends WorkloadId>(id: Id): Workload<Id> => ({ ...described[id], id });

/** A target's requests for all inputs of a workload; none when the target does not support it. */
export function requestsOf<Id extends WorkloadId>(
  { id, inputs }: Workload<Id>,
  exchanges: Exchanges,
  sizes: Sizes,
): readonly HttpRequest[] {
  const exchange: Exchange<Id> | undefined = exchanges[id];
  return exchange === undefined ? [] : inputs(sizes).map((input) => exchange.request(input));
}
