import { errorOf, type Reply } from '../../runtime/rest/support/client.js';
import { describeClients } from '../../support/client-packages.js';
import { describeWhere } from '../../support/describe-where.js';
import { compileSupabase } from '../../support/supabase.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

const describePostgis = describeWhere('postgis');

// PostGIS is in a schema outside the search path, as on Supabase.
const sql = `
create schema extensions;
create extension postgis schema extensions;
create table regions (id int primary key, name text not null);
create table places (
  id int primary key, name text, at extensions.geometry(Point, 4326), area extensions.geography, region_id int references regions,
  unique (name)
);
insert into regions values (1, 'Alps');
insert into places values (1, 'Bern', 'SRID=4326;POINT(7.45 46.95)', null, 1), (2, 'Nowhere', null, null, null);
create function nearest() returns setof places language sql stable as $$ select * from places where id = 1 $$;
create function capital() returns places language sql stable as $$ select * from places where id = 1 $$;
`;

describePostgis('GeoJSON', () => {
  let served: Served;
  let server: ServedServer;

  beforeAll(async () => {
    const config = {
      'app.rest.postgrest': '/rest/v1',
      schemas: ['public'],
      functions: ['public.nearest', 'public.capital'],
    };
    served = await openServed({
      name: 'pgrst_geo',
      schema: 'public',
      sql: `${sql} grant usage on schema extensions to public;`,
      config,
    });
    server = await served.start();
  });

  afterAll(async () => {
    await server.stop();
    await served.drop();
  });

  const geojson = { accept: 'application/geo+json', 'content-type': 'application/json' };
  const get = (path: string): Promise<Reply> => server.get(`/rest/v1${path}`, geojson);
  const bern = { type: 'Point', coordinates: [7.45, 46.95] };
  const collection = (...features: readonly unknown[]) => ({ type: 'FeatureCollection', features });

  test('is a feature for each row', async () => {
    const reply = await get('/places?order=id&select=id,name,at');
    expect([reply.status, reply.headers['content-type'], reply.headers['content-range']]).toEqual([
      200,
      'application/geo+json; charset=utf-8',
      '0-1/*',
    ]);
    expect(JSON.parse(reply.text)).toEqual(
      collection(
        { type: 'Feature', geometry: bern, properties: { id: 1, name: 'Bern' } },
        expect.objectContaining({ type: 'Feature', properties: { id: 2, name: 'Nowhere' } }),
      ),
    );
  });

  test('has embedded tables and spread ones among its properties', async () => {
    const reply = await get('/places?select=at,region_of:regions(name),...regions(region:name)&id=eq.1');
    const properties = { region_of: { name: 'Alps' }, region: 'Alps' };
    expect(JSON.parse(reply.text)).toEqual(collection({ type: 'Feature', geometry: bern, properties }));
  });

  test('is counted and empty as a list is', async () => {
    const reply = await server.get('/rest/v1/places?id=eq.9', { ...geojson, prefer: 'count=exact' });
    expect([JSON.parse(reply.text), reply.headers['content-range']]).toEqual([collection(), '*/0']);
  });

  test('is answered by functions and by writes', async () => {
    const feature = { type: 'Feature', geometry: bern, properties: { name: 'Bern' } };
    for (const name of ['nearest', 'capital'])
      expect(JSON.parse((await get(`/rpc/${name}?select=name,at`)).text)).toEqual(collection(feature));
    const write = (method: string, path: string, body: unknown): Promise<Reply> =>
      server.send(
        method,
        `/rest/v1/places?select=name,at${path}`,
        { ...geojson, prefer: 'return=representation, tx=rollback' },
        JSON.stringify(body),
      );
    const point = 'SRID=4326;POINT(1 2)';
    const moved = { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] }, properties: { name: 'Bern' } };
    const inserted = await write('POST', '', [{ id: 3, name: 'Bern 2', at: point }]);
    expect([inserted.status, JSON.parse(inserted.text)]).toEqual([
      201,
      collection({ ...moved, properties: { name: 'Bern 2' } }),
    ]);
    const updated = await write('PATCH', '&id=eq.1', { at: point });
    expect([updated.status, updated.headers['content-type'], JSON.parse(updated.text)]).toEqual([
      200,
      'application/geo+json; charset=utf-8',
      collection(moved),
    ]);
    const none = await write('PATCH', ',regions(name)&id=eq.9', { at: point });
    expect(JSON.parse(none.text)).toEqual(collection());
    expect(JSON.parse((await write('POST', '', [])).text)).toEqual(collection());
  });

  test.each(['/rest/v1', '/api/v1'])('is what bodies have at %s, as an object or as text', async (base) => {
    const first = base === '/api/v1' ? 20 : 30;
    const named = { ...bern, crs: { type: 'name', properties: { name: 'EPSG:4326' } } };
    const json = { 'content-type': 'application/json', prefer: 'return=representation' };
    const rows = [
      { id: first, name: `a${String(first)}`, at: bern, area: JSON.stringify(bern) },
      { id: first + 1, name: `b${String(first)}`, at: JSON.stringify(named), area: null },
    ];
    expect((await server.send('POST', `${base}/places`, json, JSON.stringify(rows))).status).toBe(201);
    const patch = (at: unknown) =>
      server.send('PATCH', `${base}/places?id=eq.${String(first)}`, json, JSON.stringify({ at }));
    expect((await patch({ type: 'Point', coordinates: [1, 2] })).status).toBe(200);
    const texts = await served.query(
      `select extensions.st_asewkt(at) as at, extensions.st_astext(area) as area from places where id >= ${String(first)} and id < ${String(first + 10)} order by id`,
    );
    expect(texts).toEqual([
      { at: 'SRID=4326;POINT(1 2)', area: 'POINT(7.45 46.95)' },
      { at: 'SRID=4326;POINT(7.45 46.95)', area: null },
    ]);
    expect((await patch({ type: 'Point', coordinates: [] })).status).toBe(200);
    for (const wrong of [{ type: 'Pont', coordinates: [1, 2] }, { type: 'Point' }, '{"type":'])
      expect((await patch(wrong)).status).toBe(400);
    // The column has another reference system.
    expect(
      (await patch({ ...bern, crs: { type: 'name', properties: { name: 'EPSG:25832' } } })).status,
    ).toBeGreaterThan(399);
  });

  describeClients('of supabase-js', () => {
    test('is what geojson() answers', async () => {
      const program = await compileSupabase();
      const answers = await program.call(server.base, 'geoCalls');
      await program.remove();
      const feature = (name: string) => collection({ type: 'Feature', geometry: bern, properties: { name } });
      expect(answers).toMatchObject({
        geojson: { status: 200, error: null, data: feature('Bern') },
        geojsonOfUpdate: { status: 200, error: null, data: feature('Berne') },
      });
    });
  });

  test('is none of a table without a geometry, and none of the other form', async () => {
    const reply = await get('/regions');
    expect([reply.status, errorOf(reply).code]).toEqual([406, 'PGRST107']);
    expect(errorOf(reply).message).toContain('none of its columns is a geometry');
    expect((await server.get('/api/v1/places', geojson)).status).toBe(406);
    const unselected = await get('/places?select=name');
    expect(unselected.status).toBe(400);
  });

  test('other answers have geometries as GeoJSON, too', async () => {
    const reply = await server.get('/rest/v1/places?select=at&id=eq.1');
    expect(JSON.parse(reply.text)).toEqual([{ at: expect.objectContaining(bern) as object }]);
  });
});
