import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/**
 * A key is the columns that the API knows, whatever constraint has its name by now: the server
 * serves the API of the database as it was before the keys changed.
 */
const sql = `
create schema keys;
create table keys.kd (id int primary key, a int);
insert into keys.kd values (1, 1);
create table keys.two (id int primary key, name text, code text, v text,
  constraint two_name unique (name), constraint two_code unique (code));
insert into keys.two values (1, 'n1', 'c1', 'one'), (2, 'n2', 'c2', 'two');
create table keys.owners (id int primary key, two int references keys.two);
create table keys.late (id int primary key deferrable initially deferred, a int);
insert into keys.late values (1, 1);
create table keys.part (id int primary key, a int, flag boolean default true);
create unique index part_flagged on keys.part (id) where flag;
create unique index part_a on keys.part (a) where flag;
insert into keys.part values (1, 1);
`;

const exchanged = `
alter table keys.kd drop constraint kd_pkey;
alter table keys.kd add u uuid default gen_random_uuid();
alter table keys.kd add primary key (u);
alter table keys.two rename constraint two_name to other;
alter table keys.two rename constraint two_code to two_name;
alter table keys.two rename constraint other to two_code;
`;

let db: WriteDatabase;
let server: WriteServer;

beforeAll(async () => {
  db = await createWriteDatabase(sql, ['keys']);
  await db.query(exchanged);
  server = await startWriteServer(db, { environment: { APP_REST_POSTGREST: '/rest/v1' } });
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});
beforeEach(() => db.restore());

const send = async (method: string, path: string, body: unknown, prefer = 'return=representation') => {
  const headers = { 'content-type': 'application/json', prefer };
  const { status, text } = await server.send(method, path, headers, JSON.stringify(body));
  return { status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
};
const merging = 'return=representation, resolution=merge-duplicates';
const graphql = async (query: string) => (await send('POST', '/graphql', { query })).body;
const kd = () => db.query('select id, a from keys.kd order by id');
const two = () => db.query('select id, name, code, v from keys.two order by id');
const twoBefore = [
  { id: 1, name: 'n1', code: 'c1', v: 'one' },
  { id: 2, name: 'n2', code: 'c2', v: 'two' },
];

describe('a primary key of other columns under the same name', () => {
  test.each(['merge-duplicates', 'ignore-duplicates'])('PostgREST’s form: %s', async (resolution) => {
    const answer = await send('POST', '/rest/v1/kd', { id: 1, a: 5 }, `resolution=${resolution}`);
    expect(answer).toMatchObject({ status: 400, body: { code: '42P10' } });
    expect(await kd()).toEqual([{ id: 1, a: 1 }]);
  });

  test('REST: the API is outdated', async () => {
    const outdated = { status: 500, body: { code: '42P10', message: 'The database no longer has this key.' } };
    expect(await send('POST', '/api/v1/kd', { id: 1, a: 5 }, merging)).toMatchObject(outdated);
    expect(await send('POST', '/api/v1/kd?on_conflict=id', { id: 1, a: 5 }, merging)).toMatchObject(outdated);
    expect(await send('POST', '/api/v1/kd', [{ id: 1, a: 5 }, { id: 2 }], merging)).toMatchObject(outdated);
    expect(await send('PUT', '/api/v1/kd?id=eq.7', { a: 5 })).toMatchObject(outdated);
    expect(await kd()).toEqual([{ id: 1, a: 1 }]);
  });

  test('GraphQL', async () => {
    const input = 'input: { id: 1, a: 5 }, onConflict: { constraint: kd_pkey }';
    expect(await graphql(`mutation { createKeysKd(${input}) { id } }`)).toMatchObject({
      errors: [{ extensions: { code: '42P10' } }],
    });
    expect(await kd()).toEqual([{ id: 1, a: 1 }]);
  });

  test('columns that the API does not know as a key are a mistake of the client', async () => {
    const malformed = { status: 400, body: { code: '42P10', message: 'There is no unique key on these columns.' } };
    expect(await send('POST', '/api/v1/kd?on_conflict=a', { id: 1, a: 5 }, merging)).toMatchObject(malformed);
  });
});

describe('two keys that have exchanged their names', () => {
  const create = (row: string) =>
    `mutation { createKeysTwo(input: ${row}, onConflict: { constraint: two_name }) { id v } }`;
  const inside = (row: string) => `mutation {
    createKeysOwners(input: { id: 1, keysTwo: { data: ${row}, onConflict: { constraint: two_name } } }) { keysTwo { v } }
  }`;

  test.each([
    ['a row', create],
    ['a row inside a row', inside],
  ])('%s merges by the columns that the name stands for', async (_what, mutation) => {
    expect(await graphql(mutation('{ id: 1, name: "n1", code: "c1", v: "new" }'))).toMatchObject({
      data: expect.anything() as unknown,
    });
    expect((await two())[0]).toEqual({ id: 1, name: 'n1', code: 'c1', v: 'new' });
  });

  test.each([
    ['a row', create],
    ['a row inside a row', inside],
  ])('%s never merges by the others', async (_what, mutation) => {
    expect(await graphql(mutation('{ id: 1, name: "n9", code: "c1", v: "new" }'))).toMatchObject({
      errors: [{ extensions: { code: '23505' } }],
    });
    expect(await two()).toEqual(twoBefore);
  });

  test.each(['/api/v1', '/rest/v1'])('a conflict of another key changes no other row: %s', async (base) => {
    for (const row of [
      { id: 9, name: 'n1', code: 'c9', v: 'mine' },
      { id: 1, name: 'n2', code: 'c1', v: 'mine' },
    ])
      expect(await send('POST', `${base}/two`, row, merging)).toMatchObject({ status: 409, body: { code: '23505' } });
    expect(await two()).toEqual(twoBefore);
  });
});

test.each(['/api/v1', '/rest/v1'])('a partial index of the same columns decides nothing: %s', async (base) => {
  expect(await send('POST', `${base}/part`, { id: 1, a: 5 }, merging)).toMatchObject({ status: 200 });
  expect(await send('POST', `${base}/part`, { id: 2, a: 6, flag: false }, merging)).toMatchObject({ status: 201 });
  expect(await send('POST', `${base}/part?on_conflict=a`, { id: 3, a: 5 }, merging)).toMatchObject({
    status: 400,
    body: { code: '42P10' },
  });
  expect(await db.query('select id, a from keys.part order by id')).toEqual([
    { id: 1, a: 5 },
    { id: 2, a: 6 },
  ]);
});

test.each(['/api/v1', '/rest/v1'])('a key that is checked at the commit merges nothing: %s', async (base) => {
  const answer = await send('POST', `${base}/late`, { id: 1, a: 5 }, merging);
  expect(answer).toMatchObject({ body: { code: '55000' } });
  expect(await db.query('select id, a from keys.late')).toEqual([{ id: 1, a: 1 }]);
});
