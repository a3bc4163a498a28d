import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import { createServer, type TablewrightServer } from '../../../runtime/src/extensions/create-server.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { sendRaw } from '../../support/raw-http.js';
import { importGenerated } from '../../support/import-generated.js';
import { describeDatabase } from '../../support/describe-database.js';
import { until } from '../../support/until.js';

/**
 * When a client disconnects before its answer, the server cancels the statement and reports no
 * failure.
 */
let database: TestDatabase;
let locking: pg.Client;
/** Not in a transaction, where the statements of others stay as they were at first. */
let watching: pg.Client;
let server: TablewrightServer;
const observed: Observation[] = [];

beforeAll(async () => {
  database = await createTestDatabase('disconnect');
  await loadSql(database.url, 'create schema leak; create table leak.notes (id int, owner text)');
  server = createServer({
    generated: await importGenerated(await describeDatabase(database.url)),
    environment: {
      DATABASE_URL: database.url,
      PORT: '0',
      APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '3000',
      APP_CACHE_SCHEMA_TTL_MINUTES: '0',
    },
    observe: (observation) => observed.push(observation),
  });
  await server.listen({ ownsProcess: false });
  locking = new pg.Client({ connectionString: database.url });
  watching = new pg.Client({ connectionString: database.url });
  await Promise.all([locking.connect(), watching.connect()]);
});
afterAll(async () => {
  await Promise.all([locking.end(), watching.end()]);
  await server.close();
  await database.drop();
});

/**
 * The number of requests' statements that wait for the lock. A look at the schema at the start may
 * wait for it, too.
 */
async function waiting(): Promise<number> {
  const { rows } = await watching.query<{ n: number }>(
    `select count(*)::int n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%"notes"%'`,
  );
  return rows[0]?.n ?? 0;
}

const untilWaiting = (count: number): Promise<void> => until(async () => (await waiting()) === count);

const query = '{"query":"{ leakNotes { id } }"}';
const requests: readonly (readonly [string, string, string])[] = [
  ['/api/v1', 'GET', 'GET /api/v1/notes HTTP/1.1\r\nhost: localhost\r\nx-request-id: %\r\n\r\n'],
  [
    '/graphql',
    'POST',
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-request-id: %\r\ncontent-type: application/json\r\ncontent-length: ${query.length}\r\n\r\n${query}`,
  ],
];

test.each(requests)('%s: it is observed as 499, and as no failure', async (route, method, request) => {
  const id = `leaving${route.replaceAll('/', '-')}`;
  await locking.query('begin; lock table leak.notes in access exclusive mode');
  const { hostname, port } = new URL(server.address ?? '');
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(request.replace('%', id));
  await untilWaiting(1);
  socket.destroy();
  await untilWaiting(0);
  await locking.query('rollback');
  const ofIt = (): readonly Observation[] => observed.filter((each) => JSON.stringify(each).includes(id));
  while (ofIt().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const milliseconds = expect.any(Number) as number;
  const template = expect.stringMatching(new RegExp(`^${route}`)) as string;
  expect(ofIt()).toEqual([{ kind: 'request', id, method, route, template, status: 499, milliseconds }]);
});

test('a statement that is cancelled for its time while the client waits is a failure still', async () => {
  await locking.query('begin; lock table leak.notes in access exclusive mode');
  const reply = await sendRaw(`${server.address ?? ''}/api/v1/notes`, { headers: { 'x-request-id': 'slow' } });
  await locking.query('rollback');
  expect(reply.status).toBe(504);
  expect(observed).toContainEqual(expect.objectContaining({ kind: 'failure', requestId: 'slow' }));
});
