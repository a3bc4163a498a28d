import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';
import { errorOf } from '../rest/support/client.js';

/** Decision 006, for writes, one by one. No answer contains a value of a row. */
interface Case {
  readonly what: string;
  readonly method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly type?: string;
  readonly body?: unknown;
  readonly status: number;
  readonly code: string;
  readonly details?: string | null;
  readonly message?: RegExp;
  readonly hint?: RegExp;
}

const person = { name: 'Kim', email: 'kim@secret.example' };

const cases: readonly Case[] = [
  // The database's
  {
    what: 'a unique key',
    path: 'people',
    body: { name: 'Kim', email: 'ada@example.org' },
    status: 409,
    code: '23505',
    details: 'About constraint "people_email_key" on "email" of table "people".',
  },
  {
    what: 'a composite primary key',
    path: 'prices',
    body: { product: 'tea', region: 'eu', price: 1 },
    status: 409,
    code: '23505',
    details: 'About constraint "prices_pkey" on "product", "region" of table "prices".',
  },
  {
    what: 'a unique key, by an update',
    method: 'PATCH',
    path: 'people?id=eq.2',
    body: { email: 'ada@example.org' },
    status: 409,
    code: '23505',
    details: 'About constraint "people_email_key" on "email" of table "people".',
  },
  {
    what: 'a foreign key to nothing',
    path: 'people',
    body: { ...person, team_id: 99 },
    status: 409,
    code: '23503',
    details: 'About constraint "people_team_id_fkey" on "team_id" of table "people".',
  },
  {
    what: 'a row that others refer to',
    method: 'DELETE',
    path: 'teams?id=eq.1',
    status: 409,
    code: '23503',
    details: 'About constraint "people_team_id_fkey" on "team_id" of table "people".',
  },
  {
    what: 'an exclusion',
    path: 'bookings',
    body: { id: 2, during: '[4,9)' },
    status: 409,
    code: '23P01',
    details: 'About constraint "bookings_during_excl", table "bookings".',
  },
  {
    what: 'NOT NULL',
    path: 'people',
    body: { email: 'kim@secret.example' },
    status: 400,
    code: '23502',
    details: 'About column "name", table "people".',
  },
  {
    what: 'a check',
    path: 'tasks',
    body: { person_id: 1, title: 't', points: -77 },
    status: 400,
    code: '23514',
    details: 'About constraint "tasks_points_check", table "tasks".',
  },
  {
    what: "a domain's check",
    path: 'people',
    body: { ...person, share: 101 },
    status: 400,
    code: '23514',
    details: 'About constraint "percent_check".',
  },
  { what: 'a right that is missing', path: 'inbox', body: { body: 'secret' }, status: 403, code: '42501' },
  {
    what: 'the check option of a view',
    path: 'cheap',
    body: { product: 'secret', region: 'eu', price: 1000 },
    status: 400,
    code: '44000',
  },
  {
    what: 'an enum label that is none',
    path: 'people',
    body: { ...person, mood: 'secret' },
    status: 500,
    code: '22P02',
  },
  { what: 'a number that is none', path: 'people', body: { ...person, points: 'secret' }, status: 500, code: '22P02' },
  { what: 'an overflow', path: 'people', body: { ...person, points: 99999999999 }, status: 500, code: '22003' },
  { what: 'a date that is none', path: 'people', body: { ...person, due: 'secret' }, status: 500, code: '22007' },
  { what: 'a date that cannot be', path: 'people', body: { ...person, due: '2024-02-30' }, status: 500, code: '22008' },
  {
    what: 'a text that is too long',
    path: 'people',
    body: { ...person, note: 'secret'.repeat(10) },
    status: 500,
    code: '22001',
  },
  { what: 'NUL in jsonb', path: 'people', body: { ...person, profile: { a: '\0' } }, status: 400, code: '22P05' },
  {
    what: 'JSON that is nested beyond what the database takes',
    path: 'people',
    body: `{"name":"a","email":"a","profile":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    status: 400,
    code: '54001',
  },
  {
    what: 'JSON that is nested too deeply to be read',
    path: 'people',
    body: `{"name":"a","email":"a","slot":{"lower":1},"profile":${'['.repeat(200_000)}12345678901234567890${']'.repeat(200_000)}}`,
    status: 400,
    code: 'TW006',
  },
  // Ours
  {
    what: 'NUL in a text',
    path: 'people',
    body: { ...person, note: 'sec\0ret' },
    status: 400,
    code: 'TW006',
    message: /^Column "note": .*zero byte/,
  },
  { what: 'no JSON', path: 'people', body: '{"name":', status: 400, code: 'TW006' },
  { what: 'an empty body', path: 'people', body: '', status: 400, code: 'TW006' },
  { what: 'a value that is no row', path: 'people', body: '"secret"', status: 400, code: 'TW006' },
  { what: 'a list with something else than rows', path: 'people', body: [person, 1], status: 400, code: 'TW006' },
  {
    what: 'an unknown column',
    path: 'people',
    body: { ...person, nam: 'secret' },
    status: 400,
    code: 'TW002',
    hint: /name/,
  },
  {
    what: 'an unknown column of an update',
    method: 'PATCH',
    path: 'people?id=eq.1',
    body: { nam: 'secret' },
    status: 400,
    code: 'TW002',
    hint: /name/,
  },
  {
    what: 'an unknown column in the last of many rows',
    path: 'teams',
    body: [{ name: 'A' }, { name: 'B', sise: 1 }],
    status: 400,
    code: 'TW002',
    hint: /size/,
  },
  {
    what: 'an unknown column in columns',
    path: 'people?columns=nam',
    body: person,
    status: 400,
    code: 'TW002',
    hint: /name/,
  },
  {
    what: 'an unknown column in on_conflict',
    path: 'teams?on_conflict=nam',
    body: { name: 'A' },
    status: 400,
    code: 'TW002',
    hint: /name/,
  },
  {
    what: 'an unknown column in select',
    path: 'people?select=nam',
    body: person,
    status: 400,
    code: 'TW002',
    hint: /name/,
  },
  {
    what: 'an unknown column in a filter',
    method: 'DELETE',
    path: 'people?nam=eq.1',
    status: 400,
    code: 'TW002',
    hint: /name/,
  },
  { what: 'a filter of an insert', path: 'people?id=eq.1', body: person, status: 400, code: 'TW005' },
  {
    what: 'a generated column',
    path: 'people',
    body: { ...person, label: 'secret' },
    status: 400,
    code: 'TW006',
    message: /"label" .* can't be written/,
  },
  {
    what: 'a generated column of an update',
    method: 'PATCH',
    path: 'people?id=eq.1',
    body: { label: 'secret' },
    status: 400,
    code: 'TW006',
    message: /"label"/,
  },
  {
    what: 'an identity that is always generated',
    path: 'tickets',
    body: { id: 5, title: 'secret' },
    status: 400,
    code: 'TW006',
    message: /"id"/,
  },
  {
    what: 'an object for a scalar',
    path: 'people',
    body: { ...person, points: { a: 1 } },
    status: 400,
    code: 'TW006',
    message: /^Column "points"/,
  },
  {
    what: 'an array literal that is none',
    path: 'people',
    body: { ...person, tags: '[a]' },
    status: 400,
    code: 'TW006',
    message: /^Column "tags"/,
  },
  {
    what: 'a range that is none',
    path: 'people',
    body: { ...person, slot: '1-5' },
    status: 400,
    code: 'TW006',
    message: /^Column "slot"/,
  },
  {
    what: 'an unknown attribute of a composite',
    path: 'people',
    body: { ...person, home: { stret: 'secret' } },
    status: 400,
    code: 'TW006',
    message: /^Column "home"/,
  },
  { what: 'another media type', path: 'people', type: 'application/xml', body: '<a/>', status: 415, code: 'TW006' },
  {
    what: 'CSV with a line that is too short',
    path: 'teams',
    type: 'text/csv',
    body: 'name,size\nA',
    status: 400,
    code: 'TW006',
  },
  {
    what: 'CSV that names a column twice',
    path: 'teams',
    type: 'text/csv',
    body: 'name,name\nA,B',
    status: 400,
    code: 'TW006',
  },
  {
    what: 'CSV with JSON that is none',
    path: 'people',
    type: 'text/csv',
    body: 'name,email,profile\nA,a,secret',
    status: 400,
    code: 'TW006',
  },
];

let db: WriteDatabase;
let server: WriteServer;
beforeAll(async () => {
  db = await createWriteDatabase();
  server = await startWriteServer(db);
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

const everything = `select (select json_agg(t order by id) from ops.people t)::text || (select json_agg(t order by id) from ops.teams t)::text as all`;

test.each(cases)(
  '$what',
  async ({ method = 'POST', path, type = 'application/json', body, status, code, details, message, hint }) => {
    const before = await db.query(everything);
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await server.send(method, `/api/v1/${path}`, { 'content-type': type }, sent);
    const error = errorOf(reply);
    expect({ status: reply.status, code: error.code }).toEqual({ status, code });
    if (details !== undefined) expect(error.details).toBe(details);
    if (message !== undefined) expect(error.message).toMatch(message);
    if (hint !== undefined) expect(error.hint).toMatch(hint);
    expect(reply.text).not.toMatch(/secret|ada@example|insert into|json_to_record/i);
    expect(await db.query(everything)).toEqual(before);
  },
);

test('a body that is too large is 413', async () => {
  const reply = await server.send(
    'POST',
    '/api/v1/teams',
    { 'content-type': 'application/json' },
    `"${'x'.repeat(1_100_000)}"`,
  );
  expect([reply.status, errorOf(reply).code]).toEqual([413, 'TW011']);
});

test('a failure in the last of many rows leaves nothing', async () => {
  const rows = [...Array.from({ length: 500 }, (_, at) => ({ name: `n${at}` })), { name: 'Red' }];
  const reply = await server.send(
    'POST',
    '/api/v1/teams',
    { 'content-type': 'application/json' },
    JSON.stringify(rows),
  );
  expect(reply.status).toBe(409);
  expect(await db.query('select count(*)::int as n from ops.teams')).toEqual([{ n: 2 }]);
});

test('too many different sets of columns', async () => {
  const optional = ['points', 'mood', 'tags', 'profile', 'id', 'active'];
  const sample: Readonly<Record<string, unknown>> = { points: 1, mood: 'sunny', tags: [], profile: {}, active: true };
  const rows = Array.from({ length: 64 }, (_, at) => {
    const given = optional.filter((_name, bit) => ((at >> bit) & 1) === 1);
    return {
      name: `n${at}`,
      email: `e${at}`,
      ...Object.fromEntries(given.map((name) => [name, name === 'id' ? 1000 + at : sample[name]])),
    };
  });
  const post = (body: unknown) =>
    server.send(
      'POST',
      '/api/v1/people?select=id',
      { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
      JSON.stringify(body),
    );
  const reply = await post(rows);
  expect([reply.status, errorOf(reply).code]).toEqual([400, 'TW006']);
  // In an insert, a missing column without a default is NULL, so it does not make the set of
  // columns different.
  const plain = await server.send(
    'POST',
    '/api/v1/people?select=id',
    { 'content-type': 'application/json' },
    JSON.stringify(rows),
  );
  expect([plain.status, (JSON.parse(plain.text) as unknown[]).length]).toEqual([201, 64]);
});
