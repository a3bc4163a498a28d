import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../support/cli.js';
import { query, serveDatabase, type ServedDatabase } from '../support/served-database.js';

/**
 * What PostgreSQL's keys are, beyond columns that `=` compares: foreign keys whose operator `=`
 * does not find, because the types are those of extensions outside the search path, or texts that
 * refer to a char(n); and inherited tables, whose keys are not those of all their rows.
 */
const sql = `
create schema ext;
create extension citext schema ext;
create extension ltree schema ext;
create extension hstore schema ext;
create extension isn schema ext;
create domain code as ext.citext;
create table k (c ext.citext primary key, v int);
create table r (id int primary key, k ext.citext references k, other code references k);
create table tag (k ext.citext references k, r int references r, primary key (k, r));
create table pair (n int, c ext.citext, primary key (n, c));
create table two (id int primary key, n int, c ext.citext, foreign key (n, c) references pair);
create table tree (path ext.ltree primary key, v int);
create table leaf (id int primary key, path ext.ltree references tree);
create table store (h ext.hstore primary key, v int);
create table stored (id int primary key, h ext.hstore references store);
create table book (i ext.isbn13 primary key, v int);
create table copy (id int primary key, i ext.isbn references book);
create table fixed (c char(5) primary key, v int);
create table short (id int primary key, c text references fixed);
create view shown as select id, k, v from r join k on k.c operator(ext.=) r.k;
create view given as select id, r.k::ext.citext as k from r;
create table net (id int primary key, ine inet, c cidr, l int[], n text unique nulls not distinct);
comment on table net is 'Networks. @deprecated use k';
create table empty ();
insert into net values (1, '10.0.0.1', '10.0.0.0/8', '{1,2}', null), (2, '10.0.0.2', null, '{3}', 'a');
create table p (id int primary key, n text, c text unique);
create table p_child (extra text) inherits (p);
create table x (id int primary key, p int references p, only_one int unique references p);
create table p_x (p int references p, x int references x, primary key (p, x));
create table y (id int primary key, x int unique references x);
create table y_child () inherits (y);
create view p_shown as select id, n from p;
create function p_named(name text) returns setof p stable language sql as 'select * from p where n = name';
insert into p values (1, 'p', 'a'), (2, 'q', 'b'), (3, 'p', 'c');
insert into p_child values (1, 'i', 'a', 'e'), (2, 'i', 'd', 'e'), (4, 'i', 'f', 'e');
insert into x values (1, 1, 1), (2, 2, null);
insert into p_x values (1, 1), (2, 1);
insert into y values (1, 1);
insert into y_child values (1, 1);
insert into k values ('Key', 1), ('lock', 2);
insert into r values (1, 'KEY', 'key'), (2, 'LOCK', null);
insert into tag values ('KEY', 2), ('Lock', 1);
insert into pair values (1, 'A');
insert into two values (1, 1, 'a');
insert into tree values ('a.b', 1), ('a.c', 2), ('b', 3);
insert into leaf values (1, 'a.b');
insert into store values ('a=>1,b=>2', 1);
insert into stored values (1, 'b=>2, a=>1');
insert into book values ('978-0-393-04002-9', 1);
insert into copy values (1, '0-393-04002-X');
insert into fixed values ('ab', 1);
insert into short values (1, 'ab   ');
`;

let served: ServedDatabase;
beforeAll(async () => {
  const config = {
    'app.rest.postgrest': '/rest/v1',
    names: { schemaPrefix: 'never' },
    functions: ['public.p_named'],
    keys: { 'public.given': ['id'] },
    relations: { 'public.given': [{ columns: ['k'], table: 'public.k', references: ['c'] }] },
  };
  served = await serveDatabase('keys', [sql], config);
});
afterAll(() => served.stop());

