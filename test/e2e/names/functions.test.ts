import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followingServer } from '../../support/following-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

/**
 * The shortest names of everything besides tables and columns: routines, composite types, computed
 * fields, hooks, changes.
 */

const sql = `
  create schema shop; set search_path = shop;
  create type carton as (side_length int, box_label text);
  create table parcels (id int primary key, parcel_size carton, full_name text not null default 'x', unit_price numeric);
  insert into parcels values (1, row(2, 'small')::carton, 'Ada', 1.50), (2, row(3, 'big')::carton, 'Bob', 2);
  create function parcels_title_text(parcels) returns text language sql stable as $$ select upper($1.full_name) $$;
  create function find_parcels(name_part text, at_least int default 0) returns setof parcels language sql stable
    as $$ select * from shop.parcels where full_name ilike '%' || name_part || '%' and id >= at_least $$;
  create function price_stats(from_id int) returns table (row_count bigint, top_price numeric) language sql stable
    as $$ select count(*), max(unit_price) from shop.parcels where id >= from_id $$;
  create procedure rename_parcel(parcel_id int, new_name text, out old_name text) language plpgsql as $$
    begin
      select full_name into old_name from shop.parcels where id = parcel_id;
      update shop.parcels set full_name = new_name where id = parcel_id;
    end $$;
`;

const custom = `export const custom = {
  hooks: { 'shop.parcels': { beforeInsert: ({ rows }) => rows.map((row) => ({ ...row, full_name: row.full_name + '!' })) } },
};`;

const config = {
  'app.rest.procedures': true,
  names: { schemaPrefix: 'never', columns: 'camel', relations: 'simple' },
  functions: ['shop.find_parcels', 'shop.price_stats'],
};

let database: TestDatabase;
let program: Transpiled;
let server: RunningServer;
const { ask, rest } = followingServer(() => server);
const body = async (path: string, init?: RequestInit): Promise<unknown> =>
  JSON.parse((await rest(path, init)).text) as unknown;
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  database = await createTestDatabase('names_functions');
  await loadSql(database.url, sql);
  program = await buildGenerated(database.url, {
    'tablewright.config.json': JSON.stringify(config),
  });
  await writeFile(join(program.folder, 'dist/custom/index.js'), custom);
  server = await startServerHere(program.folder, { DATABASE_URL: database.url, APP_LOG_LEVEL: 'warn' });
});

afterAll(async () => {
  await server.stop();
  await program.remove();
  await database.drop();
});

test('functions: arguments and the members of what they answer, over both protocols', async () => {
  expect(
    await ask('{ findParcels(namePart: "A", atLeast: 1) { fullName } priceStats(fromId: 1) { rowCount topPrice } }'),
  ).toEqual({ data: { findParcels: [{ fullName: 'Ada' }], priceStats: [{ rowCount: '2', topPrice: 2 }] } });
  expect(await body('/rpc/find_parcels?namePart=b&select=id,fullName')).toMatchObject({
    data: [{ id: 2, fullName: 'Bob' }],
  });
  expect(await body('/rpc/price_stats', { method: 'POST', headers: json, body: '{"fromId":2}' })).toEqual([
    { rowCount: 1, topPrice: 2 },
  ]);
  const strange = await rest('/rpc/price_stats', { method: 'POST', headers: json, body: '{"from_id":2}' });
  expect([strange.status, strange.text]).toEqual([400, expect.stringContaining('Arguments: fromId.')]);
});

test('procedures take and answer them', async () => {
  const { data } = (await ask('mutation { callRenameParcel(parcelId: 2, newName: "Cy") }')) as {
    data: { callRenameParcel: string };
  };
  expect(JSON.parse(data.callRenameParcel)).toEqual({ oldName: 'Bob' });
  const given = { method: 'POST', headers: json, body: '{"parcelId":2,"newName":"Bob"}' };
  expect(await body('/rpc/rename_parcel', given)).toEqual({ oldName: 'Cy' });
  expect(await body('')).toHaveProperty(['paths', '/rpc/rename_parcel', 'post']);
});

test('composite types and computed fields, over both protocols', async () => {
  expect(await ask('{ parcelsByPk(id: 1) { titleText parcelSize { sideLength boxLabel } } }')).toEqual({
    data: { parcelsByPk: { titleText: 'ADA', parcelSize: { sideLength: 2, boxLabel: 'small' } } },
  });
  expect(await body('/parcels/1?select=id,titleText,parcelSize')).toEqual({
    id: 1,
    titleText: 'ADA',
    parcelSize: { sideLength: 2, boxLabel: 'small' },
  });
  expect(await body('/parcels?titleText=eq.ADA&order=titleText&select=id')).toMatchObject({ data: [{ id: 1 }] });
  const created = await rest('/parcels', {
    method: 'POST',
    headers: json,
    body: '{"id":3,"fullName":"Di","parcelSize":{"sideLength":7,"boxLabel":"b"},"unitPrice":12345678901234567.25}',
  });
  expect([created.status, created.text]).toEqual([201, expect.stringContaining('12345678901234567.25')]);
  expect(created.text).toContain('{"sideLength":7,"boxLabel":"b"}');
  // Hooks work with rows of the database: their names are the database's, as in the types of
  // database.ts.
  expect(created.text).toContain('"fullName":"Di!"');
});

test('OpenAPI describes all of them by these names', async () => {
  const text = JSON.stringify(await body(''));
  for (const name of ['namePart', 'sideLength', 'titleText', 'rowCount', 'unitPrice'])
    expect(text).toContain(`"${name}"`);
  for (const name of ['name_part', 'side_length', 'title_text', 'row_count', 'unit_price'])
    expect(text).not.toContain(name);
});
