import { request } from 'node:http';
import pg from 'pg';
import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';
import { until } from '../../support/until.js';

/**
 * When a client disconnects before the answer to its write, the database stops the write and keeps
 * nothing of it.
 */
let db: WriteDatabase;
let server: WriteServer;

beforeAll(async () => {
  db = await createWriteDatabase(
    `create schema yard;
     create table yard.items (id int primary key, n int not null default 0);
     insert into yard.items values (1), (2);
     create table yard.slow (id int primary key, waited text default pg_sleep(600)::text);`,
    ['yard'],
  );
  server = await startWriteServer(db, { environment: { APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '120000' } });
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

const json = { 'content-type': 'application/json' };
const role = (): string => new URL(db.roleUrl).username;

function untilActive(active: number): Promise<void> {
  const count = `select count(*)::int n from pg_stat_activity where usename = '${role()}' and state <> 'idle'`;
  return until(async () => (await db.query(count))[0]?.['n'] === active);
}

/** Sends a request, and disconnects once the database works on it. */
async function leave(method: string, path: string, prefer: string, body: string): Promise<void> {
  const sent = request(`${server.base}${path}`, { method, headers: { ...json, prefer } });
  sent.on('error', () => undefined);
  sent.end(body);
  await untilActive(1);
  sent.destroy();
}

test.each(['return=representation', 'max-affected=1', 'tx=rollback'])(
  'one that waits for a lock is stopped, at a warm server (%s)',
  async (prefer) => {
    const write = (id: number) => server.send('PATCH', `/api/v1/items?id=eq.${id}`, { ...json, prefer }, '{"n":1}');
    for (let times = 0; times < 40; times += 1) expect((await write(1)).status).toBe(200);
    const locker = new pg.Client(db.url);
    await locker.connect();
    await locker.query('begin; select from yard.items where id = 2 for update');
    try {
      await leave('PATCH', '/api/v1/items?id=eq.2', prefer, '{"n":7}');
      await untilActive(0);
    } finally {
      await locker.end();
    }
    expect(await db.query('select n from yard.items where id = 2 and n = 7')).toEqual([]);
    expect((await write(2)).status).toBe(200);
  },
);

test.each(['return=representation', 'max-affected=1'])('one that takes long is stopped (%s)', async (prefer) => {
  await leave('POST', '/api/v1/slow', prefer, '{"id":1}');
  await untilActive(0);
  expect(await db.query('select from yard.slow')).toEqual([]);
});
