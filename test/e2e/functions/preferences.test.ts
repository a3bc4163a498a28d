import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/** `Prefer` and `Accept` of calls, in both forms of REST. */
let served: Served;
let server: ServedServer;

beforeAll(async () => {
  served = await openServed({
    name: 'prefer',
    schema: 'shop',
    sql: `create schema shop;
      create table shop.items (id int primary key, name text, price numeric(8,2));
      insert into shop.items select n, 'item ' || n, n from generate_series(1, 6) as n;
      create function shop.sell(below int) returns setof shop.items language sql volatile
        as $$ delete from shop.items where id < below returning * $$;
      create function shop.cheap(below int) returns setof shop.items language sql stable
        as $$ select * from shop.items where id < below order by id $$;
      create function shop.take(which int) returns shop.items language sql volatile
        as $$ delete from shop.items where id = which returning * $$;
      create function shop.purge(below int) returns bigint language sql volatile
        as $$ with gone as (delete from shop.items where id < below returning 1) select count(*) from gone $$;
      create function shop.names(below int) returns setof text language sql volatile
        as $$ delete from shop.items where id < below returning name $$;
      create function shop.forget(below int) returns void language sql volatile
        as $$ delete from shop.items where id < below $$;`,
    config: { 'app.rest.postgrest': '/rest/v1', functions: ['shop.*'] },
  });
  server = await served.start();
});

afterAll(async () => {
  await server.stop();
  await served.drop();
});

let sold = 0;
beforeEach(async () => {
  await served.query(
    `insert into shop.items select n, 'item ' || n, n from generate_series(1, 6) as n on conflict do nothing`,
  );
  sold = 0;
});

type Headers = Readonly<Record<string, string>>;

const left = async (): Promise<number> =>
  Number((await served.query<{ count: string }>('select count(*) from shop.items'))[0]?.count);

async function call(base: string, name: string, given: unknown, headers: Headers, query = '') {
  const path = `${base}/rpc/${name}${query}`;
  const sent = { 'content-type': 'application/json', ...headers };
  const reply = await server.send('POST', path, sent, JSON.stringify(given));
  sold = 6 - (await left());
  return reply;
}

