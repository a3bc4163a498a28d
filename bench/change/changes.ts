import type { HttpRequest } from '../harness/target.js';
import { customerColumns, documentColumns } from '../workloads/workloads.js';
import { depths, nestedGraphql, nestedRest, nestedSql } from './depth.js';

/** One request in both protocols, with the user who sends it. */
export interface Asked {
  readonly rest: HttpRequest;
  readonly graphql: HttpRequest;
  readonly user?: string;
}

/** One point on the axis: the requests sent there, and the SQL that gives the expected answer. */
export interface Step {
  /** The position on the axis: the number of rows, filters, levels or users. */
  readonly x: number;
  readonly connections: number;
  /** The requests are sent in turn. */
  readonly asked: readonly Asked[];
  /** Returns the expected list as JSON text. */
  readonly sql: string;
  readonly values: readonly string[];
  /** The `limit` in the envelope of the REST answer. */
  readonly limit: number;
}

/** One quantity that grows while everything else stays the same. */
export interface Change {
  readonly id: string;
  /** The title in the table. */
  readonly title: string;
  /** The label of the axis. */
  readonly axis: string;
  readonly unit: string;
  readonly scale: 'linear' | 'log';
  readonly steps: readonly Step[];
}

/** The token of a user, and the user name in its claims. */
export interface Bearer {
  readonly token: string;
  readonly user: string;
}

export const MOST_ROWS = 10_000;
export const MOST_USERS = 256;

/** @param bearers MOST_USERS users, each with a token of its own */
export const changes = (bearers: readonly Bearer[]): readonly Change[] => [rows, filters, depth, users(bearers)];

const get = (path: string, headers: HttpRequest['headers'] = {}): HttpRequest => ({
  method: 'GET',
  path: `/api/v1${path}`,
  headers,
});

const post = (query: string, variables: object, headers: HttpRequest['headers'] = {}): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ query: query.replaceAll(/[\s,]+/g, ' ').trim(), variables }),
});

const list = (select: string, order = 'id'): string =>
  `select coalesce(json_agg(t order by ${order}), '[]')::text from (${select}) t`;

const rows: Change = {
  id: 'rows',
  title: 'rows of 11 columns',
  axis: 'answer rows',
  unit: 'row',
  scale: 'log',
  steps: [1, 10, 100, 1000, MOST_ROWS].map((count) => ({
    x: count,
    connections: 1,
    asked: [
      {
        rest: get(`/customers?order=id.asc&limit=${count}`),
        graphql: post(
          `query ($limit: Int!) { list: benchCustomers(orderBy: { id: ASC }, limit: $limit) { ${customerColumns} } }`,
          { limit: count },
        ),
      },
    ],
    sql: list(`select ${customerColumns} from bench.customers order by id limit $1::integer`),
    values: [String(count)],
    limit: count,
  })),
};

/** Filters that every row passes, so that the answer stays the same. */
const filtered = (count: number): readonly { readonly column: string; readonly value: string }[] =>
  Array.from({ length: count }, (_, at) => ({
    column: ['name', 'email', 'city', 'country'][at % 4] ?? 'name',
    value: `none${at}`,
  }));

const filters: Change = {
  id: 'filters',
  title: 'filters, 30 rows in the answer',
  axis: 'filters',
  unit: 'filter',
  scale: 'linear',
  steps: [0, 1, 2, 4, 8, 16, 32].map((count) => {
    const all = filtered(count);
    const where =
      all.length === 0 ? '' : `where ${all.map(({ column }, at) => `${column} <> $${at + 1}`).join(' and ')}`;
    return {
      x: count,
      connections: 1,
      asked: [
        {
          rest: get(
            `/customers?${all.map(({ column, value }) => `${column}=neq.${value}&`).join('')}order=id.asc&limit=30`,
          ),
          graphql: post(
            `query ($where: BenchCustomersWhereInput!) {
              list: benchCustomers(where: $where, orderBy: { id: ASC }, limit: 30) { ${customerColumns} }
            }`,
            { where: { and: all.map(({ column, value }) => ({ [column]: { neq: value } })) } },
          ),
        },
      ],
      sql: list(`select ${customerColumns} from bench.customers ${where} order by id limit 30`),
      values: all.map(({ value }) => value),
      limit: 30,
    };
  }),
};

const depth: Change = {
  id: 'depth',
  title: 'levels, 10 rows at each',
  axis: 'levels',
  unit: 'level',
  scale: 'linear',
  steps: depths.map((levels) => ({
    x: levels,
    connections: 1,
    asked: [{ rest: get(nestedRest(levels)), graphql: post(nestedGraphql(levels), {}) }],
    sql: nestedSql(levels),
    values: [],
    limit: 10,
  })),
};

const users = (bearers: readonly Bearer[]): Change => ({
  id: 'users',
  title: 'users at a time, each with a token, 30 rows under a policy',
  axis: 'users at a time',
  unit: 'user',
  scale: 'log',
  steps: [1, 4, 16, 64, MOST_USERS].map((count) => ({
    x: count,
    connections: count,
    asked: bearers.slice(0, count).map(({ token, user }) => {
      const authorization = `Bearer ${token}`;
      return {
        rest: get(`/documents?select=${documentColumns.replaceAll(' ', '')}&status=eq.open&order=id.desc&limit=30`, {
          authorization,
        }),
        graphql: post(
          `{ list: benchDocuments(where: { status: { eq: "open" } }, orderBy: { id: DESC }, limit: 30) { ${documentColumns} } }`,
          {},
          { authorization },
        ),
        user,
      };
    }),
    sql: list(`select ${documentColumns} from bench.documents where status = $1 order by id desc limit 30`, 'id desc'),
    values: ['open'],
    limit: 30,
  })),
});
