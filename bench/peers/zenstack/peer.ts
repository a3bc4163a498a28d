import type { Data, Exchanges, HttpRequest, Peer } from '../../harness/target.js';
import { threeLevels } from '../shared/server/three-levels.js';
import { startOf } from '../shared/start.js';

export const peer: Peer = {
  name: 'ZenStack 3',
  protocol: 'RPC',
  // ZenStack adds its own policies to its SQL, so it does not need the role that is subject to the
  // database's policies.
  start: startOf('zenstack', 'admin'),
  requests,
};

function requests({ token }: Data): Exchanges {
  return {
    W1: { request: ({ id }) => get('customer/findUnique', { where: { id } }), rows: data },
    W2: {
      request: ({ country }) => get('customer/findMany', { where: { country }, orderBy: { id: 'asc' }, take: 30 }),
      rows: data,
    },
    W3: { request: () => get('customer/findMany', threeLevels), rows: data },
    W4: { request: ({ payment }) => send('POST', 'payment/create', { data: payment }), rows: data },
    W4b: {
      request: ({ payments }) => send('POST', 'payment/createMany', { data: payments }),
      rows: (body) => (data(body) as { count: number }).count,
    },
    W4c: {
      request: ({ id, quantity }) => send('PATCH', 'stock/update', { where: { id }, data: { quantity } }),
      rows: data,
    },
    W4d: {
      request: ({ stock: { sku, ...values } }) =>
        send('POST', 'stock/upsert', { where: { sku }, create: { sku, ...values }, update: values }),
      rows: data,
    },
    W5: {
      request: ({ warehouse }) => get('order/aggregate', { where: { warehouse }, _count: true, _sum: { total: true } }),
      rows: (body) => {
        const { _count, _sum } = data(body) as { _count: number; _sum: { total: string } };
        return { count: _count, sum: _sum.total };
      },
    },
    W6: { request: () => get('customer/findMany', { orderBy: { id: 'asc' }, take: 1000 }), rows: data },
    W7: {
      request: () =>
        get(
          'document/findMany',
          { where: { status: 'open' }, orderBy: { id: 'desc' }, take: 30 },
          { authorization: `Bearer ${token}` },
        ),
      rows: data,
    },
  };
}

const data = (body: unknown): unknown => (body as { data: unknown }).data;

const get = (operation: string, query: object, headers: HttpRequest['headers'] = {}): HttpRequest => ({
  method: 'GET',
  path: `/api/${operation}?q=${encodeURIComponent(JSON.stringify(query))}`,
  headers,
});

const send = (method: 'POST' | 'PATCH', operation: string, body: object): HttpRequest => ({
  method,
  path: `/api/${operation}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