describe.each(['/api/v1', '/rest/v1'])('calls at %s', (base) => {
  const isOwn = base === '/api/v1';
  const rowsOf = (text: string): unknown => {
    const body = JSON.parse(text) as { data: unknown };
    return isOwn ? body.data : body;
  };

  test.each([
    ['a list', 'sell', { below: 3 }, 200],
    ['a row', 'take', { which: 2 }, 200],
    ['a value', 'purge', { below: 3 }, 200],
    ['values', 'names', { below: 3 }, 200],
    ['nothing', 'forget', { below: 3 }, 204],
  ])('tx=rollback of %s answers as if committed', async (_, name, given, status) => {
    const reply = await call(base, name, given, { prefer: 'tx=rollback' });
    expect([reply.status, reply.headers['preference-applied'], sold]).toEqual([status, 'tx=rollback', 0]);
    const done = await call(base, name, given, {});
    expect([done.status, done.text, sold > 0]).toEqual([status, reply.text, true]);
  });

  test('max-affected undoes what wrote more rows, and keeps what did not', async () => {
    const strict = (most: number): Headers => ({ prefer: `handling=strict, max-affected=${String(most)}` });
    for (const name of ['sell', 'names']) {
      const refused = await call(base, name, { below: 4 }, strict(2));
      expect([refused.status, sold]).toEqual([400, 0]);
      if (!isOwn) expect(JSON.parse(refused.text)).toMatchObject({ code: 'PGRST124' });
      const kept = await call(base, name, { below: 3 }, strict(2));
      expect([kept.status, kept.headers['preference-applied'], sold]).toEqual([
        200,
        'handling=strict, max-affected=2',
        2,
      ]);
      await served.query(`insert into shop.items select n, 'item ' || n, n from generate_series(1, 2) as n`);
    }
  });

  test.each(['purge', 'forget'])('max-affected of %s, which has no rows to count, is refused', async (name) => {
    const reply = await call(base, name, { below: 3 }, { prefer: 'handling=strict, max-affected=9' });
    expect([reply.status, sold]).toEqual([400, 0]);
    if (!isOwn) expect(JSON.parse(reply.text)).toMatchObject({ code: 'PGRST128' });
  });

  test.each(['sell', 'take', 'purge', 'forget'])('handling=strict refuses unknown preferences of %s', async (name) => {
    const given = name === 'take' ? { which: 1 } : { below: 3 };
    const reply = await call(base, name, given, { prefer: 'handling=strict, nonsense' });
    expect([reply.status, sold]).toEqual([400, 0]);
    const lenient = await call(base, name, given, { prefer: 'handling=lenient, nonsense' });
    expect([lenient.status < 300, sold > 0]).toEqual([true, true]);
  });

  // PostgREST writes rows as PostgreSQL does: a text with a blank stands in quotes.
  const named = (number: number): string => (isOwn ? `item ${String(number)}` : `"item ${String(number)}"`);

  test('a list is CSV, and has its count', async () => {
    const csv = await call(base, 'sell', { below: 3 }, { accept: 'text/csv' }, '?select=id,name&order=id');
    expect([csv.status, csv.headers['content-type'], csv.text.replaceAll('\r', '').trim(), sold]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `id,name\n1,${named(1)}\n2,${named(2)}`,
      2,
    ]);
    await served.query(`insert into shop.items select n, 'item ' || n, n from generate_series(1, 2) as n`);
    const counted = await call(base, 'sell', { below: 4 }, { prefer: 'count=exact' }, '?select=id&order=id&limit=2');
    expect([rowsOf(counted.text), counted.headers['content-range'], sold]).toEqual([
      [{ id: 1 }, { id: 2 }],
      '0-1/3',
      3,
    ]);
  });

  test('a row is CSV', async () => {
    const csv = await call(base, 'take', { which: 2 }, { accept: 'text/csv' }, '?select=id,name');
    expect([csv.status, csv.text.replaceAll('\r', '').trim()]).toEqual([200, `id,name\n2,${named(2)}`]);
  });

  const isPostgrest = base !== '/api/v1';
  test.each(['purge', 'names'])("CSV of %s, which answers values, is for PostgREST's form", async (name) => {
    const reply = await call(base, name, { below: 3 }, { accept: 'text/csv' });
    expect([reply.status, sold]).toEqual(isPostgrest ? [200, 2] : [406, 0]);
  });

  test('what is not served is refused before it runs', async () => {
    for (const name of ['sell', 'purge']) {
      const reply = await call(base, name, { below: 3 }, { accept: 'image/png' });
      expect([reply.status, sold]).toEqual([406, 0]);
    }
  });

  test('a single object guards what is written', async () => {
    const single = { accept: 'application/vnd.pgrst.object+json' };
    for (const name of ['sell', 'names']) {
      const refused = await call(base, name, { below: 3 }, single);
      expect([refused.status, sold]).toEqual([406, 0]);
    }
    const one = await call(base, 'sell', { below: 2 }, single, '?select=id');
    expect([one.status, one.headers['content-type'], JSON.parse(one.text), sold]).toEqual([
      200,
      'application/vnd.pgrst.object+json; charset=utf-8',
      { id: 1 },
      1,
    ]);
  });

  test('a STABLE function obeys, too', async () => {
    const strange = await call(base, 'cheap', { below: 3 }, { prefer: 'handling=strict, nonsense' });
    expect(strange.status).toBe(400);
    const many = await call(base, 'cheap', { below: 4 }, { prefer: 'handling=strict, max-affected=1' });
    expect(many.status).toBe(400);
    const csv = await call(base, 'cheap', { below: 3 }, { accept: 'text/csv' }, '?select=id');
    expect(csv.text.replaceAll('\r', '').trim()).toBe('id\n1\n2');
  });

  test('a list without a preference', async () => {
    const reply = await call(base, 'sell', { below: 3 }, {}, '?select=id&order=id.desc');
    expect([reply.status, rowsOf(reply.text), sold]).toEqual([200, [{ id: 2 }, { id: 1 }], 2]);
  });
});
