import { createMentionedVariables } from '../../../runtime/src/extensions/postgrest/request-variables.js';
import { mysql } from '../../../runtime/src/dialect/mysql/dialect.js';
import { play, type Case } from './support/mount.js';
import { startSecured, type Secured } from './support/secured.js';

/** Source: PostgREST, "Pre-Request". */
const sql = `
grant usage on schema public to :anon, :user;
create table items (id int primary key, word text);
create table notes (id int primary key);
create table ways (a int references items, b int references items);
insert into items values (1, 'one');
create function check_request() returns void language plpgsql as $$
declare headers json := current_setting('request.headers')::json; begin
  if headers ->> 'x-blocked' is not null then
    raise sqlstate 'PT403' using message = 'blocked', detail = current_user, hint = 'Ask later.';
  end if;
  if headers ->> 'x-writes' is not null then insert into notes values (7); end if;
  perform set_config('app.word', coalesce(headers ->> 'x-word', 'none'), true);
  perform set_config('response.headers', '[{"X-Checked": "' || current_user || '"}]', true);
end $$;
create function word() returns text language sql stable as $$ select current_setting('app.word', true) $$;
create function give_word() returns trigger language plpgsql as
  $$ begin new.word := current_setting('app.word', true); return new; end $$;
create trigger give_word before insert or update on items for each row execute function give_word();
grant select, insert, update, delete on items, notes to :anon, :user;
grant select on ways to :anon;
`;

let mount: Secured;

beforeAll(async () => {
  mount = await startSecured('pre_request', sql, { APP_REST_PRE_REQUEST: 'public.check_request' });
});
afterAll(() => mount.stop());

const blocked = {
  status: 403,
  json: { code: 'PT403', details: expect.any(String) as string, hint: 'Ask later.', message: 'blocked' },
  has: { 'x-checked': null },
};

const cases: readonly Case[] = [
  { ask: '/rpc/word', headers: { 'x-word': 'hello' }, text: '"hello"' },
  { ask: '/rpc/word', text: '"none"' },
  { ask: '/items?select=id', json: [{ id: 1 }] },
  { ask: '/items?select=id', headers: { 'x-blocked': '1' }, ...blocked },
  { ask: 'POST /items', body: { id: 3 }, headers: { 'x-blocked': '1' }, ...blocked },
  { ask: '/items?id=eq.3', json: [] },
  {
    ask: 'POST /items',
    body: { id: 2 },
    headers: { 'x-word': 'two', prefer: 'return=representation' },
    status: 201,
    json: [{ id: 2, word: 'two' }],
  },
  {
    ask: 'PATCH /items?id=eq.2',
    body: { id: 2 },
    headers: { 'x-word': 'more', prefer: 'return=representation, tx=rollback' },
    json: [{ id: 2, word: 'more' }],
  },
  {
    ask: 'PUT /items?id=eq.2',
    body: { id: 2, word: '' },
    headers: { 'x-word': 'put', prefer: 'return=representation' },
    json: [{ id: 2, word: 'put' }],
  },
  { ask: 'DELETE /items?id=eq.2', status: 204 },
  // It runs in the transaction of the request: a read can write nothing.
  {
    ask: '/items',
    headers: { 'x-writes': '1' },
    status: 405,
    json: expect.objectContaining({ code: '25006' }) as unknown,
  },
  { ask: 'POST /items', body: { id: 9 }, headers: { 'x-writes': '1', prefer: 'tx=rollback' }, status: 201 },
  { ask: '/notes', json: [] },
  { ask: 'POST /items', body: { id: 9 }, headers: { 'x-writes': '1' }, status: 201 },
  { ask: '/notes', json: [{ id: 7 }] },
  // Before the transaction nothing is called.
  { ask: '/items?id=nonsense', headers: { 'x-blocked': '1' }, status: 400 },
  { ask: 'OPTIONS /items', headers: { 'x-blocked': '1' }, status: 200 },
];

test.each(cases)('$ask $headers', (each) => play(mount, each));

test('it runs as the caller', async () => {
  await play(mount, { ask: '/items?select=id', json: [{ id: 1 }, { id: 9 }], has: { 'x-checked': mount.anon } });
  const headers = await mount.bearer({ role: mount.user });
  await play(mount, { ask: 'POST /rpc/word', body: {}, headers, has: { 'x-checked': mount.user } });
});

test('requests of other forms do not call it', async () => {
  expect((await mount.send('GET', '/api/v1/items', { 'x-blocked': '1' })).status).toBe(200);
});

test('many requests at a time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => mount.send('GET', '/rest/v1/rpc/word', { 'x-word': String(at) })),
  );
  expect(answers.map(({ text }) => text)).toEqual(answers.map((_, at) => `"${String(at)}"`));
});

test('a function that does not exist stops the start', async () => {
  const start = startSecured('pre_request_none', sql, { APP_REST_PRE_REQUEST: 'public.missing' });
  await expect(start).rejects.toMatchObject({
    code: 'TW018',
    message: 'There is no function "public.missing" without arguments, which app.rest.pre-request names.',
  });
});

test('MariaDB has no such functions', () => {
  const settings = { 'app.rest.postgrest': '/rest/v1', 'app.rest.pre-request': 'a.b' } as never;
  expect(() => createMentionedVariables(mysql, settings, () => undefined)).toThrow(
    'no functions to call before a request',
  );
});
