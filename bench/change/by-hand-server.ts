import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { POOL_SIZE } from '../harness/target.js';
import { OwnPool } from '../by-hand/own-client.js';
import { changes, type Bearer, type Step } from './changes.js';

/**
 * A hand-written server for these requests, over REST: paths and tokens are Map look-ups, SQL is
 * fixed and prepared, and the database writes the JSON. It neither parses nor validates.
 */
const bearers = JSON.parse(process.env['BENCH_BEARERS'] ?? '[]') as readonly Bearer[];
const users = new Map(bearers.map(({ token, user }) => [`Bearer ${token}`, user]));
const pool = new OwnPool(process.env['DATABASE_URL'] ?? '', POOL_SIZE);

const steps = changes(bearers).flatMap((change) => change.steps);
const routes = new Map(steps.flatMap((step) => step.asked.map(({ rest }): [string, Step] => [rest.path, step])));
const names = new Map([...new Set(steps.map(({ sql }) => sql))].map((sql, at) => [sql, `statement${at}`]));

const setClaims =
  "select set_config('request.user_id', $1, true), set_config('request.project_id', $2, true), set_config('request.jwt.claims', $3, true)";

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const step = routes.get(request.url ?? '');
  if (step === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { sql, values, limit } = step;
  const read = { name: names.get(sql) ?? '', text: sql, values };
  const user = users.get(request.headers.authorization ?? '');
  const claims =
    user === undefined ? [] : [{ name: 'claims', text: setClaims, values: [user, '', `{"sub":"${user}"}`] }];
  const rows = await pool.run([...claims, read]);
  const body = `{"data":${rows[0]?.[0] ?? '[]'},"pagination":{"limit":${limit},"offset":0,"total":null}}`;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body, 'latin1');
}

createServer((request, response) => {
  if (request.url === '/health/ready') {
    response.end();
    return;
  }
  respond(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));
