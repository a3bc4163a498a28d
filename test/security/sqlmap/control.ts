import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { openPool } from '../../support/postgres.js';
import type { Target } from './targets.js';

/**
 * A server that is injectable on purpose: it puts the same kinds of input into SQL unchanged. A run
 * that does not find its injections proves nothing about the real server.
 */
export interface Control {
  readonly base: string;
  stop(): Promise<void>;
}

export const controlTargets: readonly Target[] = [
  { name: 'control: a value in the URL', path: '/value?title=eq.ada%201*' },
  { name: 'control: a column’s name in the URL', path: '/order?order=id*' },
  { name: 'control: a header', path: '/header', headers: { 'Accept-Profile': 'vault*' } },
  { name: 'control: a variable in JSON', method: 'POST', path: '/json', body: { variables: { title: 'ada 1*' } } },
];

/** @param url a database with vault.sql, connected to as a role that sees its rows */
export async function startControl(url: string): Promise<Control> {
  const pool = openPool({ connectionString: url, max: 4 });
  const server = createServer((request, response) => {
    const end = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    sqlOf(request)
      .then((sql) => pool.query<Record<string, unknown>>(sql))
      .then(
        ({ rows }) => {
          end(200, { data: rows });
        },
        () => {
          end(500, { message: 'The database reported an error.' });
        },
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await pool.end();
    },
  };
}

async function sqlOf(request: IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
  switch (pathname) {
    case '/value':
      return `select id, title from vault.notes where title = '${(searchParams.get('title') ?? '').replace('eq.', '')}'`;
    case '/order':
      return `select id, title from vault.notes order by ${searchParams.get('order') ?? 'id'}`;
    case '/header':
      return `select table_name from information_schema.tables where table_schema = '${String(request.headers['accept-profile'])}'`;
    default: {
      const { variables } = (await readJson(request)) as { variables: { title: string } };
      return `select id, title from vault.notes where title = '${variables.title}'`;
    }
  }
}
