import type { Descriptors } from '../../../runtime/src/descriptor/registry.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import type { CommitEvent, Hooks } from '../../../runtime/src/execute/hooks/table-hooks.js';
import { describeDatabase } from '../../support/describe-database.js';
import {
  createWriteDatabase,
  driverOf,
  startWriteServer,
  type WriteDatabase,
  type WriteServer,
} from './support/server.js';

/**
 * A role that may update and not insert can replace existing rows, and triggers fire for the actual
 * operation.
 */
const sql = `
create schema ops;
create table ops.items (id int primary key, name text not null, size int, code text unique);
insert into ops.items values (1, 'one', 1, 'c1'), (2, 'two', 2, 'c2');
create table ops.plain (id int primary key, name text not null, size int, code text unique);
create table ops.fixed (id int primary key, name text);
insert into ops.fixed values (1, 'one');
create table ops.late (id int primary key deferrable initially deferred, name text);
insert into ops.late values (1, 'one');
create table ops.ruled (id int primary key, name text);
insert into ops.ruled values (1, 'one');
create rule quiet as on insert to ops.ruled where new.id < 0 do instead nothing;
create table ops.parts (id int, place text not null, primary key (id, place)) partition by list (place);
create table ops.parts_a partition of ops.parts for values in ('a');
alter table ops.parts add column name text;
create table ops.seen (at bigint generated always as identity, what text);
create function ops.see() returns trigger language plpgsql security definer as
  $$ begin insert into ops.seen (what) values (tg_op || ' ' || new.id); return new; end $$;
create trigger seen after insert or update on ops.items for each row execute function ops.see();
`;

let db: WriteDatabase;
let descriptors: Descriptors;
let server: WriteServer;
/** The statements and transactions since the last reset. */
let ran: string[] = [];

/** A driver that records its statements. */
function watched(): Driver {
  const real = driverOf(db.roleUrl);
  return {
    ...real,
    run: (statements, options) => {
      ran.push(...statements.map(({ text }) => text));
      return real.run(statements, options);
    },
    transaction: (work, options) => {
      ran.push('begin');
      return real.transaction(work, options);
    },
  };
}

beforeAll(async () => {
  db = await createWriteDatabase(sql, []);
  const role = new URL(db.roleUrl).username;
  await db.query(`grant usage on schema ops to ${role}; grant all on all tables in schema ops to ${role};
    revoke insert on ops.fixed from ${role}`);
  ({ descriptors } = await describeDatabase(db.url, { schemas: ['ops'] }));
  server = await startWriteServer({ descriptors, roleUrl: db.roleUrl }, { driver: watched() });
});

afterAll(async () => {
  await server.stop();
  await db.drop();
});

beforeEach(async () => {
  await db.query(
    `truncate ops.items; insert into ops.items values (1, 'one', 1, 'c1'), (2, 'two', 2, 'c2'); truncate ops.seen`,
  );
  ran = [];
});

const put = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}, to = server) => {
  const given = { 'content-type': 'application/json', ...headers };
  const reply = await to.send('PUT', `/api/v1/${path}`, given, JSON.stringify(body));
  return { status: reply.status, body: reply.text === '' ? '' : (JSON.parse(reply.text) as unknown) };
};

const seen = async () => (await db.query('select what from ops.seen order by at')).map(({ what }) => what);

test.each(['items', 'plain'])('PUT into %s is one statement, and so one transaction', async (table) => {
  await db.query("truncate ops.plain; insert into ops.plain values (1, 'one', 1, 'c1')");
  const row = { name: 'new', size: 3, code: 'c' };
  expect(await put(`${table}?id=eq.1`, row)).toEqual({ status: 200, body: [{ id: 1, ...row }] });
  expect(await put(`${table}?id=eq.7`, { ...row, code: 'd' })).toEqual({
    status: 201,
    body: [{ id: 7, ...row, code: 'd' }],
  });
  expect(ran).toHaveLength(2);
  expect(ran[0]).toBe(ran[1]);
  // An AFTER trigger may change the row, so that it is read back in the transaction.
  if (table === 'items') expect(await seen()).toEqual(['UPDATE 1', 'INSERT 7']);
  else expect(ran[0]).toMatch(/^with /);
});

test('a new row, where a single object is asked for', async () => {
  const single = { accept: 'application/vnd.pgrst.object+json' };
  const row = { name: 'new', size: 3, code: null };
  expect(await put('items?id=eq.8', row, single)).toEqual({ status: 201, body: { id: 8, ...row } });
  expect(await put('items?id=eq.8', row, single)).toEqual({ status: 200, body: { id: 8, ...row } });
});

test('a dry run, minimal and max-affected', async () => {
  const row = { name: 'new', size: 3, code: null };
  expect((await put('items?id=eq.9', row, { prefer: 'tx=rollback' })).status).toBe(201);
  expect((await put('items?id=eq.9', row, { prefer: 'return=minimal' })).status).toBe(204);
  expect((await put('items?id=eq.9', row, { prefer: 'max-affected=0' })).status).toBe(400);
  expect(await seen()).toEqual(['INSERT 9']);
});

