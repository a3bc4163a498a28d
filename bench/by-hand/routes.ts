import { documents } from '../targets/graphql-requests.js';
import type { Payment, Stock, WorkloadId } from '../workloads/inputs.js';
import type * as statements from './statements.js';

/** The SQL of the requests. A request is not served where the database has no statement for it. */
export type Statements = Partial<Record<keyof typeof statements, string>>;

/** Answers one workload in one protocol. */
export interface Route {
  readonly name: string;
  readonly sql: string;
  /**
   * Whether the request has a token: the claims of the token are set in the transaction of the
   * read.
   */
  readonly authenticated: boolean;
  readonly status: number;
  /** Makes the body from the columns of the single row that the SQL returns. */
  body(row: readonly string[]): string;
}

export interface RestRoute extends Route {
  readonly method: string;
  /** The URL before the varying value; `after` is the rest of the URL. */
  readonly before: string;
  readonly after: string;
  values(value: string, body: string): readonly string[];
}

export interface GraphqlRoute extends Route {
  /** The text of the document, as the clients of the workloads send it. */
  readonly document: string;
  values(variables: never): readonly string[];
}

const nothing = (): readonly string[] => [];
const first = ([row]: readonly string[]): string => row ?? 'null';
const inList = ([row]: readonly string[]): string => `[${row ?? ''}]`;
const envelope =
  (limit: number) =>
  ([data, total]: readonly string[]): string =>
    `{"data":${data ?? ''},"pagination":{"limit":${limit},"offset":0,"total":${total ?? 'null'}}}`;

const paymentValues = ({ order_id, method, amount, reference, paid_at }: Payment): readonly string[] => [
  String(order_id),
  method,
  amount,
  reference,
  paid_at,
];
const stockValues = ({ sku, quantity, price, updated_at }: Stock): readonly string[] => [
  sku,
  String(quantity),
  price,
  updated_at,
];

type RestPart = Pick<RestRoute, 'body'> & Partial<Omit<RestRoute, 'sql'>> & { readonly sql: string | undefined };

const rest = (name: string, method: string, url: string, { sql, ...part }: RestPart): readonly RestRoute[] => {
  const [before = '', after = ''] = `/api/v1${url}`.split('{}');
  const defaults = { name, method, before, after, authenticated: false, status: 200, values: nothing };
  return sql === undefined ? [] : [{ ...defaults, ...part, sql }];
};

const onlyValue = (value: string): readonly string[] => [decodeURIComponent(value)];

export const restRoutes = (sql: Statements): readonly RestRoute[] => [
  ...rest('W1', 'GET', '/customers/{}', { sql: sql.byKey, values: onlyValue, body: first }),
  ...rest('W2', 'GET', '/customers?country=eq.{}&order=id.asc&limit=30', {
    sql: sql.filtered,
    values: onlyValue,
    body: envelope(30),
  }),
  ...rest(
    'W3',
    'GET',
    '/customers?select=id,name,orders(id,total,status,items(id,product,quantity,price))&order=id.asc&limit=10' +
      '&orders.order=id.asc&orders.limit=10&orders.items.order=id.asc&orders.items.limit=3',
    { sql: sql.threeLevels, body: envelope(10) },
  ),
  ...rest('W4b', 'POST', '/payments?select=id', {
    sql: sql.insertMany,
    status: 201,
    values: (_, body) => [body],
    body: first,
  }),
  ...rest('W4', 'POST', '/payments', {
    sql: sql.insertOne,
    status: 201,
    values: (_, body) => paymentValues(JSON.parse(body) as Payment),
    body: first,
  }),
  ...rest('W4c', 'PATCH', '/stock?id=eq.{}', {
    sql: sql.updateByKey,
    values: (value, body) => [value, String((JSON.parse(body) as Stock).quantity)],
    body: inList,
  }),
  ...rest('W4d', 'POST', '/stock?on_conflict=sku', {
    sql: sql.upsert,
    status: 201,
    values: (_, body) => stockValues(JSON.parse(body) as Stock),
    body: first,
  }),
  ...rest('W5', 'GET', '/orders?select=id,total&warehouse=eq.{}&order=id.asc&limit=1', {
    sql: sql.counted,
    values: onlyValue,
    body: envelope(1),
  }),
  ...rest('W6', 'GET', '/customers?order=id.asc&limit=1000', { sql: sql.wide, body: envelope(1000) }),
  ...rest(
    'W7',
    'GET',
    '/documents?select=id,owner,title,body,status,created_at&status=eq.open&order=id.desc&limit=30',
    {
      sql: sql.own,
      authenticated: true,
      body: envelope(30),
    },
  ),
];

type GraphqlPart = Partial<Pick<GraphqlRoute, 'authenticated' | 'body' | 'values'>> & {
  readonly sql: string | undefined;
};

const graphql = (
  name: WorkloadId,
  field: string,
  { sql, body = first, ...part }: GraphqlPart,
): readonly GraphqlRoute[] => {
  if (sql === undefined) return [];
  return [
    {
      name,
      document: documents[name].replaceAll(/\s+/g, ' '),
      authenticated: false,
      status: 200,
      values: nothing,
      body: (row) => `{"data":{"${field}":${body(row)}}}`,
      ...part,
      sql,
    },
  ];
};

export const graphqlRoutes = (sql: Statements): readonly GraphqlRoute[] => [
  ...graphql('W1', 'benchCustomersByPk', { sql: sql.byKey, values: ({ id }: { id: number }) => [String(id)] }),
  ...graphql('W2', 'benchCustomers', { sql: sql.filtered, values: ({ country }: { country: string }) => [country] }),
  ...graphql('W3', 'benchCustomers', { sql: sql.threeLevels }),
  ...graphql('W4', 'createBenchPayments', {
    sql: sql.insertOne,
    values: ({ payment }: { payment: Payment }) => paymentValues(payment),
  }),
  ...graphql('W4b', 'createManyBenchPayments', {
    sql: sql.insertMany,
    values: ({ payments }: { payments: readonly Payment[] }) => [JSON.stringify(payments)],
  }),
  ...graphql('W4c', 'updateBenchStock', {
    sql: sql.updateByKey,
    values: ({ id, quantity }: { id: number; quantity: number }) => [String(id), String(quantity)],
    body: inList,
  }),
  ...graphql('W4d', 'createBenchStock', {
    sql: sql.upsert,
    values: ({ stock }: { stock: Stock }) => stockValues(stock),
  }),
  ...graphql('W5', 'benchOrdersAggregate', {
    sql: sql.aggregated,
    values: ({ warehouse }: { warehouse: number }) => [String(warehouse)],
  }),
  ...graphql('W6', 'benchCustomers', { sql: sql.wide }),
  ...graphql('W7', 'benchDocuments', { sql: sql.own, authenticated: true }),
];
