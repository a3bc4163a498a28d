import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/** Requests that look alike, one after the other: a cached statement answers its own form alone. */
let db: WriteDatabase;
let server: WriteServer;

beforeAll(async () => {
  db = await createWriteDatabase(
    `create schema shapes;
     create table shapes.account (
       id int generated always as identity primary key, name text not null, role text default 'user', note text
     );
     create table shapes.items (id int primary key, name text);
     insert into shapes.items select n, 'item ' || n from generate_series(1, 6) as n;`,
    ['shapes'],
  );
  server = await startWriteServer(db, { environment: { APP_REST_POSTGREST: '/rest/v1' } });
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});
beforeEach(() => db.restore());

const mount = ['/api/v1', '/rest/v1'] as const;
const write = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  server.send(
    method,
    path,
    { 'content-type': 'application/json', ...headers },
    body === undefined ? undefined : JSON.stringify(body),
  );
const accounts = () => db.query('select name, role from shapes.account order by id');

describe.each(mount)('inserts with named columns at %s', (base) => {
  const representation = { prefer: 'return=representation' };
  const byDefault = { prefer: 'return=representation, missing=default' };

  test('a request whose rows lack a column, then one that does not name the column', async () => {
    await write('POST', `${base}/account?columns=name,role`, byDefault, [{ name: 'bob' }]);
    const second = await write('POST', `${base}/account?columns=name`, representation, [
      { name: 'eve', role: 'admin' },
      { name: 'eve2', role: 'admin' },
    ]);
    expect([second.status, (JSON.parse(second.text) as unknown[]).length]).toEqual([201, 2]);
    expect(await accounts()).toEqual([
      { name: 'bob', role: 'user' },
      { name: 'eve', role: 'user' },
      { name: 'eve2', role: 'user' },
    ]);
  });

  test('the same the other way round, and with a list of one more form', async () => {
    await write('POST', `${base}/account?columns=name`, byDefault, [{ name: 'ada', role: 'admin' }]);
    await write('POST', `${base}/account?columns=name,role`, byDefault, [{ name: 'bob' }]);
    await write('POST', `${base}/account?columns=name,role`, representation, [{ name: 'cy' }]);
    await write('POST', `${base}/account?columns=name,role`, byDefault, [{ name: 'di', role: 'admin' }]);
    await write('POST', `${base}/account`, representation, [{ name: 'ed' }, { name: 'flo', role: 'admin' }]);
    await write('POST', `${base}/account?columns=name,role`, byDefault, [{ name: 'gus' }, { name: 'hal', role: 'x' }]);
    expect(await accounts()).toEqual([
      { name: 'ada', role: 'user' },
      { name: 'bob', role: 'user' },
      { name: 'cy', role: null },
      { name: 'di', role: 'admin' },
      { name: 'ed', role: 'user' },
      { name: 'flo', role: 'admin' },
      { name: 'gus', role: 'user' },
      { name: 'hal', role: 'x' },
    ]);
  });
});

describe.each(mount)('a PATCH with named columns at %s', (base) => {
  const row = async () => db.query(`select name, role, note from shapes.account where name like 'ann%'`);
  const patch = async (columns: string, missing: string, body: object) => {
    await db.query(`delete from shapes.account`);
    await db.query(`insert into shapes.account (name, role, note) values ('ann', 'admin', 'n')`);
    const prefer = missing === '' ? 'return=minimal' : `return=minimal, missing=${missing}`;
    const reply = await write('PATCH', `${base}/account?name=eq.ann&columns=${columns}`, { prefer }, body);
    return [reply.status, reply.headers['preference-applied'], (await row())[0]];
  };
  const unnamed = base === '/rest/v1' ? null : 'admin';

  test('sets those that the body lacks as `missing` says', async () => {
    const body = { name: 'anna', note: 'ignored' };
    expect(await patch('name,role', 'default', body)).toEqual([
      204,
      // In PostgREST's form in its order.
      base === '/rest/v1' ? 'missing=default, return=minimal' : 'return=minimal, missing=default',
      { name: 'anna', role: 'user', note: 'n' },
    ]);
    expect(await patch('name,role', 'null', body)).toMatchObject([
      204,
      expect.anything(),
      { name: 'anna', role: null, note: 'n' },
    ]);
    expect(await patch('name,role', '', body)).toMatchObject([
      204,
      expect.anything(),
      { name: 'anna', role: unnamed, note: 'n' },
    ]);
    expect(await patch('role', 'default', {})).toMatchObject([
      204,
      expect.anything(),
      { name: 'ann', role: 'user', note: 'n' },
    ]);
    expect(await patch('name,role', 'default', { name: 'anna', role: 'x' })).toMatchObject([
      204,
      expect.anything(),
      { role: 'x' },
    ]);
  });
});

describe.each(mount)('a single object that is asked for guards every write at %s', (base) => {
  const all = () =>
    db.query('select count(*)::int as n, count(*) filter (where name = $$new$$)::int as "new" from shapes.items');

  test.each(['return=minimal', 'return=representation', 'return=headers-only', 'return=minimal, tx=rollback', ''])(
    'Prefer: %s',
    async (prefer) => {
      const headers = { accept: 'application/vnd.pgrst.object+json', ...(prefer === '' ? {} : { prefer }) };
      const replies = [
        await write('DELETE', `${base}/items?id=lt.6`, headers),
        await write('DELETE', `${base}/items?id=eq.77`, headers),
        await write('PATCH', `${base}/items?id=lt.6`, headers, { name: 'new' }),
        await write('POST', `${base}/items`, headers, [
          { id: 7, name: 'new' },
          { id: 8, name: 'new' },
        ]),
        await write(
          'POST',
          `${base}/items?on_conflict=id`,
          { ...headers, prefer: `${prefer}, resolution=ignore-duplicates` },
          [{ id: 1, name: 'new' }],
        ),
      ];
      expect(replies.map(({ status }) => status)).toEqual([406, 406, 406, 406, 406]);
      expect(await all()).toEqual([{ n: 6, new: 0 }]);
    },
  );

  test('one row is written', async () => {
    const headers = { accept: 'application/vnd.pgrst.object+json', prefer: 'return=minimal' };
    expect((await write('PATCH', `${base}/items?id=eq.1`, headers, { name: 'new' })).status).toBe(204);
    expect((await write('DELETE', `${base}/items?id=eq.2`, headers)).status).toBe(204);
    expect((await write('POST', `${base}/items`, headers, { id: 9, name: 'new' })).status).toBeLessThan(300);
    expect(await all()).toEqual([{ n: 6, new: 2 }]);
  });
});
