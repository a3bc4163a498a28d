import {
  customerColumns as customers,
  documentColumns as documents,
  paymentColumns as payments,
  stockColumns as stock,
} from '../workloads/workloads.js';

/**
 * The SQL that a person writes who knows the requests in advance: the database writes the JSON, and
 * each request is one statement. Parameters are text, as in the protocol.
 */

/**
 * The subquery already orders the rows: another ORDER BY in json_agg takes the database about 15 %
 * longer for 1,000 rows.
 */
const list = (rows: string): string => `select coalesce(json_agg(t), '[]')::text from (${rows}) t`;
const written = (write: string): string => `with t as (${write}) select row_to_json(t)::text from t`;

export const byKey = `select row_to_json(t)::text from (select ${customers} from bench.customers where id = $1::integer) t`;

export const filtered = list(`select ${customers} from bench.customers where country = $1 order by id limit 30`);

export const threeLevels = list(
  `select id, name, (
    select coalesce(json_agg(o), '[]') from (
      select id, total, status, (
        select coalesce(json_agg(i), '[]') from (
          select id, product, quantity, price from bench.items where order_id = orders.id order by id limit 3) i
      ) as items
      from bench.orders where customer_id = customers.id order by id limit 10) o
  ) as orders
  from bench.customers order by id limit 10`,
);

export const insertOne = written(`insert into bench.payments (order_id, method, amount, reference, paid_at)
  values ($1::integer, $2::bench.payment_method, $3::numeric, $4, $5::timestamptz) returning ${payments}`);

/** The rows are one parameter: the JSON that the client sent. */
export const insertMany = `with t as (
    insert into bench.payments (order_id, method, amount, reference, paid_at)
    select order_id, method, amount, reference, paid_at from json_populate_recordset(null::bench.payments, $1::json) returning id)
  select json_agg(t)::text from t`;

export const updateByKey = written(
  `update bench.stock set quantity = $2::integer where id = $1::integer returning ${stock}`,
);

export const upsert = written(`insert into bench.stock (sku, quantity, price, updated_at)
  values ($1, $2::integer, $3::numeric, $4::timestamptz)
  on conflict (sku) do update
    set quantity = excluded.quantity, price = excluded.price, updated_at = excluded.updated_at
  returning ${stock}`);

/** REST needs the rows and the count, GraphQL needs the count and the sum. */
export const counted = `select coalesce(json_agg(t), '[]')::text,
    (select count(*) from bench.orders where warehouse = $1::integer)::text
  from (select id, total from bench.orders where warehouse = $1::integer order by id limit 1) t`;

export const aggregated = `select row_to_json(t)::text from (
  select count(*), json_build_object('total', sum(total)) as sum from bench.orders where warehouse = $1::integer) t`;

export const wide = list(`select ${customers} from bench.customers order by id limit 1000`);

export const own = list(`select ${documents} from bench.documents where status = 'open' order by id desc limit 30`);
