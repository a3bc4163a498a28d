import { play, startMount, type Case, type Mount } from './support/mount.js';

/** Views that show a column twice, or two tables: PostgREST, "Resource Embedding", "Insert". */
const sql = `
create table products (id int primary key, category text, name text);
create table lines (id int primary key, product_id int references products, price int);
create table boxes (a int, b int, name text, primary key (a, b));
create table things (id int primary key, box_a int, box_b int, foreign key (box_a, box_b) references boxes);
insert into products values (1, 'b', 'x'), (2, 'a', 'y');
insert into lines values (1, 1, 5), (2, 1, 7), (3, 2, 9);
insert into boxes values (1, 2, 'box');
insert into things values (1, 1, 2);
create view twice as select id, product_id, product_id as again, price from lines;
create view catalog as select id, id as number, name from products;
create view outer_twice as select id, again, product_id from twice;
create view many as select id, box_a, box_b, box_a as other_a, box_b as other_b from things;

create table sponsors (sponsor_id int primary key, name text);
create table races (id int primary key, title text, sponsor_id int references sponsors);
create view sponsored as
  select r.id, r.title, s.sponsor_id, s.name from races r left join sponsors s on s.sponsor_id = r.sponsor_id;
create function add_sponsored() returns trigger language plpgsql as $$ begin
  insert into races values (new.id, new.title, new.sponsor_id); return new; end $$;
create trigger added instead of insert on sponsored for each row execute function add_sponsored();
insert into sponsors values (7, 'Seven');
`;

const way = (cardinality: string, from: string, to: string, ...sides: readonly string[]) => ({
  cardinality,
  embedding: `${from} with ${to}`,
  relationship: `lines_product_id_fkey using ${sides.join(' and ')}`,
});

const ambiguous = (...details: readonly object[]): Pick<Case, 'status' | 'json'> => ({
  status: 300,
  json: expect.objectContaining({ code: 'PGRST201', details }) as unknown,
});

const named = (name: string) => [{ id: 3, products: { name } }];

const relations: readonly Case[] = [
  {
    ask: '/twice?select=id,products(name)',
    ...ambiguous(
      way('many-to-one', 'twice', 'products', 'twice(again)', 'products(id)'),
      way('many-to-one', 'twice', 'products', 'twice(product_id)', 'products(id)'),
    ),
  },
  { ask: '/twice?select=id,products!again(name)&id=eq.3', json: named('y') },
  { ask: '/twice?select=id,products!product_id(name)&id=eq.3', json: named('y') },
  { ask: '/twice?select=id,again(name)&id=eq.3', json: [{ id: 3, again: { name: 'y' } }] },
  {
    ask: '/products?select=id,twice(price)',
    ...ambiguous(
      way('one-to-many', 'products', 'twice', 'products(id)', 'twice(again)'),
      way('one-to-many', 'products', 'twice', 'products(id)', 'twice(product_id)'),
    ),
  },
  { ask: '/products?select=id,twice!again(price)&id=eq.2', json: [{ id: 2, twice: [{ price: 9 }] }] },
  {
    ask: '/lines?select=id,catalog(name)',
    ...ambiguous(
      way('many-to-one', 'lines', 'catalog', 'lines(product_id)', 'catalog(id)'),
      way('many-to-one', 'lines', 'catalog', 'lines(product_id)', 'catalog(number)'),
    ),
  },
  { ask: '/lines?select=id,catalog!number(name)&id=eq.3', json: [{ id: 3, catalog: { name: 'y' } }] },
  // A view of a view has both columns, too.
  { ask: '/outer_twice?select=id,products!again(name)&id=eq.3', json: named('y') },
  { ask: '/outer_twice?select=id,products(name)', status: 300 },
  // Only the constraint names a key of several columns, and it names all ways.
  { ask: '/many?select=id,boxes(name)', status: 300 },
  { ask: '/many?select=id,boxes!things_box_a_box_b_fkey(name)', status: 300 },
  { ask: '/boxes?select=name,many(id)', status: 300 },
  { ask: '/things?select=id,boxes(name)', json: [{ id: 1, boxes: { name: 'box' } }] },
  // The server's own form takes the first one, as before.
  {
    ask: '/api/v1/twice?select=id,products(name)&id=eq.3',
    json: expect.objectContaining({ data: named('y') }) as unknown,
  },
  {
    ask: '/api/v1/lines?select=id,catalog(name)&id=eq.3',
    json: expect.objectContaining({ data: [{ id: 3, catalog: { name: 'y' } }] }) as unknown,
  },
];

