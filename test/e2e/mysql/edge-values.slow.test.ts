import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/** Values that answers show are values like others: they are sent back, and found. */
const schema = `
  set sql_mode = 'NO_ENGINE_SUBSTITUTION';
  create table posts (id int primary key, d date not null default '0000-00-00', t datetime not null default '0000-00-00 00:00:00',
    s timestamp not null default '0000-00-00 00:00:00', n date);
  insert into posts (id) values (1);
  insert into posts values (2, '2024-02-00', '2024-00-00 01:02:03', '2024-01-02 03:04:05', '0000-00-00');
  create table big (id bigint unsigned primary key, v bigint unsigned, w bigint);
  create table places (id int primary key, p point, g geometry);
  insert into places values (1, point(1, 2), st_geomfromtext('POINT(3 4)', 4326)), (2, null, null);
  insert into big values (18446744073709551615, 9223372036854775808, -9223372036854775808);`;

describeMysql('values at the edges of the types of MariaDB', () => {
  let served: ServedMysql;
  beforeAll(async () => {
    served = await serveMysql({}, '', schema);
  });
  afterAll(() => served.stop());

  const ids = async (query: string): Promise<unknown> => {
    const { body } = await served.rest(`posts?select=id&order=id&${query}`);
    return (body as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => id);
  };
  const send = async (method: string, path: string, body: unknown) => {
    const { status, body: answer } = await served.rest(path, {
      method,
      headers: { 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify(body),
    });
    return { status, answer };
  };

  test.each([
    ['d=eq.0000-00-00', [1]],
    ['d=eq.2024-02-00', [2]],
    ['d=in.(0000-00-00,2024-02-00)', [1, 2]],
    ['d=gt.0000-00-00', [2]],
    ['t=eq.0000-00-00T00:00:00', [1]],
    ['t=eq.2024-00-00T01:02:03', [2]],
    ['s=eq.0000-00-00T00:00:00%2B00:00', [1]],
    ['s=eq.0000-00-00T00:00:00Z', [1]],
    ['n=eq.0000-00-00', [2]],
    ['n=is.null', [1]],
    ['d=is.null', []],
    ['t=is.null', []],
    ['s=is.null', []],
    ['d=not.is.null', [1, 2]],
    ['not.or=(d.is.null,t.is.null)', [1, 2]],
  ])('a zero date is found by what it is: %s', async (query, found) => {
    expect(await ids(query)).toEqual(found);
  });

  test('each row can be sent back as it was answered', async () => {
    const { body } = await served.rest('posts?order=id');
    const { data } = body as { readonly data: readonly { readonly id: number }[] };
    expect(data[0]).toEqual({
      id: 1,
      d: '0000-00-00',
      t: '0000-00-00T00:00:00',
      s: '0000-00-00T00:00:00+00:00',
      n: null,
    });
    for (const row of data)
      expect(await send('PUT', `posts?id=eq.${String(row.id)}`, row)).toMatchObject({ status: 200 });
    expect((await served.rest('posts?order=id')).body).toEqual(body);
  });

  test('a default may be a zero date, and no other wrong date is written', async () => {
    expect(await send('POST', 'posts', { id: 3 })).toMatchObject({ status: 201 });
    expect(await ids('d=eq.0000-00-00')).toEqual([1, 3]);
    for (const row of [{ d: '2024-13-01' }, { d: '2023-02-29' }, { t: '2024-00-00T00:00:00+02:00' }])
      expect(await send('PATCH', 'posts?id=eq.3', row)).toMatchObject({ status: 500, answer: { code: '22008' } });
    await served.load('delete from posts where id = 3;');
  });

  test('GraphQL takes zero dates, too', async () => {
    const found = '{ a: $Posts(where: {d: {eq: "0000-00-00"}}) { id } b: $Posts(where: {s: {isNull: true}}) { id } }';
    expect((await served.ask(found)).body).toEqual({ data: { a: [{ id: 1 }], b: [] } });
  });

  test('GraphQL takes all of BIGINT UNSIGNED, as keys, filters and values', async () => {
    const top = '18446744073709551615';
    expect((await served.ask(`{ row: $BigByPk(id: "${top}") { id v w } }`)).body).toEqual({
      data: { row: { id: top, v: '9223372036854775808', w: '-9223372036854775808' } },
    });
    const change = `update$$Big(where: {v: {gte: 9223372036854775808}}, input: {v: "${top}"}) { id v }`;
    expect((await served.ask(`mutation { rows: ${change} }`)).body).toEqual({ data: { rows: [{ id: top, v: top }] } });
    for (const input of [`v: "-1"`, 'v: "18446744073709551616"', 'w: "9223372036854775808"'])
      expect(
        (await served.ask(`mutation { update$$Big(id: "${top}", input: {${input}}) { id } }`)).body,
      ).toHaveProperty('errors');
  });

  describe('geometries', () => {
    const place = { id: 1, p: 'POINT(1 2)', g: 'SRID=4326;POINT(3 4)' };
    const shown = async (id: number): Promise<unknown> => (await served.rest(`places/${String(id)}`)).body;

    test('are answered with their reference system, sent back, and found by it', async () => {
      expect(await shown(1)).toEqual(place);
      expect(await send('PUT', 'places?id=eq.1', place)).toMatchObject({ status: 200 });
      expect(await shown(1)).toEqual(place);
      expect(await send('POST', 'places', [{ ...place, id: 3 }])).toMatchObject({ status: 201 });
      expect(await shown(3)).toEqual({ ...place, id: 3 });
      for (const [value, found] of [
        ['SRID=4326;POINT(3 4)', [1, 3]],
        ['srid=4326; POINT(3 4)', [1, 3]],
        ['POINT(3 4)', []],
      ] as const) {
        const { body } = await served.rest(`places?select=id&order=id&g=eq.${encodeURIComponent(value)}`);
        expect(body).toMatchObject({ data: found.map((id) => ({ id })) });
      }
      expect(await send('PATCH', 'places?id=eq.3', { p: null, g: 'POINT(5 6)' })).toMatchObject({ status: 200 });
      expect(await shown(3)).toEqual({ id: 3, p: null, g: 'POINT(5 6)' });
      expect(await shown(2)).toEqual({ id: 2, p: null, g: null });
    });

    test.each(['', 'POINT(1', 'POINT(1 x)', 'nonsense', 'POLYGON((0 0, 1 1))', 'SRID=1', '{"type":"Point"}'])(
      'a malformed one is an error, and never null: %j',
      async (wrong) => {
        const invalid = { status: 500, answer: { code: '22P02' } };
        expect(await send('POST', 'places', { id: 9, p: wrong })).toMatchObject(invalid);
        expect(await send('POST', 'places', [{ id: 9, p: wrong }, { id: 10 }])).toMatchObject(invalid);
        expect(await send('PATCH', 'places?id=eq.1', { p: wrong })).toMatchObject(invalid);
        expect((await served.rest(`places?p=eq.${encodeURIComponent(wrong)}`)).status).toBe(500);
        const { body } = await served.ask(
          `mutation { update$$Places(id: 1, input: {g: ${JSON.stringify(wrong)}}) { id } }`,
        );
        expect(body).toMatchObject({ errors: [{ extensions: { code: '22P02' } }] });
        expect((await served.rest('places/9')).status).toBe(404);
      },
    );
  });
});
