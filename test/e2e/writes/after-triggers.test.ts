import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/**
 * The answer of a write shows what AFTER triggers changed in its rows, whatever it selects. A write
 * of a table without such triggers stays one statement.
 */
const sql = `
create schema late;
create function late.echo() returns trigger language plpgsql as $$ begin
  if pg_trigger_depth() < 2 then
    execute format('update %I.%I set echo = name where id = $1', tg_table_schema, tg_table_name) using new.id;
  end if;
  return null;
end $$;
create function late.count() returns trigger language plpgsql as $$ begin
  if pg_trigger_depth() < 2 then update late.counted set echo = (select count(*) from late.counted)::text; end if;
  return null;
end $$;
create table late.rows (id int primary key, name text, echo text);
create trigger echo after insert or update on late.rows for each row execute function late.echo();
create view late.shown as select id, name, echo from late.rows;
create view late.again as select * from late.shown;
create table late.counted (id int primary key, name text, echo text);
create trigger count after insert on late.counted for each statement execute function late.count();
create table late.parted (id int, name text, echo text, primary key (id)) partition by range (id);
create table late.part partition of late.parted for values from (0) to (1000);
create trigger echo after insert on late.part for each row execute function late.echo();
create table late.off (id int primary key, name text, echo text);
create trigger echo after insert on late.off for each row execute function late.echo();
alter table late.off disable trigger echo;
create table late.plain (id int primary key, name text, echo text);
create table late.removed (id int primary key, name text, echo text);
create function late.remove() returns trigger language plpgsql as
  'begin delete from late.removed where id = new.id; return null; end';
create trigger remove after insert on late.removed for each row execute function late.remove();
create table late.young (id int primary key, name text, echo text);
`;

let served: Served;
let server: ServedServer;
beforeAll(async () => {
  served = await openServed({ name: 'late', schema: 'late', sql });
  server = await served.start({ APP_REST_POSTGREST: '/rest/v1', APP_SECURITY_JWT_ENABLED: 'false' });
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});
beforeEach(() => served.query('truncate late.rows, late.counted, late.parted, late.plain, late.off, late.young'));

const send = async (method: string, path: string, body?: unknown, prefer = 'return=representation') => {
  const headers = { 'content-type': 'application/json', prefer };
  const { status, text } = await server.send(method, path, headers, JSON.stringify(body));
  return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
};
const data = async (document: string) => JSON.parse((await server.ask(document)).text) as unknown;
const echoed = (id: number, name: string) => ({ id, name, echo: name });

describe.each(['/api/v1', '/rest/v1'])('at %s', (base) => {
  test.each(['rows', 'shown', 'again', 'parted'])('a row and rows, into %s', async (table) => {
    const [only] = [{ id: 1, name: 'a' }];
    const one = await send('POST', `${base}/${table}`, only);
    expect([one.status, [one.body].flat()]).toEqual([201, [echoed(1, 'a')]]);
    expect(
      await send('POST', `${base}/${table}`, [
        { id: 3, name: 'c' },
        { id: 2, name: 'b' },
      ]),
    ).toEqual({
      status: 201,
      body: [echoed(3, 'c'), echoed(2, 'b')],
    });
  });

  test('statement triggers, too', async () => {
    expect((await send('POST', `${base}/counted`, [{ id: 2 }, { id: 1 }])).body).toEqual([
      { id: 2, name: null, echo: '2' },
      { id: 1, name: null, echo: '2' },
    ]);
  });

  test('updates, replacements and merges', async () => {
    await send('POST', `${base}/rows`, [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]);
    expect((await send('PATCH', `${base}/rows?id=eq.1`, { name: 'x' })).body).toEqual([echoed(1, 'x')]);
    const replaced = await send('PUT', `${base}/rows?id=eq.1`, { id: 1, name: 'y', echo: null });
    expect([replaced.status, [replaced.body].flat()]).toEqual([200, [echoed(1, 'y')]]);
    const inserted = await send('PUT', `${base}/rows?id=eq.9`, { id: 9, name: 'z', echo: null });
    expect([inserted.status, [inserted.body].flat()]).toEqual([201, [echoed(9, 'z')]]);
    const merged = [
      { id: 3, name: 'c' },
      { id: 2, name: 'B' },
    ];
    expect(await send('POST', `${base}/rows`, merged, 'return=representation, resolution=merge-duplicates')).toEqual({
      status: 201,
      body: [echoed(3, 'c'), echoed(2, 'B')],
    });
  });

  test('a limit of rows and a dry run hold', async () => {
    await send('POST', `${base}/rows`, [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]);
    const prefer = 'return=representation, handling=strict, max-affected=1';
    expect((await send('PATCH', `${base}/rows?id=lt.3`, { name: 'x' }, prefer)).status).toBe(400);
    const dry = await send('PATCH', `${base}/rows?id=eq.1`, { name: 'x' }, 'return=representation, tx=rollback');
    expect(dry.body).toEqual([echoed(1, 'x')]);
    expect(await served.query('select id, name, echo from late.rows order by id')).toEqual([
      echoed(1, 'a'),
      echoed(2, 'b'),
    ]);
  });

  test('a row that a trigger has removed is not answered', async () => {
    expect((await send('POST', `${base}/removed`, [{ id: 1 }])).body).toEqual([]);
  });

  test('triggers that are off do nothing', async () => {
    expect((await send('POST', `${base}/off`, [{ id: 1, name: 'a' }])).body).toEqual([
      { id: 1, name: 'a', echo: null },
    ]);
  });
});

test('GraphQL: rows, single rows, updates and merges', async () => {
  expect(
    await data(`mutation {
      one: createLateRows(input: { id: 1, name: "a" }) { id name echo }
      many: createManyLateRows(inputs: [{ id: 3, name: "c" }, { id: 2, name: "b" }]) { id name echo }
      merged: createLateRows(input: { id: 1, name: "A" }, onConflict: { constraint: rows_pkey }) { id name echo }
      updated: updateLateRows(id: 2, input: { name: "B" }) { id name echo }
      removed: createLateRemoved(input: { id: 1 }) { id }
    }`),
  ).toEqual({
    data: {
      one: echoed(1, 'a'),
      many: [echoed(3, 'c'), echoed(2, 'b')],
      merged: echoed(1, 'A'),
      updated: [echoed(2, 'B')],
      removed: null,
    },
  });
});

test('a trigger that is younger than the server is noticed with the next look at the catalogue', async () => {
  const post = (id: number) => send('POST', '/api/v1/young', [{ id, name: 'a' }]);
  expect((await post(1)).body).toEqual([{ id: 1, name: 'a', echo: null }]);
  await served.query('create trigger echo after insert on late.young for each row execute function late.echo()');
  await served.query('notify tablewright');
  let body: unknown;
  for (let id = 2; id < 200 && JSON.stringify(body) !== JSON.stringify([echoed(id - 1, 'a')]); id += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ body } = await post(id));
  }
  expect(body).toEqual([expect.objectContaining({ echo: 'a' })]);
});
