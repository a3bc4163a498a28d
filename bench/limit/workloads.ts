import type { HttpRequest } from '../harness/load.js';

/**
 * One request to the generated server, and the SQL that a person who knows it in advance would write for it.
 * The limit answers the same request with the same body, so both do the same work for the client.
 */
export interface Workload {
  readonly id: string;
  readonly what: string;
  readonly protocol: 'REST' | 'GraphQL';
  readonly request: HttpRequest;
  /** With a token: the claims are set in the transaction of the read. */
  readonly authenticated: boolean;
  readonly sql: string;
  readonly parameters: readonly string[];
  /** The body around the columns of the one row that the SQL answers. */
  readonly body: (row: readonly string[]) => string;
}

const customers = 'id, name, email, phone, street, city, zip, country, active, notes, created_at';
const readings = 'id, sensor, place, unit, value, quality, comment, valid, taken_at';
const documents = 'id, owner, title, body, status, created_at';

const byKey = `select row_to_json(t)::text from (select ${customers} from bench.customers where id = $1::integer) t`;
const list = `select coalesce(json_agg(t order by id), '[]')::text from (
  select ${customers} from bench.customers where country = $1 order by id limit 30) t`;
const wide = `select coalesce(json_agg(t order by id), '[]')::text from (
  select ${readings} from bench.readings order by id limit 1000) t`;
const own = `select coalesce(json_agg(t order by id desc), '[]')::text from (
  select ${documents} from bench.documents where status = $1 order by id desc limit 30) t`;
const counted = `select coalesce(json_agg(t order by id), '[]')::text,
    (select count(*) from bench.orders where status = $1)::text
  from (select id, total from bench.orders where status = $1 order by id limit 1) t`;
const aggregated = `select row_to_json(t)::text from (
  select count(*), json_build_object('total', sum(total)) as sum from bench.orders where status = $1) t`;

/** `names` are what the two protocols call the lists inside. */
const threeLevels = (
  orders: string,
  items: string,
): string => `select coalesce(json_agg(c order by id), '[]')::text from (
  select id, name, (
    select coalesce(json_agg(o order by id), '[]') from (
      select id, total, status, (
        select coalesce(json_agg(i order by id), '[]') from (
          select id, product, quantity, price from bench.items where order_id = orders.id order by id limit 3) i
      ) as "${items}"
      from bench.orders where customer_id = customers.id order by id limit 10) o
  ) as "${orders}"
  from bench.customers order by id limit 10) c`;

const envelope =
  (limit: number) =>
  ([data, total]: readonly string[]): string =>
    `{"data":${data ?? ''},"pagination":{"limit":${limit},"offset":0,"total":${total ?? 'null'}}}`;
const field =
  (name: string) =>
  ([data]: readonly string[]): string =>
    `{"data":{"${name}":${data ?? ''}}}`;

/** The workloads of the reference figures that read. `token` is a valid token of user7. */
export function workloads(token: string): readonly Workload[] {
  const bearer = { authorization: `Bearer ${token}` };
  return [
    rest('W1', 'by key, 11 columns', '/customers/77', byKey, ['77'], ([row]) => row ?? ''),
    graphql('W1', 'by key, 11 columns', `{ benchCustomersByPk(id: 77) { ${customers} } }`, byKey, ['77']),
    rest(
      'W2',
      '30 rows, filter and order',
      '/customers?country=eq.NL&order=id.asc&limit=30',
      list,
      ['NL'],
      envelope(30),
    ),
    graphql(
      'W2',
      '30 rows, filter and order',
      `{ benchCustomers(where: {country: {eq: "NL"}}, orderBy: {id: ASC}, limit: 30) { ${customers} } }`,
      list,
      ['NL'],
    ),
    rest(
      'W3',
      'three levels, 10 × 10 × 3',
      '/customers?select=id,name,orders(id,total,status,items(id,product,quantity,price))&order=id.asc&limit=10' +
        '&orders.order=id.asc&orders.limit=10&orders.items.order=id.asc&orders.items.limit=3',
      threeLevels('orders', 'items'),
      [],
      envelope(10),
    ),
    graphql(
      'W3',
      'three levels, 10 × 10 × 3',
      `
        {
          benchCustomers(orderBy: { id: ASC }, limit: 10) {
            id
            name
            benchOrders(orderBy: { id: ASC }, limit: 10) {
              id
              total
              status
              benchItems(orderBy: { id: ASC }, limit: 3) {
                id
                product
                quantity
                price
              }
            }
          }
        }
      `,
      threeLevels('benchOrders', 'benchItems'),
      [],
    ),
    withHeaders(
      { prefer: 'count=exact' },
      rest(
        'W5',
        'count of 7,500 rows',
        '/orders?select=id,total&status=eq.paid&order=id.asc&limit=1',
        counted,
        ['paid'],
        envelope(1),
      ),
    ),
    graphql(
      'W5',
      'count and sum of 7,500 rows',
      '{ benchOrdersAggregate(where: {status: {eq: "paid"}}) { count sum { total } } }',
      aggregated,
      ['paid'],
    ),
    rest('W6', '1,000 rows of 9 columns', '/readings?order=id.asc&limit=1000', wide, [], envelope(1000)),
    graphql(
      'W6',
      '1,000 rows of 9 columns',
      `{ benchReadings(orderBy: {id: ASC}, limit: 1000) { ${readings} } }`,
      wide,
      [],
    ),
    authenticated(
      bearer,
      rest(
        'W7',
        '30 rows under a policy',
        '/documents?status=eq.open&order=id.desc&limit=30',
        own,
        ['open'],
        envelope(30),
      ),
    ),
    authenticated(
      bearer,
      graphql(
        'W7',
        '30 rows under a policy',
        `{ benchDocuments(where: {status: {eq: "open"}}, orderBy: {id: DESC}, limit: 30) { ${documents} } }`,
        own,
        ['open'],
      ),
    ),
  ];
}

function rest(
  id: string,
  what: string,
  path: string,
  sql: string,
  parameters: readonly string[],
  body: Workload['body'],
): Workload {
  const request: HttpRequest = { method: 'GET', path: `/api/v1${path}`, headers: {} };
  return { id, what, protocol: 'REST', request, authenticated: false, sql, parameters, body };
}

function graphql(id: string, what: string, query: string, sql: string, parameters: readonly string[]): Workload {
  const text = query.replaceAll(',', ' ').replaceAll(/\s+/g, ' ');
  const request: HttpRequest = {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  };
  const name = /\w+/.exec(text)?.[0] ?? '';
  return { id, what, protocol: 'GraphQL', request, authenticated: false, sql, parameters, body: field(name) };
}

function withHeaders(headers: Readonly<Record<string, string>>, workload: Workload): Workload {
  const { request } = workload;
  return { ...workload, request: { ...request, headers: { ...request.headers, ...headers } } };
}

function authenticated(headers: Readonly<Record<string, string>>, workload: Workload): Workload {
  return { ...withHeaders(headers, workload), authenticated: true };
}
