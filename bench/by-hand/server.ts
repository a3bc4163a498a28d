import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openDatabase } from './database.js';
import { graphqlRoutes, restRoutes, type GraphqlRoute, type Route } from './routes.js';

/**
 * A hand-written server for exactly the requests of the workloads. SQL is fixed and prepared,
 * values come from the request and are bound, tokens and documents are Map look-ups, and the
 * database writes the JSON. There is no validation, no limit and no readable error.
 */
const claims = new Map([[`Bearer ${process.env['BENCH_TOKEN'] ?? ''}`, process.env['BENCH_CLAIMS'] ?? '']]);
const users = new Map([...claims.values()].map((text) => [text, (JSON.parse(text) as { sub: string }).sub]));
const database = openDatabase(process.env['DATABASE_URL'] ?? '');
const [rest, graphql] = [restRoutes(database.statements), graphqlRoutes(database.statements)];
const documents = new Map<string, GraphqlRoute>(graphql.map((route) => [route.document, route]));

/** REST and GraphQL share a prepared statement where its text is the same. */
const names = new Map(
  [...new Set([...rest, ...graphql].map((route) => route.sql))].map((text, at) => [text, `statement${at}`]),
);

const setClaims =
  "select set_config('request.user_id', $1, true), set_config('request.project_id', $2, true), set_config('request.jwt.claims', $3, true)";

/** Whether writes keep what the generated server keeps. */
const withCare = process.env['BENCH_WITH_CARE'] === 'true';
const isWrite = (sql: string): boolean => /\b(?:insert into|update) /.test(sql);

type Answer = Promise<{ readonly status: number; readonly body: string }>;

function answerRest(request: IncomingMessage, body: string): Answer | undefined {
  const { method, url = '' } = request;
  for (const route of rest) {
    if (route.method !== method || !url.startsWith(route.before) || !url.endsWith(route.after)) continue;
    return run(route, request, route.values(url.slice(route.before.length, url.length - route.after.length), body));
  }
  return undefined;
}

function answerGraphql(request: IncomingMessage, body: string): Answer | undefined {
  const { query, variables } = JSON.parse(body) as { query: string; variables: never };
  const route = documents.get(query);
  return route === undefined ? undefined : run(route, request, route.values(variables));
}

async function run(route: Route, request: IncomingMessage, values: readonly string[]): Answer {
  const read = { name: names.get(route.sql) ?? '', text: route.sql, values };
  const verified = route.authenticated ? claims.get(request.headers.authorization ?? '') : undefined;
  const statements =
    verified === undefined
      ? [read]
      : [{ name: 'claims', text: setClaims, values: [users.get(verified) ?? '', '', verified] }, read];
  const rows = withCare && isWrite(route.sql) ? await database.writeWithCare?.(read) : await database.run(statements);
  const [row = []] = rows ?? [];
  return { status: route.status, body: route.body(row) };
}

async function respond(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
  const answer = await (request.url === '/graphql' ? answerGraphql(request, text) : answerRest(request, text));
  if (answer === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { encoding } = database;
  const length = Buffer.byteLength(answer.body, encoding);
  const headers = { 'content-type': 'application/json', 'content-length': length };
  response.writeHead(answer.status, headers).end(answer.body, encoding);
}

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
    respond(request, response, '').catch(fail(response));
  } else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      respond(request, response, Buffer.concat(chunks).toString()).catch(fail(response));
    });
  }
}).listen(Number(process.env['PORT']), '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));
