import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/**
 * Tables whose writes run rules (CREATE RULE): PostgreSQL allows no WITH around them, and no ON
 * CONFLICT.
 */
const sql = `
create schema ruled;
create table ruled.log (at int generated always as identity primary key, what text);
create table ruled.owners (id int primary key, name text);
create table ruled.items (
  id int primary key, name text, n int default 7, owner int references ruled.owners
);
create rule inserted as on insert to ruled.items do also insert into ruled.log (what) values ('insert ' || new.id);
create rule updated as on update to ruled.items do also insert into ruled.log (what) values ('update ' || old.id);
create rule removed as on delete to ruled.items do also insert into ruled.log (what) values ('delete ' || old.id);
create view ruled.shown as select id, name, n, owner from ruled.items;

create table ruled.echoed (id int primary key, name text, echo text);
create rule echo as on insert to ruled.echoed do also update ruled.echoed set echo = name where id = new.id;

create table ruled.keyless (name text, n int default 7);
create rule inserted as on insert to ruled.keyless do also insert into ruled.log (what) values ('insert ' || new.name);

create view ruled.written as select i.id, i.name, o.name as owner_name from ruled.items i join ruled.owners o on o.id = i.owner;
create rule written as on insert to ruled.written do instead (
  insert into ruled.owners values (new.id + 1000, new.owner_name);
  insert into ruled.items (id, name, owner) values (new.id, new.name, new.id + 1000)
    returning id, name, (select o.name from ruled.owners o where o.id = owner));

create table ruled.silent (id int primary key, name text);
create rule silent as on insert to ruled.silent do instead insert into ruled.log (what) values (new.name);
create table ruled.choosy (id int primary key, name text);
create rule choosy as on insert to ruled.choosy where new.id < 0 do instead nothing;
create table ruled.final (id int primary key, name text);
create rule removed as on delete to ruled.final do also insert into ruled.log (what) values ('delete ' || old.id);
create table ruled.young (id int primary key, name text);
`;

let served: Served;
let server: ServedServer;
beforeAll(async () => {
  served = await openServed({ name: 'ruled', schema: 'ruled', sql });
  server = await served.start({ APP_REST_POSTGREST: '/rest/v1', APP_SECURITY_JWT_ENABLED: 'false' });
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});
beforeEach(() =>
  served.query(`truncate ruled.log restart identity; truncate ruled.items, ruled.owners, ruled.keyless;
    insert into ruled.owners values (1, 'Ada')`),
);

const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const given = { 'content-type': 'application/json', prefer: 'return=representation', ...headers };
  const { status, text } = await server.send(
    method,
    path,
    given,
    body === undefined ? undefined : JSON.stringify(body),
  );
  return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
};
const ask = async (document: string) => {
  const { text } = await server.ask(document);
  return JSON.parse(text) as { data?: Record<string, unknown>; errors?: { message: string }[] };
};
const log = async () =>
  (await served.query<{ what: string }>('select what from ruled.log order by at')).map((row) => row.what);
const count = async (table: string) =>
  Number((await served.query<{ n: string }>(`select count(*) as n from ruled.${table}`))[0]?.n);

