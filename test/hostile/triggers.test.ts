import pg from 'pg';
import { request } from 'node:http';
import { activity, openServed, until, type Served, type ServedServer } from '../support/served-as-role.js';
import type { Reply } from '../runtime/rest/support/client.js';
import { insert, protocols, update, verdictOf, type Protocol } from './support/requests.js';

/** The exception handlers of triggers, each for a table of its own. */
const handlers = { others: 'others', lock: 'lock_not_available', cancel: 'query_canceled' } as const;

const tables = Object.entries(handlers).map(
  ([name, condition]) => `
  create table hostile.items_${name} (id integer primary key, title text not null default '');
  insert into hostile.items_${name} (id) select generate_series(1, 50);
  create function hostile.audit_${name}() returns trigger language plpgsql as $$
  begin
    perform nextval('hostile.ran');
    begin
      perform from hostile.gate where id = 1 for share;
      insert into hostile.audit (tag) values (new.title);
    exception when ${condition} then
      null;
    end;
    return new;
  end $$;
  create trigger audit before update on hostile.items_${name} for each row execute function hostile.audit_${name}();`,
);

const schema = `
  create schema hostile;
  create sequence hostile.ran;
  create table hostile.gate (id integer primary key);
  insert into hostile.gate values (1), (2);
  create table hostile.audit (id bigint generated always as identity primary key, tag text not null);
  create table hostile.plain (id integer primary key, title text not null default '');
  insert into hostile.plain (id) select generate_series(1, 50);
  ${tables.join('')}
  -- Sleeps until the gate is opened.
  create table hostile.sleepy (id integer primary key, title text not null);
  create function hostile.sleep() returns trigger language plpgsql as $$
  begin
    while exists (select from hostile.gate where id = 2) loop perform pg_sleep(0.01); end loop;
    return new;
  end $$;
  create trigger sleep before insert on hostile.sleepy for each row execute function hostile.sleep();
  -- Goes on when it is told to stop.
  create table hostile.stubborn (id integer primary key, title text not null);
  create function hostile.go_on() returns trigger language plpgsql as $$
  begin
    begin perform pg_sleep(3); exception when query_canceled then null; end;
    return new;
  end $$;
  create trigger go_on before insert on hostile.stubborn for each row execute function hostile.go_on();`;

let served: Served;
let server: ServedServer;

beforeAll(async () => {
  served = await openServed({ name: 'hostile', schema: 'hostile', sql: schema });
  server = await served.start({ APP_LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await served.drop();
});

/** Runs the statement often enough for the server to know its usual duration. */
async function warm(table: string): Promise<void> {
  for (let at = 0; at < 40; at += 1)
    await update(server, protocols[at % 2] ?? 'REST', table, 1 + (at % 50), { title: '' });
  await served.query(`delete from hostile.audit`);
}

/** Holds the lock on the gate's row during the work. */
async function holding<T>(work: (release: () => Promise<unknown>) => Promise<T>): Promise<T> {
  const client = new pg.Client(served.url);
  await client.connect();
  try {
    await client.query('begin; select from hostile.gate where id = 1 for update');
    return await work(() => client.query('rollback'));
  } finally {
    await client.end();
  }
}

const waiting = async (): Promise<number> => (await activity(served)).filter(({ waits }) => waits === 'Lock').length;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const ran = async (): Promise<number> =>
  Number((await served.query<{ n: string }>(`select nextval('hostile.ran') as n`))[0]?.n);
const audited = async (): Promise<readonly string[]> =>
  (await served.query<{ tag: string }>('select tag from hostile.audit')).map(({ tag }) => tag).sort();

const both = (at: number): Protocol => protocols[at % 2] ?? 'REST';

describe.each(Object.keys(handlers))('a trigger that catches: %s', (name) => {
  test('writes all that it writes, however long it waits for a lock, and runs once', async () => {
    const table = `items_${name}`;
    await warm(table);
    const before = await ran();
    const tags = Array.from({ length: 16 }, (_, at) => `${name} ${10 + at}`);
    const replies = await holding(async (release) => {
      const asked = tags.map((title, at) => update(server, both(at), table, 1 + at, { title }));
      await until(async () => (await waiting()) > 0);
      // Longer than any lock timeout after which the server would retry.
      await pause(300);
      await release();
      return await Promise.all(asked);
    });
    expect(replies.map(verdictOf)).toEqual(tags.map(() => 'done'));
    expect(await audited()).toEqual(tags);
    expect((await ran()) - before - 1).toBe(16);
  });
});

describe('the writes of others are done while one', () => {
  const others = (): Promise<readonly Reply[]> =>
    Promise.all(Array.from({ length: 24 }, (_, at) => update(server, both(at), 'plain', 1 + at, { title: 'x' })));

  test('waits for a lock', async () => {
    await warm('plain');
    await warm('items_others');
    await holding(async (release) => {
      const held = update(server, 'REST', 'items_others', 1, { title: 'held' });
      const together = others();
      await until(async () => (await waiting()) === 1);
      expect((await together).map(verdictOf)).toEqual(Array.from({ length: 24 }, () => 'done'));
      expect((await others()).map(verdictOf)).toEqual(Array.from({ length: 24 }, () => 'done'));
      expect(await audited()).toEqual([]);
      await release();
      expect(verdictOf(await held)).toBe('done');
      expect(await audited()).toEqual(['held']);
    });
  });

  test('sleeps in a trigger', async () => {
    await warm('plain');
    const slept = protocols.map((protocol, id) => insert(server, protocol, 'sleepy', { id, title: protocol }));
    expect((await others()).map(verdictOf)).toEqual(Array.from({ length: 24 }, () => 'done'));
    expect((await others()).map(verdictOf)).toEqual(Array.from({ length: 24 }, () => 'done'));
    expect(await served.query('select from hostile.sleepy')).toEqual([]);
    await served.query('delete from hostile.gate where id = 2');
    expect((await Promise.all(slept)).map(verdictOf)).toEqual(['done', 'done']);
  });
});

test.each(protocols)(
  'a trigger that ignores its timeout: the answer says what the table says, %s',
  async (protocol) => {
    const hurried = await served.start({ APP_LOG_LEVEL: 'silent', APP_DATASOURCE_WRITE_TIMEOUT_MS: '200' });
    try {
      const id = protocols.indexOf(protocol);
      const reply = await insert(hurried, protocol, 'stubborn', { id, title: 'x' });
      const rows = await served.query('select from hostile.stubborn where id = $1', [id]);
      expect([verdictOf(reply), rows.length]).toEqual(verdictOf(reply) === 'done' ? ['done', 1] : ['refused', 0]);
    } finally {
      await hurried.stop();
    }
  },
);

test('a write whose client has left is stopped while it waits, and writes nothing', async () => {
  await warm('plain');
  const before = await audited();
  await holding(async (release) => {
    const body = '{"title": "left"}';
    const leaving = request(`${server.base}/api/v1/items_lock?id=eq.30`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    });
    leaving.on('error', () => undefined);
    leaving.end(body);
    await until(async () => (await waiting()) === 1);
    leaving.destroy();
    await until(async () => (await waiting()) === 0);
    await release();
  });
  expect(await audited()).toEqual(before);
  expect(await served.query(`select from hostile.items_lock where title = 'left'`)).toEqual([]);
});
