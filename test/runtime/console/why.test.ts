import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

const sql = `
  create schema shop;
  create table shop.notes (id int, part text, owner text, draft boolean, primary key (id, part));
  alter table shop.notes enable row level security;
  alter table shop.notes force row level security;
  create role why_other;
  create policy own on shop.notes using (owner = current_setting('request.user_id', true));
  create policy finished on shop.notes as restrictive for select using (not draft);
  create policy others on shop.notes for select to why_other using (true);
  create policy failing on shop.notes for select using (owner = 'fails' and 1 / (id - 3) > 0);
  create policy not_for_reads on shop.notes for delete using (true);
  insert into shop.notes values
    (1, 'it''s "a"', 'ada', false), (2, 'b', 'ada', true), (3, 'c', 'fails', false), (4, 'd', 'ada', null);
  create table shop.secrets (id int primary key);
  insert into shop.secrets values (1)`;

/** A table that the role of the server may not read. */
const withoutGrant = (role: string): string => `revoke select on shop.secrets from ${role}`;

let served: Served;
let server: ServedServer;
let ada: Readonly<Record<string, string>>;

const why = async (on: ServedServer, table: string, key: readonly string[], headers = ada) => {
  const query = new URLSearchParams([['table', table], ...key.map((each) => ['key', each])]);
  const { status, text } = await on.get(`/console/why?${query.toString()}`, headers);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
};
const valuesOf = ({ body }: Awaited<ReturnType<typeof why>>) =>
  (body['policies'] as readonly Record<string, unknown>[]).map(({ name, applies, value, problem }) => [
    name,
    applies,
    problem === undefined ? value : 'problem',
  ]);

beforeAll(async () => {
  served = await openServed({ name: 'why', sql, schema: 'shop' });
  const role = new URL(served.roleUrl);
  await served.query(withoutGrant(role.username));
  server = await served.start({
    DATABASE_URL: served.url,
    APP_DATASOURCE_USERNAME: role.username,
    APP_DATASOURCE_PASSWORD: role.password,
    APP_CORS_ORIGINS: '*',
  });
  ada = { authorization: `Bearer ${await served.token('ada')}` };
});
afterAll(async () => {
  await server.stop();
  await served.query('drop owned by why_other; drop role why_other');
  await served.drop();
});

test('each policy for reads is evaluated for the row, as the caller', async () => {
  const visible = await why(server, 'shopNotes', ['1', `it's "a"`]);
  expect(visible).toMatchObject({
    status: 200,
    body: { sees: true, exists: true, grants: { schema: true, table: true }, rowSecurity: true },
  });
  expect(valuesOf(visible)).toEqual([
    ['failing', true, false],
    ['others', false, true],
    ['own', true, true],
    ['finished', true, true],
  ]);
  const anonymous = await why(server, 'shopNotes', ['1', `it's "a"`], {});
  expect(anonymous.body['sees']).toBe(false);
  expect(valuesOf(anonymous)[2]).toEqual(['own', true, false]);
});

test('a restrictive policy that is false, null, or fails', async () => {
  const draft = await why(server, 'shopNotes', ['2', 'b']);
  expect([draft.body['sees'], valuesOf(draft).at(-1)]).toEqual([false, ['finished', true, false]]);
  const unknown = await why(server, 'shopNotes', ['4', 'd']);
  expect([unknown.body['sees'], valuesOf(unknown).at(-1)]).toEqual([false, ['finished', true, null]]);
  const failing = await why(server, 'shopNotes', ['3', 'c']);
  expect(failing.body).toMatchObject({ sees: false, exists: true, problem: expect.any(String) as unknown });
  expect(valuesOf(failing)[0]).toEqual(['failing', true, 'problem']);
});

test('no such row, no grant, and no such key', async () => {
  expect((await why(server, 'shopNotes', ['1', 'none'])).body).toMatchObject({ sees: false, exists: false });
  expect((await why(server, 'shopSecrets', ['1'])).body).toMatchObject({
    sees: false,
    exists: true,
    grants: { schema: true, table: false },
  });
  expect((await why(server, 'shopNotes', ['1'])).status).toBe(400);
  expect((await why(server, 'shopNotes', ['one', 'a'])).status).toBe(400);
  expect((await why(server, 'nothing', ['1'])).status).toBe(404);
});

test('keys and names are values: nothing of a request becomes SQL', async () => {
  const attack = `x') or true; drop table shop.notes; --`;
  expect((await why(server, 'shopNotes', ['1', attack])).body).toMatchObject({ exists: false });
  expect((await served.query('select from shop.notes')).length).toBe(4);
});

test('pages of other origins do not ask, whatever CORS allows', async () => {
  const foreign = { ...ada, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  expect((await why(server, 'shopNotes', ['1', 'a'], foreign)).status).toBe(403);
  expect((await server.get('/console/token?claims={}', foreign)).status).toBe(403);
});

test('a server that knows no owner says so; there is no key, so nothing is signed', async () => {
  const plain = await served.start();
  const { body } = await why(plain, 'shopNotes', ['2', 'b']);
  expect(body['sees']).toBe(false);
  expect(body).not.toHaveProperty('exists');
  expect((await plain.get('/console/token?claims={}')).status).toBe(404);
  expect(JSON.parse((await plain.get('/console/model.json')).text)).not.toHaveProperty('claims');
  await plain.stop();
});

test('production explains and signs nothing, even with the console and a key', async () => {
  const production = await served.start({
    NODE_ENV: 'production',
    APP_CONSOLE: 'true',
    APP_CONSOLE_KEY_FILE: 'private-key.pem',
  });
  expect((await why(production, 'shopNotes', ['1', 'a'])).status).toBe(404);
  expect((await production.get('/console/token?claims={}')).status).toBe(404);
  expect(JSON.parse((await production.get('/console/model.json')).text)).toMatchObject({ explains: false });
  await production.stop();
});
