import type { Exchanges, HttpRequest, Peer } from '../../harness/target.js';
import { startOf } from '../shared/start.js';

/** Only for MariaDB: see mysql/mysql.ts. */
export const peer: Peer = {
  name: 'Prisma 7',
  protocol: 'REST',
  start: startOf('prisma', 'admin'),
  requests,
};

function requests(): Exchanges {
  return {
    W1: { request: ({ id }) => get(`/customers/${String(id)}`), rows: whole },
    W2: { request: ({ country }) => get(`/customers?country=${encodeURIComponent(country)}&take=30`), rows: whole },
    W3: { request: () => get('/three-levels'), rows: whole },
    W4: {
      request: ({ payment }) => ({
        method: 'POST',
        path: '/payments',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payment),
      }),
      rows: whole,
    },
    W5: {
      request: ({ warehouse }) => get(`/orders/figures?warehouse=${String(warehouse)}`),
      rows: (body) => {
        const { _count, _sum } = body as { readonly _count: number; readonly _sum: { readonly total: string } };
        return { count: _count, sum: _sum.total };
      },
    },
    W6: { request: () => get('/customers?take=1000'), rows: whole },
  };
}

const whole = (body: unknown): unknown => body;

const get = (path: string): HttpRequest => ({ method: 'GET', path, headers: {} });
