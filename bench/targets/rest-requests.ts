import type { Data, Exchanges, HttpRequest } from '../harness/target.js';

/** The workloads as requests to the REST API of the generated server. */
export function restRequests({ token }: Data): Exchanges {
  return {
    W1: { request: ({ id }) => get(`/customers/${id}`), rows: (body) => body },
    W2: { request: ({ country }) => get(`/customers?country=eq.${country}&order=id.asc&limit=30`), rows: dataOf },
    W3: {
      request: () =>
        get(
          '/customers?select=id,name,orders(id,total,status,items(id,product,quantity,price))&order=id.asc&limit=10' +
            '&orders.order=id.asc&orders.limit=10&orders.items.order=id.asc&orders.items.limit=3',
        ),
      rows: dataOf,
    },
    W4: { request: ({ payment }) => send('POST', '/payments', payment), rows: (body) => body },
    W4b: {
      request: ({ payments }) => send('POST', '/payments?select=id', payments),
      rows: (body) => (body as readonly unknown[]).length,
    },
    W4c: { request: ({ id, quantity }) => send('PATCH', `/stock?id=eq.${id}`, { quantity }), rows: firstOf },
    W4d: {
      request: ({ stock }) => send('POST', '/stock?on_conflict=sku', stock, { prefer: 'resolution=merge-duplicates' }),
      rows: (body) => body,
    },
    W5: {
      request: ({ warehouse }) =>
        get(`/orders?select=id,total&warehouse=eq.${warehouse}&order=id.asc&limit=1`, { prefer: 'count=exact' }),
      rows: (body) => ({ count: (body as Envelope).pagination.total }),
    },
    W6: { request: () => get('/customers?order=id.asc&limit=1000'), rows: dataOf },
    W7: {
      request: () =>
        get('/documents?select=id,owner,title,body,status,created_at&status=eq.open&order=id.desc&limit=30', {
          authorization: `Bearer ${token}`,
        }),
      rows: dataOf,
    },
  };
}

interface Envelope {
  readonly data: readonly unknown[];
  readonly pagination: { readonly total: number | null };
}

const dataOf = (body: unknown): unknown => (body as Envelope).data;
const firstOf = (body: unknown): unknown => (body as readonly unknown[])[0];

const get = (path: string, headers: HttpRequest['headers'] = {}): HttpRequest => ({
  method: 'GET',
  path: `/api/v1${path}`,
  headers,
});

const send = (
  method: 'POST' | 'PATCH',
  path: string,
  body: unknown,
  headers: HttpRequest['headers'] = {},
): HttpRequest => ({
  method,
  path: `/api/v1${path}`,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
