import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { CONNECTIONS } from '../harness/load.js';
import { oneSync, type Prepared } from './one-sync.js';
import { workloads, type Workload } from './workloads.js';

/**
 * The limit: a server by hand for exactly the requests of the workloads. Routes and tokens are Map look-ups, SQL is fixed and prepared,
 * the database writes the JSON. No parsing, no validation, no limits, no errors that one could understand.
 */
const token = process.env['BENCH_TOKEN'] ?? '';
const claims = new Map([[`Bearer ${token}`, process.env['BENCH_CLAIMS'] ?? '']]);
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS });
const routes = workloads(token).map(prepare);
const gets = new Map(routes.map((route) => [route.workload.request.path, route]));
const posts = new Map(routes.map((route) => [route.workload.request.body, route]));

interface Route {
  readonly workload: Workload;
  readonly read: Prepared;
}

function prepare(workload: Workload, at: number): Route {
  const { sql: text, parameters: values } = workload;
  return { workload, read: { name: `read${at}`, text, values } };
}

const setClaims =
  "select set_config('request.user_id', $1, true), set_config('request.project_id', $2, true), set_config('request.jwt.claims', $3, true)";

async function answer(route: Route | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (route === undefined) {
    response.writeHead(404).end();
    return;
  }
  const verified = route.workload.authenticated ? claims.get(request.headers.authorization ?? '') : undefined;
  const statements =
    verified === undefined
      ? [route.read]
      : [{ name: 'claims', text: setClaims, values: [userOf(verified), '', verified] }, route.read];
  const client = await pool.connect();
  let body: string;
  try {
    const rows = await oneSync(client, statements);
    body = route.workload.body(rows[0] ?? []);
  } finally {
    client.release();
  }
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}

const users = new Map([...claims.values()].map((text) => [text, (JSON.parse(text) as { sub: string }).sub]));
const userOf = (verified: string): string => users.get(verified) ?? '';

function fail(response: ServerResponse): (error: unknown) => void {
  return (error) => {
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  };
}

createServer((request, response) => {
  if (request.url === '/health/ready') {
    response.end();
  } else if (request.method === 'GET') {
    answer(gets.get(request.url ?? ''), request, response).catch(fail(response));
  } else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer(posts.get(Buffer.concat(chunks).toString()), request, response).catch(fail(response));
    });
  }
}).listen(Number(process.env['PORT']), '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));
