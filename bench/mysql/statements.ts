import type { Statements } from '../by-hand/routes.js';

/**
 * The SQL that a person writes for MariaDB who knows the requests in advance: the database writes
 * the JSON, and each request is one statement. Updates, whose row MariaDB does not return, and
 * answers with many written rows are left out.
 */
const instant = (column: string): string => `concat(replace(${column}, ' ', 'T'), '+00:00')`;

const customer = `json_object('id', id, 'name', name, 'email', email, 'city', city, 'country', country, 'tier', tier, 'active', active,
  'credit', credit, 'tags', json_compact(tags), 'profile', json_compact(profile), 'created_at', ${instant('created_at')})`;
const payment = `json_object('id', id, 'order_id', order_id, 'method', method, 'amount', amount, 'reference', reference,
  'paid_at', ${instant('paid_at')})`;

const customers = (rows: string): string =>
  `select coalesce(json_arrayagg(${customer} order by id), '[]') from (${rows}) t`;

export const mysqlStatements: Statements = {
  byKey: `select ${customer} from bench.customers where id = $1`,
  filtered: customers('select * from bench.customers where country = $1 order by id limit 30'),
  threeLevels: `select json_arrayagg(json_object('id', c.id, 'name', c.name, 'orders', (
      select coalesce(json_arrayagg(json_object('id', o.id, 'total', o.total, 'status', o.status, 'items', (
          select coalesce(json_arrayagg(json_object('id', i.id, 'product', i.product, 'quantity', i.quantity, 'price', i.price)
            order by i.id limit 3), json_array()) from bench.items i where i.order_id = o.id)) order by o.id limit 10), json_array())
      from bench.orders o where o.customer_id = c.id)) order by c.id)
    from (select id, name from bench.customers order by id limit 10) c`,
  insertOne: `insert into bench.payments (order_id, method, amount, reference, paid_at)
    values ($1, $2, $3, $4, replace(replace($5, 'T', ' '), 'Z', '')) returning ${payment}`,
  counted: `select coalesce(json_arrayagg(json_object('id', id, 'total', total)), '[]'),
      (select cast(count(*) as char) from bench.orders where warehouse = $1)
    from (select id, total from bench.orders where warehouse = $1 order by id limit 1) t`,
  aggregated: `select json_object('count', count(*), 'sum', json_object('total', sum(total))) from bench.orders where warehouse = $1`,
  wide: customers('select * from bench.customers order by id limit 1000'),
};

/** Reads the row that W4 has written. */
export const written = `select ${payment} from bench.payments
  where order_id = ? and method = ? and amount = ? and reference = ? and paid_at = replace(replace(?, 'T', ' '), 'Z', '')
  order by id desc limit 1`;
