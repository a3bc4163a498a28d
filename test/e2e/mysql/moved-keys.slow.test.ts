import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/** Keys that the database changes while it writes, and keys of system-versioned tables. */
const schema = `
  create table moved (id int primary key, n int);
  create trigger moves before update on moved for each row set new.id = old.id + 100;
  create table rounded (id decimal(4,1) primary key, n int);
  create table named (id int primary key, email varchar(20), n int, began timestamp(6) generated always as row start,
    ended timestamp(6) generated always as row end, unique (email), period for system_time (began, ended))
    with system versioning;
  create table precise (id int primary key, n int, began bigint unsigned generated always as row start,
    ended bigint unsigned generated always as row end, period for system_time (began, ended)) with system versioning;
  create table plain (id int primary key, n int) with system versioning;
  create view named_now as select id, n from named;`;

const reset = `
  delete from moved; delete from rounded; delete from named; delete from precise; delete from plain;
  insert into moved values (1, 1), (2, 2), (300, 3); insert into rounded values (1.5, 1);
  insert into named (id, email, n) values (1, 'a', 1), (2, 'b', 2); insert into precise (id, n) values (1, 1), (2, 2);
  insert into plain values (1, 1), (2, 2); update named set n = n; update precise set n = n;`;

describeMysql('keys that MariaDB changes', () => {
  let served: ServedMysql;
  beforeAll(async () => {
    served = await serveMysql({}, '', schema);
  });
  afterAll(() => served.stop());
  beforeEach(() => served.load(reset));

  const send = async (method: string, path: string, body?: unknown, prefer = 'return=representation') => {
    const { status, body: answer } = await served.rest(path, {
      method,
      headers: { 'content-type': 'application/json', prefer },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status, answer };
  };
  const all = async (table: string): Promise<unknown> =>
    ((await served.rest(`${table}?select=id,n&order=id`)).body as { readonly data: unknown }).data;
  const lost = { status: 400, answer: { code: 'TW017' } };

  test('a trigger that changes the key: rows are answered, or nothing is written', async () => {
    const before = await all('moved');
    expect(await send('PATCH', 'moved?id=eq.1', { n: 9 })).toMatchObject(lost);
    expect(await send('PATCH', 'moved?id=gt.1', { n: 9 })).toMatchObject(lost);
    expect(await send('PUT', 'moved?id=eq.1', { id: 1, n: 9 })).toMatchObject(lost);
    for (const update of ['id: 1', 'where: {id: {gt: 0}}']) {
      const { body } = await served.ask(`mutation { update$$Moved(${update}, input: {n: 9}) { id n } }`);
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'TW017' } }] });
    }
    expect(await all('moved')).toEqual(before);
    expect(await send('PATCH', 'moved?id=eq.1', { n: 9 }, 'return=minimal')).toMatchObject({ status: 204 });
    expect(await all('moved')).toEqual([
      { id: 2, n: 2 },
      { id: 101, n: 9 },
      { id: 300, n: 3 },
    ]);
  });

  test('a key that its column rounds', async () => {
    expect(await send('PATCH', 'rounded?id=eq.1.5', { id: 2.26 })).toMatchObject(lost);
    expect(await all('rounded')).toEqual([{ id: 1.5, n: 1 }]);
    expect(await send('PATCH', 'rounded?id=eq.1.5', { id: 2.5 })).toMatchObject({ status: 200 });
    expect(await all('rounded')).toEqual([{ id: 2.5, n: 1 }]);
  });

  test.each(['named', 'precise', 'plain'])('a system-versioned table has its own key: %s', async (table) => {
    expect(await send('GET', `${table}/1`)).toMatchObject({ status: 200, answer: { id: 1, n: 1 } });
    expect(await send('PATCH', `${table}?id=eq.1`, { n: 5 })).toMatchObject({ status: 200 });
    expect(
      await send('POST', table, { id: 1, n: 6 }, 'resolution=merge-duplicates,return=representation'),
    ).toMatchObject({ status: 200 });
    expect(await send('POST', table, { id: 1, n: 7 })).toMatchObject({ status: 409 });
    expect(await send('DELETE', `${table}?id=eq.2`)).toMatchObject({ status: 200 });
    expect(await all(table)).toEqual([{ id: 1, n: 6 }]);
  });

  test('so have its unique columns, and a view of it', async () => {
    const merge =
      'create$$Named(input: {id: 9, email: "a", n: 8}, onConflict: {constraint: email, updateColumns: [n]})';
    expect((await served.ask(`mutation { made: ${merge} { id n } }`)).body).toEqual({
      data: { made: { id: 1, n: 8 } },
    });
    expect((await served.rest('named_now/2')).body).toMatchObject({ id: 2, n: 2 });
  });
});