describe.each(['/api/v1', '/rest/v1'])('at %s', (base) => {
  /** PostgREST's message of PGRST127 is always the same. */
  const reason = base === '/api/v1' ? 'message' : 'details';

  test('a row, a list and a list of unequal rows are written once, and answered in their order', async () => {
    expect(await send('POST', `${base}/items?select=id,n`, { id: 9 })).toMatchObject({ status: 201 });
    expect(
      await send('POST', `${base}/items?select=id,name,n`, [
        { id: 3, name: 'c' },
        { id: 1, name: 'a' },
      ]),
    ).toEqual({
      status: 201,
      body: [
        { id: 3, name: 'c', n: 7 },
        { id: 1, name: 'a', n: 7 },
      ],
    });
    const unequal = [{ id: 8 }, { id: 7, name: 'g' }, { id: 6, n: 1 }];
    expect(await send('POST', `${base}/items?select=id,name,n`, unequal)).toEqual({
      status: 201,
      body: [
        { id: 8, name: null, n: 7 },
        { id: 7, name: 'g', n: 7 },
        { id: 6, name: null, n: 1 },
      ],
    });
    expect(await log()).toEqual([9, 3, 1, 8, 7, 6].map((id) => `insert ${id}`));
    expect(await count('items')).toBe(6);
  });

  test('updates and deletes answer their rows', async () => {
    await send('POST', `${base}/items`, [{ id: 1, owner: 1 }, { id: 2 }, { id: 3 }]);
    expect(await send('PATCH', `${base}/items?id=lt.3&select=id,name`, { name: 'x' })).toEqual({
      status: 200,
      body: expect.arrayContaining([
        { id: 1, name: 'x' },
        { id: 2, name: 'x' },
      ]) as unknown,
    });
    expect(await send('DELETE', `${base}/items?id=eq.1&select=id,owners(name)`)).toEqual({
      status: 200,
      body: [{ id: 1, owners: { name: 'Ada' } }],
    });
    expect((await send('DELETE', `${base}/items?id=gt.1`)).body).toHaveLength(2);
    expect(await count('items')).toBe(0);
    expect((await log()).slice(3, 5).sort()).toEqual(['update 1', 'update 2']);
    expect((await log()).slice(5).sort()).toEqual(['delete 1', 'delete 2', 'delete 3']);
  });

  test('without an answer, with a limit, with a dry run, and with another form of answer', async () => {
    expect((await send('POST', `${base}/items`, [{ id: 1 }, { id: 2 }], { prefer: 'return=minimal' })).status).toBe(
      base === '/api/v1' ? 204 : 201,
    );
    const strict = { prefer: 'handling=strict, max-affected=1' };
    expect((await send('PATCH', `${base}/items?id=lt.9`, { name: 'x' }, strict)).status).toBe(400);
    expect((await send('POST', `${base}/items`, { id: 3 }, { prefer: 'tx=rollback' })).status).toBe(201);
    const csv = await server.send(
      'PATCH',
      `${base}/items?id=eq.1&select=id,name`,
      {
        'content-type': 'application/json',
        prefer: 'return=representation',
        accept: 'text/csv',
      },
      '{"name":"y"}',
    );
    expect([csv.status, csv.text]).toEqual([200, 'id,name\n1,y']);
    const removed = await send('DELETE', `${base}/items?id=eq.1`, undefined, { accept: 'text/csv' });
    expect([removed.status, removed.body]).toEqual([
      400,
      expect.objectContaining({ [reason]: expect.stringContaining('JSON') as unknown }) as unknown,
    ]);
    expect(await count('items')).toBe(2);
    expect(await log()).toEqual(['insert 1', 'insert 2', 'update 1']);
  });

  test('the answer shows what a rule changed after the write', async () => {
    await served.query('truncate ruled.echoed');
    const rows = [
      { id: 2, name: 'b', echo: 'b' },
      { id: 1, name: 'a', echo: 'a' },
    ];
    expect(
      await send(
        'POST',
        `${base}/echoed`,
        rows.map(({ id, name }) => ({ id, name })),
      ),
    ).toEqual({
      status: 201,
      body: rows,
    });
  });

  test('PUT inserts and replaces, and a merge is refused', async () => {
    const put = (name: string) => send('PUT', `${base}/items?id=eq.1`, { id: 1, name, n: 1, owner: null });
    expect((await put('first')).status).toBe(201);
    expect(await put('second')).toMatchObject({ status: 200 });
    expect(await log()).toEqual(['insert 1', 'update 1']);
    for (const resolution of ['merge', 'ignore']) {
      const prefer = `return=representation, resolution=${resolution}-duplicates`;
      const refused = await send('POST', `${base}/items`, [{ id: 1, name: 'm' }], { prefer });
      expect(refused).toMatchObject({ status: 400, body: { [reason]: expect.stringContaining('rules') as unknown } });
    }
    expect(await log()).toHaveLength(2);
  });

  test('a table without a key, and a view over a table with rules', async () => {
    expect(await send('POST', `${base}/keyless`, [{ name: 'b' }, { name: 'a', n: 1 }])).toEqual({
      status: 201,
      body: [
        { name: 'b', n: 7 },
        { name: 'a', n: 1 },
      ],
    });
    expect(await send('POST', `${base}/shown?select=id`, [{ id: 2 }, { id: 1 }])).toEqual({
      status: 201,
      body: [{ id: 2 }, { id: 1 }],
    });
    expect((await send('PATCH', `${base}/shown?id=eq.1&select=id,name`, { name: 'x' })).body).toEqual([
      { id: 1, name: 'x' },
    ]);
    expect(await log()).toEqual(['insert b', 'insert a', 'insert 2', 'insert 1', 'update 1']);
  });

  test('a rule of several statements instead of the write', async () => {
    const rows = [
      { id: 2, name: 'b', owner_name: 'Bo' },
      { id: 1, name: 'a', owner_name: 'Al' },
    ];
    expect(await send('POST', `${base}/written`, rows)).toEqual({ status: 201, body: rows });
    expect([await count('items'), await count('owners')]).toEqual([2, 3]);
  });

  test('what PostgreSQL cannot do is a clear error, and nothing is written', async () => {
    for (const table of ['silent', 'choosy'])
      for (const body of [{ id: 1, name: 'x' }, [{ id: 1, name: 'x' }, { id: 2 }]])
        expect(await send('POST', `${base}/${table}`, body)).toMatchObject({
          status: 400,
          body: { message: 'A rule of the table does not allow this write.' },
        });
    expect(await log()).toEqual([]);
  });

  test('rules of deletes alone leave inserts and merges as they are', async () => {
    await served.query('truncate ruled.final');
    const prefer = 'return=representation, resolution=merge-duplicates';
    expect((await send('POST', `${base}/final`, [{ id: 1 }, { id: 2, name: 'b' }], { prefer })).status).toBe(201);
    expect((await send('POST', `${base}/final`, [{ id: 1, name: 'a' }, { id: 2 }], { prefer })).status).toBe(200);
    expect((await send('DELETE', `${base}/final?id=gt.0`)).body).toHaveLength(2);
    expect(await log()).toEqual(['delete 1', 'delete 2']);
  });
});