const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await fetch(`${served.server.base}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Prefer: 'return=representation,resolution=merge-duplicates' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect({ path, status: answer.status, text: answer.ok ? '' : text }).toMatchObject({ path, text: '' });
  return JSON.parse(text) as unknown;
};
const get = (path: string): Promise<unknown> => send('GET', path);

test.each([
  [
    'r?select=id,k!r_k_fkey(v)&order=id',
    [
      { id: 1, k: { v: 1 } },
      { id: 2, k: { v: 2 } },
    ],
  ],
  ['r?select=id,k!r_other_fkey(v)&id=eq.1', [{ id: 1, k: { v: 1 } }]],
  [
    'k?select=c,r!r_k_fkey(id)&order=c',
    [
      { c: 'Key', r: [{ id: 1 }] },
      { c: 'lock', r: [{ id: 2 }] },
    ],
  ],
  ['k?select=c,r!r_k_fkey!inner(id)&r.id=eq.2', [{ c: 'lock', r: [{ id: 2 }] }]],
  ['two?select=id,pair(c)', [{ id: 1, pair: { c: 'A' } }]],
  ['pair?select=c,two(id)', [{ c: 'A', two: [{ id: 1 }] }]],
  ['leaf?select=id,tree(v)', [{ id: 1, tree: { v: 1 } }]],
  ['stored?select=id,store(v)', [{ id: 1, store: { v: 1 } }]],
  ['store?select=v,stored(id)', [{ v: 1, stored: [{ id: 1 }] }]],
  ['copy?select=id,book(v)', [{ id: 1, book: { v: 1 } }]],
  ['book?select=v,copy(id)', [{ v: 1, copy: [{ id: 1 }] }]],
  ['short?select=id,fixed(v)', [{ id: 1, fixed: { v: 1 } }]],
  ['fixed?select=v,short(id)', [{ v: 1, short: [{ id: 1 }] }]],
  [
    'given?select=id,k!given_k_fkey(v)&order=id',
    [
      { id: 1, k: { v: 1 } },
      { id: 2, k: { v: 2 } },
    ],
  ],
  ['k?select=c&c=eq.KEY', [{ c: 'Key' }]],
  ['k?select=c&c=in.(KEY,LOCK)&order=c.desc', [{ c: 'lock' }, { c: 'Key' }]],
])('GET %s', async (path, rows) => {
  expect(await get(`/rest/v1/${path}`)).toEqual(rows);
  expect(await get(`/api/v1/${path}`)).toMatchObject({ data: rows });
});

test('the generated project is what its catalogue makes', async () => {
  const { code, stderr } = await tablewright(['check', '--offline', '--out', served.folder], { cwd: served.folder });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
});

test('GraphQL: both directions, filters, orders, junctions, aggregates', async () => {
  expect(
    await query(
      served.server,
      `{ r(orderBy: {id: ASC}) { id k_ : publicK { v } }
         k(orderBy: {c: ASC}) { c publicRK { id } publicRViaTag { id } publicTagAggregate { count } }
         two { publicPair { c } } tree(where: {publicLeaf: {some: {id: {eq: 1}}}}) { v }
         filtered: r(where: {publicK: {v: {eq: 2}}}) { id }
         kAggregate { min { c } max { c } } }`,
    ),
  ).toEqual({
    data: {
      r: [
        { id: 1, k_: { v: 1 } },
        { id: 2, k_: { v: 2 } },
      ],
      k: [
        { c: 'Key', publicRK: [{ id: 1 }], publicRViaTag: [{ id: 2 }], publicTagAggregate: { count: 1 } },
        { c: 'lock', publicRK: [{ id: 2 }], publicRViaTag: [{ id: 1 }], publicTagAggregate: { count: 1 } },
      ],
      two: [{ publicPair: { c: 'A' } }],
      tree: [{ v: 1 }],
      filtered: [{ id: 2 }],
      kAggregate: { min: { c: 'Key' }, max: { c: 'lock' } },
    },
  });
});

test('cursors over keys of extensions go through all rows', async () => {
  const page = async (field: string, column: string, after: string | null): Promise<unknown> => {
    const { data } = await query(
      served.server,
      `{ c: ${field}(first: 1, after: ${JSON.stringify(after)}, orderBy: [{${column}: ASC}]) {
         nodes { v } pageInfo { endCursor hasNextPage } } }`,
    );
    const { c } = data as { c: { nodes: { v: number }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } };
    const rest = c.pageInfo.hasNextPage ? await page(field, column, c.pageInfo.endCursor) : [];
    return [...c.nodes.map(({ v }) => v), ...(rest as unknown[])];
  };
  expect(await page('treeConnection', 'path', null)).toEqual([1, 2, 3]);
  expect(await page('kConnection', 'c', null)).toEqual([1, 2]);
});

test('merges and connects find the row of a key in another case', async () => {
  expect(await send('POST', '/rest/v1/k', { c: 'KEY', v: 1 })).toMatchObject([{ v: 1 }]);
  expect(await get('/rest/v1/k?select=v')).toHaveLength(2);
  expect(
    await query(
      served.server,
      'mutation { createR(input: {id: 3, publicK: {connect: {c: "kEY"}}}) { id publicK { v } } }',
    ),
  ).toEqual({ data: { createR: { id: 3, publicK: { v: 1 } } } });
  expect(await send('DELETE', '/rest/v1/r?id=eq.3')).toMatchObject([{ id: 3 }]);
});

describe('an inherited table', () => {
  test('a write answers the rows that it wrote, and no others with the same key', async () => {
    expect(await send('PATCH', '/rest/v1/p?n=eq.q&select=id,n,x!x_p_fkey(id)', { n: 'q' })).toEqual([
      { id: 2, n: 'q', x: [{ id: 2 }] },
    ]);
    expect(await send('PATCH', '/rest/v1/p?id=eq.4&select=id,n,x!x_p_fkey(id)', { n: 'i' })).toEqual([
      { id: 4, n: 'i', x: [] },
    ]);
    expect(
      await query(served.server, 'mutation { updateP(where: {n: {eq: "q"}}, input: {n: "q"}) { n publicXP { id } } }'),
    ).toEqual({ data: { updateP: [{ n: 'q', publicXP: [{ id: 2 }] }] } });
  });

  test('a key that rows of several tables have is that of the table that was created first', async () => {
    for (const id of [1, 2]) {
      const own = { id, n: id === 1 ? 'p' : 'q' };
      expect(await get(`/api/v1/p/${String(id)}?select=id,n`)).toEqual(own);
      const csv = await fetch(`${served.server.base}/api/v1/p/${String(id)}?select=id,n`, {
        headers: { Accept: 'text/csv' },
      });
      expect(await csv.text()).toMatch(new RegExp(`^id,n\\r?\\n${String(id)},${own.n}\\s*$`));
      expect(await query(served.server, `{ pByPk(id: ${String(id)}) { id n } }`)).toEqual({ data: { pByPk: own } });
    }
    expect(await get('/api/v1/p/4?select=id,n')).toEqual({ id: 4, n: 'i' });
  });

  test('cursors pass over no row', async () => {
    const page = async (order: string, after: string | null): Promise<readonly string[]> => {
      const { data, errors } = await query(
        served.server,
        `{ pConnection(first: 1, after: ${JSON.stringify(after)}, orderBy: [${order}]) {
           nodes { id n c } pageInfo { endCursor hasNextPage } } }`,
      );
      expect(errors).toBeUndefined();
      const { pConnection: found } = data as {
        pConnection: { nodes: { c: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
      };
      const rest = found.pageInfo.hasNextPage ? await page(order, found.pageInfo.endCursor) : [];
      return [...found.nodes.map((each) => JSON.stringify(each)), ...rest];
    };
    for (const order of ['', '{n: ASC}', '{id: DESC}', '{n: DESC}, {c: ASC}']) {
      const rows = await page(order, null);
      expect({ order, count: rows.length, distinct: new Set(rows).size }).toEqual({ order, count: 6, distinct: 6 });
    }
  });

  test('relations are those of the rows that foreign keys refer to', async () => {
    expect(await get('/rest/v1/x?select=id,p!x_p_fkey(n)&order=id')).toEqual([
      { id: 1, p: { n: 'p' } },
      { id: 2, p: { n: 'q' } },
    ]);
    const rows = [
      { n: 'p', x: [{ id: 1 }] },
      { n: 'i', x: [] },
    ];
    expect(await get('/rest/v1/p?select=n,x!x_p_fkey(id)&id=eq.1&order=n.desc')).toEqual(rows);
    expect(await get('/rest/v1/p?select=n,x!x_p_fkey!inner(id)&id=eq.1')).toEqual(rows.slice(0, 1));
    expect(
      await query(
        served.server,
        `{ p(where: {publicXP: {some: {id: {gt: 0}}}}, orderBy: {id: ASC}) { n publicXViaPX { id } publicXOnlyOne { id } }
           x(orderBy: {id: ASC}) { publicPViaPX(orderBy: {id: ASC}) { n } publicY { x } }
           through: p(where: {id: {eq: 1}}, orderBy: {n: DESC}) { n publicXViaPX { id } }
           d: p(distinctOn: [id], orderBy: {id: ASC}) { id publicXP { id } }
           pNamed(name: "i", orderBy: {id: ASC}) { id } }`,
      ),
    ).toEqual({
      data: {
        p: [
          { n: 'p', publicXViaPX: [{ id: 1 }], publicXOnlyOne: { id: 1 } },
          { n: 'q', publicXViaPX: [{ id: 1 }], publicXOnlyOne: null },
        ],
        x: [
          { publicPViaPX: [{ n: 'p' }, { n: 'q' }], publicY: [{ x: 1 }, { x: 1 }] },
          { publicPViaPX: [], publicY: [] },
        ],
        through: [
          { n: 'p', publicXViaPX: [{ id: 1 }] },
          { n: 'i', publicXViaPX: [] },
        ],
        d: expect.arrayContaining([{ id: 3, publicXP: [] }]) as unknown,
        pNamed: [{ id: 1 }, { id: 2 }, { id: 4 }],
      },
    });
  });

  test('a merge counts a new row as new, although a table that inherits has its key', async () => {
    const answer = await fetch(`${served.server.base}/rest/v1/p`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Prefer: 'return=representation,resolution=merge-duplicates',
      },
      body: '{"id":4,"n":"new"}',
    });
    expect([answer.status, await answer.json()]).toEqual([201, [{ id: 4, n: 'new', c: null }]]);
    expect(await send('DELETE', '/rest/v1/p?n=eq.new&select=id,n')).toEqual([{ id: 4, n: 'new' }]);
  });

  test('PUT and If-Match are about one row', async () => {
    const patched = async (id: number, n: string): Promise<readonly [number, unknown]> => {
      const path = `${served.server.base}/api/v1/p`;
      const read = await fetch(`${path}/${String(id)}`);
      const headers = { 'Content-Type': 'application/json', 'If-Match': read.headers.get('etag') ?? '' };
      const body = JSON.stringify({ n });
      const answer = await fetch(`${path}?id=eq.${String(id)}`, { method: 'PATCH', headers, body });
      return [answer.status, answer.ok ? undefined : await answer.json()];
    };
    expect(await patched(4, 'i')).toEqual([200, undefined]);
    const message = 'If-Match compares the state of one row. Several rows have this key.';
    expect(await patched(1, 'lost')).toMatchObject([400, { code: 'TW016', message }]);
    for (const mount of ['/api/v1', '/rest/v1']) {
      const row = { id: 2, n: 'q', c: 'b' };
      expect(await send('PUT', `${mount}/p?id=eq.2`, row)).toEqual([row]);
      expect(await get('/rest/v1/p?id=eq.2&select=n&order=n')).toEqual([{ n: 'i' }, { n: 'q' }]);
    }
  });

  test('rows inside rows are those that foreign keys refer to', async () => {
    const mutate = (field: string): Promise<unknown> => query(served.server, `mutation { ${field} }`);
    const below = 'publicPViaPX(orderBy: {id: ASC}) { n }';
    const rows = [{ n: 'p' }, { n: 'q' }];
    const step = (text: string): string =>
      `updateX(where: {id: {eq: 1}}, input: {publicPViaPX: {${text}}}) { ${below} }`;
    expect(await mutate(step('update: [{where: {id: 2}, data: {n: "q"}}]'))).toEqual({
      data: { updateX: [{ publicPViaPX: rows }] },
    });
    expect(await mutate(step('connect: [{id: 4}]'))).toMatchObject({ errors: [{ extensions: { code: 'TW008' } }] });
    const child = 'where: {id: {eq: 1}, n: {eq: "i"}}';
    for (const relation of ['publicXViaPX', 'publicXP'])
      expect(
        await mutate(`updateP(${child}, input: {${relation}: {update: [{where: {id: 1}, data: {p: 2}}]}}) { n }`),
      ).toMatchObject({ errors: [{ message: expect.stringMatching(/no foreign key can refer/) as unknown }] });
    expect(await mutate('updateP(id: 1, input: {n: "lost"}) { n }')).toHaveProperty('errors');
    expect(await get('/rest/v1/p?id=eq.1&select=n&order=n')).toEqual([{ n: 'i' }, { n: 'p' }]);
  });

  test('a view of its rows has no key', async () => {
    const { data } = await query(served.server, '{ pShownConnection(first: 9, orderBy: {n: ASC}) { nodes { id } } }');
    expect(data).toMatchObject({ pShownConnection: { nodes: { length: 6 } } });
    expect(await query(served.server, '{ __type(name: "Query") { fields { name } } }')).not.toMatchObject({
      data: { __type: { fields: expect.arrayContaining([{ name: 'pShownByPk' }]) as unknown } },
    });
  });
});

test('types without a kind of their own have the extremes that PostgreSQL has', async () => {
  expect(await get('/rest/v1/net?select=x:ine.max(),y:c.min(),z:l.max()')).toEqual([
    { x: '10.0.0.2', y: '10.0.0.0/8', z: [3] },
  ]);
});

test.each([
  [[{ n: null, id: 1 }], 200],
  [[{ n: 'a', id: 2 }], 200],
  [[{ n: 'b', id: 3 }], 201],
])('a merge by a key where null equals null: %j is %d', async (rows, status) => {
  const answer = await fetch(`${served.server.base}/rest/v1/net?on_conflict=n&columns=n,id`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: 'resolution=merge-duplicates' },
    body: JSON.stringify(rows),
  });
  expect([answer.status, await answer.text()]).toEqual([status, '']);
});

test('generated code deprecates none of its own declarations, and has no empty type', async () => {
  const read = (name: string): Promise<string> => readFile(join(served.folder, 'src/generated', name), 'utf8');
  const types = await read('database.ts');
  expect(types).toContain('/** Networks. \\@deprecated use k */');
  expect(types).toContain('export type Empty = object;');
  expect(await read('public/net.table.ts')).not.toMatch(/[/*].* @deprecated/);
});
