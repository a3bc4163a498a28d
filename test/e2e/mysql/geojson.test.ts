import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

const schema = `
create table places (
  id int not null primary key, name varchar(40), spot point, shape geometry, kind int not null default 1
);
create table things (id int not null primary key, label varchar(20));
insert into places (id, name, spot, shape) values
  (1, 'one', st_geomfromtext('POINT(1 2)', 4326), st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))')),
  (2, 'two', st_geomfromtext('POINT(7.25 50.5)', 25832), null),
  (3, 'three', null, null);
`;

const geo = { accept: 'application/geo+json' };
const json = { 'content-type': 'application/json' };
const point = (...coordinates: readonly number[]) => ({ type: 'Point', coordinates });
const crs = (code: number) => ({ crs: { type: 'name', properties: { name: `EPSG:${String(code)}` } } });
const [in25832, in4326] = [crs(25832), crs(4326)];
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};

describeMysql('GeoJSON on MariaDB', () => {
  let served: ServedMysql;
  beforeAll(async () => {
    served = await serveMysql({ APP_REST_POSTGREST: '/rest/v1' }, '', schema);
  });
  afterAll(() => served.stop());

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${served.base}${path}`, init);
    const text = await response.text();
    return { status: response.status, type: response.headers.get('content-type'), text };
  };
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    JSON.parse((await ask(path, { headers })).text);
  const send = (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask(path, {
      method,
      headers: { ...json, prefer: 'return=representation', ...headers },
      body: JSON.stringify(body),
    });
  const inDatabase = async (id: number): Promise<unknown> => {
    const [row] = ((await read(`/api/v1/places?id=eq.${String(id)}&select=spot,shape`)) as { data: unknown[] }).data;
    return row;
  };

  test('a geometry is GeoJSON, with crs where it has a reference system', async () => {
    expect(await read('/rest/v1/places?select=id,spot,shape&order=id')).toEqual([
      { id: 1, spot: { ...point(1, 2), ...in4326 }, shape: square },
      { id: 2, spot: { ...point(7.25, 50.5), ...in25832 }, shape: null },
      { id: 3, spot: null, shape: null },
    ]);
    // The server's own form keeps its text, and so does CSV.
    expect(await inDatabase(2)).toEqual({ spot: 'SRID=25832;POINT(7.25 50.5)', shape: null });
    expect((await ask('/rest/v1/places?select=id,spot&id=eq.2', { headers: { accept: 'text/csv' } })).text).toBe(
      'id,spot\n2,SRID=25832;POINT(7.25 50.5)',
    );
  });

  test('rows as a FeatureCollection', async () => {
    const reply = await ask('/rest/v1/places?select=name,spot,shape&order=id&limit=2', { headers: geo });
    expect(reply.type).toBe('application/geo+json; charset=utf-8');
    expect(JSON.parse(reply.text)).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { ...point(1, 2), ...in4326 },
          properties: { name: 'one', shape: square },
        },
        { type: 'Feature', geometry: { ...point(7.25, 50.5), ...in25832 }, properties: { name: 'two', shape: null } },
      ],
    });
    expect(await read('/rest/v1/places?id=eq.99', geo)).toEqual({ type: 'FeatureCollection', features: [] });
    expect(await read('/rest/v1/places?select=name&id=eq.3', geo)).toEqual({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: null, properties: { name: 'three' } }],
    });
    expect((await ask('/rest/v1/things', { headers: geo })).status).toBe(406);
    const counted = await ask('/rest/v1/places?select=id,spot&limit=1', { headers: { ...geo, prefer: 'count=exact' } });
    expect([counted.status, JSON.parse(counted.text)]).toEqual([
      206,
      expect.objectContaining({ type: 'FeatureCollection' }),
    ]);
  });

  test.each(['/rest/v1', '/api/v1'])('%s takes GeoJSON, as an object or as text', async (base) => {
    const first = base === '/api/v1' ? 10 : 20;
    const rows = [
      { id: first, spot: point(3, 4), shape: square },
      { id: first + 1, spot: JSON.stringify({ ...point(5.5, -6), ...in25832 }), shape: null },
      {
        id: first + 2,
        spot: { ...point(1, 2), crs: null },
        shape: { type: 'GeometryCollection', geometries: [point(1, 1)] },
      },
    ];
    expect((await send('POST', `${base}/places`, rows)).status).toBe(201);
    expect(await inDatabase(first)).toEqual({
      spot: 'POINT(3 4)',
      shape: 'POLYGON((0 0,1 0,1 1,0 0))',
    });
    expect(await inDatabase(first + 1)).toEqual({ spot: 'SRID=25832;POINT(5.5 -6)', shape: null });
    expect(await inDatabase(first + 2)).toEqual({
      spot: 'POINT(1 2)',
      shape: 'GEOMETRYCOLLECTION(POINT(1 1))',
    });
    // A value that is replaced keeps its reference system, where the new one names none.
    await send('PATCH', `${base}/places?id=eq.${String(first + 1)}`, { spot: point(8, 9) });
    await send('PATCH', `${base}/places?id=eq.${String(first + 2)}`, { spot: point(8, 9) });
    expect(await inDatabase(first + 1)).toMatchObject({ spot: 'SRID=25832;POINT(8 9)' });
    expect(await inDatabase(first + 2)).toMatchObject({ spot: 'POINT(8 9)' });
    await send('PATCH', `${base}/places?id=eq.1`, { spot: point(3, 3) });
    expect(await inDatabase(1)).toMatchObject({ spot: 'SRID=4326;POINT(3 3)' });
    for (const spot of [
      { type: 'Point' },
      { type: 'Circle', coordinates: [1, 2] },
      '{"type":',
      { ...point(1, 2), crs: 7 },
    ]) {
      const refused = await send('PATCH', `${base}/places?id=eq.${String(first)}`, { spot });
      expect([spot, refused.status, refused.text]).toEqual([
        spot,
        base === '/api/v1' ? 500 : 400,
        expect.stringContaining('22P02'),
      ]);
    }
  });

  test('every kind of geometry is read as it was written', async () => {
    const line = [
      [0, 0],
      [1.5, 2.25],
    ];
    const shapes = [
      point(1, 2),
      { type: 'LineString', coordinates: line },
      { type: 'MultiPoint', coordinates: line },
      { type: 'MultiLineString', coordinates: [line, line] },
      square,
      { type: 'MultiPolygon', coordinates: [square.coordinates, square.coordinates] },
      { type: 'GeometryCollection', geometries: [point(1, 2), square] },
    ];
    for (const [at, shape] of shapes.entries()) {
      const reply = await send('POST', '/rest/v1/places?select=shape', { id: 100 + at, shape });
      expect([reply.status, JSON.parse(reply.text)]).toEqual([201, [{ shape }]]);
    }
  });

  test('writes answer features', async () => {
    const feature = (name: string, spot: object | null) => ({ type: 'Feature', geometry: spot, properties: { name } });
    const collection = (...features: readonly object[]) => ({ type: 'FeatureCollection', features });
    const path = '/rest/v1/places?select=name,spot';
    const inserted = await send(
      'POST',
      path,
      [
        { id: 50, name: 'a', spot: point(1, 1) },
        { id: 51, name: 'b' },
      ],
      geo,
    );
    expect([inserted.status, JSON.parse(inserted.text)]).toEqual([
      201,
      collection(feature('a', point(1, 1)), feature('b', null)),
    ]);
    const merged = await send(
      'POST',
      path,
      [
        { id: 50, name: 'c' },
        { id: 52, name: 'd', spot: point(2, 2) },
      ],
      {
        ...geo,
        prefer: 'return=representation,resolution=merge-duplicates',
      },
    );
    expect(JSON.parse(merged.text)).toEqual(collection(feature('c', point(1, 1)), feature('d', point(2, 2))));
    const updated = await send('PATCH', `${path}&id=eq.50`, { name: 'e' }, geo);
    expect(JSON.parse(updated.text)).toEqual(collection(feature('e', point(1, 1))));
    const put = await send(
      'PUT',
      `${path}&id=eq.50`,
      { id: 50, name: 'f', spot: point(3, 3), shape: null, kind: 1 },
      geo,
    );
    expect(JSON.parse(put.text)).toEqual(collection(feature('f', point(3, 3))));
    const deleted = await send('DELETE', `${path}&id=in.(50,51)`, undefined, geo);
    expect(JSON.parse(deleted.text)).toMatchObject({ type: 'FeatureCollection', features: [{}, {}] });
    const nothing = await send('PATCH', `${path}&id=eq.999`, { name: 'x' }, geo);
    expect(JSON.parse(nothing.text)).toEqual(collection());
  });

  test('GraphQL takes the text of GeoJSON, and answers its own', async () => {
    const spot = JSON.stringify(JSON.stringify(point(1, 2)));
    const [create = ''] = /create\w*Places(?=\()/.exec((await ask('/schema.graphql')).text) ?? [];
    const query = `mutation { ${create}(input: { id: 200, spot: ${spot} }) { spot } }`;
    const reply = await send('POST', '/graphql', { query });
    expect(reply.text).toContain('"POINT(1 2)"');
  });
});