describe('GraphQL', () => {
  test('inserts, updates and deletes', async () => {
    expect(
      await ask(`mutation {
        many: createManyRuledItems(inputs: [{ id: 2 }, { id: 1, name: "a" }]) { id name n }
        one: createRuledItems(input: { id: 3, name: "c", owner: 1 }) { id ruledOwner { name } }
        changed: updateRuledItems(id: 1, input: { name: "b" }) { id name }
        gone: deleteRuledItems(where: { id: { eq: 2 } }) { id name }
        shown: createManyRuledShown(inputs: [{ id: 5 }, { id: 4 }]) { id }
      }`),
    ).toEqual({
      data: {
        many: [
          { id: 2, name: null, n: 7 },
          { id: 1, name: 'a', n: 7 },
        ],
        one: { id: 3, ruledOwner: { name: 'Ada' } },
        changed: [{ id: 1, name: 'b' }],
        gone: [{ id: 2, name: null }],
        shown: [{ id: 5 }, { id: 4 }],
      },
    });
    expect(await log()).toEqual(['insert 2', 'insert 1', 'insert 3', 'update 1', 'delete 2', 'insert 5', 'insert 4']);
  });

  test('rows with rows inside them', async () => {
    expect(
      await ask(`mutation {
        createManyRuledOwners(inputs: [
          { id: 2, name: "Bo", ruledItems: { data: [{ id: 2 }, { id: 1, name: "a" }] } }
          { id: 3, name: "Cy" }
        ]) { id ruledItems(orderBy: [{ id: ASC }]) { id name } }
        updateRuledOwners(id: 3, input: { name: "C", ruledItems: { create: [{ id: 3 }], connect: [{ id: 1 }] } }) {
          name ruledItems(orderBy: [{ id: ASC }]) { id name }
        }
      }`),
    ).toMatchObject({
      data: {
        createManyRuledOwners: [
          {
            id: 2,
            ruledItems: [
              { id: 1, name: 'a' },
              { id: 2, name: null },
            ],
          },
          { id: 3, ruledItems: [] },
        ],
        updateRuledOwners: [
          {
            name: 'C',
            ruledItems: [{ id: 1 }, { id: 3 }],
          },
        ],
      },
    });
    expect([...(await log())].sort()).toEqual(['insert 1', 'insert 2', 'insert 3', 'update 1']);
  });

  test('a merge is refused', async () => {
    const { errors } = await ask(`mutation {
      createRuledItems(input: { id: 1 }, onConflict: { constraint: items_pkey, updateColumns: [name] }) { id }
    }`);
    expect(errors?.[0]?.message).toContain('rules');
    expect(await log()).toEqual([]);
  });
});

test('a rule that is younger than the server is found by the first write that it refuses', async () => {
  expect((await send('POST', '/api/v1/young', [{ id: 1 }, { id: 2 }])).status).toBe(201);
  await served.query(
    "create rule young as on insert to ruled.young do also insert into ruled.log (what) values ('young ' || new.id)",
  );
  const first = await send('POST', '/api/v1/young', [{ id: 4 }, { id: 3 }]);
  expect(first).toMatchObject({ status: 500, body: { code: '0A000' } });
  let reply = first;
  while (reply.status === 500) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    reply = await send('POST', '/api/v1/young?select=id', [{ id: 4 }, { id: 3 }]);
  }
  expect(reply).toEqual({ status: 201, body: [{ id: 4 }, { id: 3 }] });
  expect(await log()).toEqual(['young 4', 'young 3']);
});
