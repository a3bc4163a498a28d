import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/**
 * Columns that hold JSON by a check of any form, and columns of views that show such a column or
 * call a function that makes JSON.
 */
const schema = `
create table t (id int primary key,
  plain longtext,
  a json,
  b longtext check (b is null or json_valid(b)),
  c longtext check (json_valid(c) and json_length(c) < 10),
  d varchar(200),
  e longtext check (e is null or json_valid(plain)),
  constraint d_json check (json_valid(d) or d is null));
insert into t values (1, '[1]', '{"x": 1.0}', '[ 2]', '{"c" : null}', '"d"', '[1]'), (2, 'text', null, null, null, null, null);
create view shown as select id, b as bb, d, plain from t;
create view again as select s.id, s.bb as b, t.c, t.e from shown s join t on t.id = s.id;
create view made as select id, json_object('id', id, 'a', a) as o, json_array(id, plain) as l, json_extract(a, '$.x') as x,
  json_value(a, '$.x') as v, upper(json_object('id', id)) as u from t;
create view gathered as select json_arrayagg(id) as ids, json_objectagg(id, plain) as by_id from t;
create view constant as select json_object('k', 1) as k;
`;

describeMysql('JSON columns', () => {
  let served: ServedMysql;
  beforeAll(async () => {
    served = await serveMysql({}, '', schema);
  });
  afterAll(() => served.stop());

  const rows = async (path: string): Promise<unknown> => ((await served.rest(path)).body as { data: unknown }).data;

  test('a check of any form', async () => {
    expect(await rows('t?order=id')).toEqual([
      { id: 1, plain: '[1]', a: { x: 1 }, b: [2], c: { c: null }, d: 'd', e: '[1]' },
      { id: 2, plain: 'text', a: null, b: null, c: null, d: null, e: null },
    ]);
  });

  test('views that show columns, also of joins and of views', async () => {
    expect(await rows('shown?id=eq.1')).toEqual([{ id: 1, bb: [2], d: 'd', plain: '[1]' }]);
    expect(await rows('again?id=eq.1')).toEqual([{ id: 1, b: [2], c: { c: null }, e: '[1]' }]);
  });

  test('views that make JSON', async () => {
    expect(await rows('made?id=eq.1')).toEqual([
      { id: 1, o: { id: 1, a: { x: 1 } }, l: [1, '[1]'], x: 1, v: '1.0', u: '{"ID": 1}' },
    ]);
    expect(await rows('gathered')).toEqual([{ ids: [1, 2], by_id: { 1: '[1]', 2: 'text' } }]);
    expect(await rows('constant')).toEqual([{ k: { k: 1 } }]);
  });

  test('GraphQL, filters and writes', async () => {
    const { body } = await served.ask('{ $Made(where: {o: {eq: {a: {x: 1.0}, id: 1}}}) { id o l x v } }');
    expect(body).toEqual({
      data: { [`${served.prefix}Made`]: [{ id: 1, o: { id: 1, a: { x: 1 } }, l: [1, '[1]'], x: 1, v: '1.0' }] },
    });
    const written = await served.rest('t', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'return=representation' },
      body: '{"id": 3, "b": {"of": "b"}, "c": [3], "d": [4]}',
    });
    expect(written.body).toMatchObject({ id: 3, b: { of: 'b' }, c: [3], d: [4] });
    const filtered = await served.rest('t?d=eq.%5B4%5D&select=id');
    expect(filtered.body).toMatchObject({ data: [{ id: 3 }] });
  });
});