const headersOnly = { headers: { prefer: 'return=headers-only, tx=rollback' } };
const location = (text: string): Pick<Case, 'has'> => ({ has: { location: text } });

const locations: readonly Case[] = [
  {
    ask: 'POST /sponsored',
    body: { id: 1, title: 'run', sponsor_id: 7 },
    ...headersOnly,
    status: 201,
    ...location('/rest/v1/sponsored?id=eq.1&sponsor_id=eq.7'),
  },
  {
    ask: 'POST /sponsored',
    body: { id: 1, title: 'run' },
    ...headersOnly,
    status: 201,
    ...location('/rest/v1/sponsored?id=eq.1&sponsor_id=is.null'),
  },
  { ask: 'POST /twice', body: { id: 9 }, ...headersOnly, status: 201, ...location('/rest/v1/twice?id=eq.9') },
];

const sums = [
  { cat: 'a', sum: 9 },
  { cat: 'b', sum: 12 },
];

const orders: readonly Case[] = [
  { ask: '/lines?select=...products(cat:category),price.sum()&order=cat', json: sums },
  { ask: '/lines?select=...products(cat:category),price.sum()&order=cat.desc', json: sums.toReversed() },
  { ask: '/lines?select=...products(cat:category),price.sum()&order=products(cat)', json: sums },
  { ask: '/lines?select=...products(cat:category),price.sum()&order=products(category).desc', json: sums.toReversed() },
  {
    ask: '/lines?select=product:product_id,price.sum()&order=product.desc',
    json: [
      { product: 2, sum: 9 },
      { product: 1, sum: 12 },
    ],
  },
  { ask: '/lines?select=product_id,total:price.sum()&order=total', status: 400 },
  { ask: '/lines?select=number:id&order=number', status: 400 },
];

const others: readonly Case[] = [
  { ask: '/rpc/', status: 404, json: expect.objectContaining({ code: 'PGRST202' }) as unknown },
  { ask: 'POST /rpc/', body: {}, status: 404, json: expect.objectContaining({ code: 'PGRST202' }) as unknown },
];

let mount: Mount;
beforeAll(async () => {
  mount = await startMount('pgviews', sql);
});
afterAll(() => mount.stop());

describe.each(Object.entries({ relations, locations, orders, others }))('%s', (_, cases) => {
  test.each(cases.map((each) => [each.ask.replaceAll('%', '%%'), each] as const))('%s', (__, each) =>
    play(mount, each),
  );
});

test('switches of PostgREST: aggregates, the verbosity of errors, and a function at the root', async () => {
  const described = `create function described() returns json language sql stable as $$ select '{"mine": true}'::json $$;`;
  const other = await startMount('pgswitches', sql + described, {
    APP_REST_AGGREGATES_ENABLED: 'false',
    APP_REST_CLIENT_ERROR_VERBOSITY: 'minimal',
    APP_REST_ROOT_SPEC: 'public.described',
  });
  try {
    const refused = { code: 'PGRST123', message: 'Use of aggregate functions is not allowed' };
    await play(other, { ask: '/lines?select=count()', status: 400, json: refused });
    await play(other, { ask: '/products?select=id,lines(price.sum())', status: 400, json: refused });
    await play(other, { ask: '/', json: { mine: true } });
    await play(other, { ask: 'POST /', body: {}, status: 405 });
    await play(other, { ask: 'OPTIONS /', has: { allow: 'OPTIONS,GET,HEAD' } });
  } finally {
    await other.stop();
  }
});