test('another unique key that is taken is a conflict, and nothing is written', async () => {
  const row = { name: 'x', size: 3, code: 'c2' };
  expect((await put('items?id=eq.1', row)).status).toBe(409);
  expect((await put('items?id=eq.50', row)).status).toBe(409);
  expect(await seen()).toEqual([]);
});

test('many at once with a new key: one inserts, all others update, and each is kept whole', async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = 100 + round;
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => put(`items?id=eq.${key}`, { name: `n${at}`, size: at, code: null })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 23 }, () => 200), 201]);
    const [row] = await db.query(`select name, size from ops.items where id = ${key}`);
    expect(row?.['name']).toBe(`n${String(row?.['size'])}`);
    const events = (await seen()).filter((what) => String(what).endsWith(` ${key}`));
    expect(events[0]).toBe(`INSERT ${key}`);
    expect(events).toHaveLength(24);
  }
});

test('many at once with a key that is there: each updates, in one statement', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => put('items?id=eq.1', { name: `n${at}`, size: at, code: null })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  expect(ran).toHaveLength(40);
  expect(await seen()).toEqual(Array.from({ length: 40 }, () => 'UPDATE 1'));
});

test('among deletes and inserts of the same key nothing fails but what must', async () => {
  const send = (method: string, path: string, body?: unknown) =>
    server.send(
      method,
      `/api/v1/${path}`,
      { 'content-type': 'application/json' },
      body === undefined ? undefined : JSON.stringify(body),
    );
  const row = { name: 'x', size: 1, code: null };
  const statuses = { put: new Set<number>(), post: new Set<number>(), remove: new Set<number>() };
  await Promise.all(
    Array.from({ length: 150 }, async (_, at) => {
      if (at % 3 === 0) statuses.put.add((await put('items?id=eq.5', row)).status);
      else if (at % 3 === 1) statuses.remove.add((await send('DELETE', 'items?id=eq.5')).status);
      else statuses.post.add((await send('POST', 'items', { id: 5, ...row })).status);
    }),
  );
  for (const status of statuses.put) expect([200, 201]).toContain(status);
  for (const status of statuses.post) expect([201, 409]).toContain(status);
  expect([...statuses.remove]).toEqual([200]);
});

test('who may not insert replaces what is there', async () => {
  expect(await put('fixed?id=eq.1', { name: 'x' })).toEqual({ status: 200, body: [{ id: 1, name: 'x' }] });
  expect((await put('fixed?id=eq.2', { name: 'x' })).status).toBe(403);
});

test('a key that is checked at the commit, and a table with rules, are replaced and inserted as far as the database can', async () => {
  expect(await put('late?id=eq.1', { name: 'x' })).toEqual({ status: 200, body: [{ id: 1, name: 'x' }] });
  expect(await put('ruled?id=eq.1', { name: 'x' })).toEqual({ status: 200, body: [{ id: 1, name: 'x' }] });
});

test('a row of a partition', async () => {
  expect(await put('parts?id=eq.1&place=eq.a', { name: 'x' })).toMatchObject({ status: 201 });
  expect(await put('parts?id=eq.1&place=eq.a', { name: 'y' })).toEqual({
    status: 200,
    body: [{ id: 1, place: 'a', name: 'y' }],
  });
});

describe('with hooks', () => {
  const committed: CommitEvent[] = [];
  const called: string[] = [];
  const hooks: Hooks = {
    'ops.items': {
      beforeInsert: ({ rows }) => {
        called.push('insert');
        return rows.map((row) => ({ ...row, name: 'inserted' }));
      },
      beforeUpdate: ({ set }) => {
        called.push('update');
        return { ...set, name: 'updated' };
      },
      afterCommit: (event) => {
        committed.push(event);
      },
    },
  };

  test('one transaction, in which the hook of what is done decides what is written', async () => {
    const hooked = await startWriteServer(
      { descriptors, roleUrl: db.roleUrl },
      { driver: watched(), custom: { hooks } },
    );
    const row = { name: 'x', size: 1, code: null };
    ran.length = 0;
    expect(await put('items?id=eq.1', row, {}, hooked)).toMatchObject({ status: 200, body: [{ name: 'updated' }] });
    expect(called).toEqual(['update']);
    expect(await put('items?id=eq.60', row, { prefer: 'tx=rollback' }, hooked)).toMatchObject({ status: 201 });
    expect(await put('items?id=eq.60', row, {}, hooked)).toMatchObject({ status: 201, body: [{ name: 'inserted' }] });
    expect(ran.filter((text) => text === 'begin')).toHaveLength(3);
    const many = await Promise.all(Array.from({ length: 12 }, () => put('items?id=eq.61', row, {}, hooked)));
    for (const { status } of many) expect([200, 201]).toContain(status);
    expect(await seen()).toHaveLength(14);
    expect(committed.filter(({ affected }) => affected > 0)).toHaveLength(14);
    await hooked.stop();
  });
});
