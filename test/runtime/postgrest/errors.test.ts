import { play, type Case } from './support/mount.js';
import { startSecured, type Secured } from './support/secured.js';

/** Source: PostgREST 13, "Errors", and the messages of PostgreSQL 15. */
const sql = `
grant usage on schema public to :anon, :user;
create type mood as enum ('happy', 'sad');
create table items (
  id int primary key, name text not null, size int check (size > 0), tags text[], data jsonb, span interval,
  spans interval[], now_and_then timestamptz, felt mood, within int4range, small int2, flag bool);
create table parts (id int primary key, item_id int references items, name text unique);
create table secret (id int primary key);
create table nokey (a int);
create table pairs (a int, b int, c text, primary key (a, b));
create table guarded (id int);
alter table guarded enable row level security;
create function add(a int, b int) returns int language sql immutable as $$ select a + b $$;
create function hidden() returns int language sql immutable as $$ select 1 $$;
create function zero() returns int language sql as $$ select 1 / 0 $$;
create function leak() returns int language sql as $$ select name::int from items order by id limit 1 $$;
create function wait() returns interval language sql immutable as $$ select interval '1 day 2 hours' $$;
create function lost() returns int language plpgsql as $$ begin return missing(1); end $$;
revoke execute on function hidden from public;
insert into items (id, name, size, tags, data, span, spans) values
  (1, 'one', 1, '{a}', '{}', '1 year -2 days 03:04:05.6', '{"1 day","02:00"}'), (2, 'two', 2, null, null, null, null);
insert into parts values (1, 1, 'p');
insert into pairs values (1, 2, 'x');
grant select, insert, update, delete on items, parts, nokey, pairs, guarded to :anon, :user;
`;

let mount: Secured;

beforeAll(async () => {
  mount = await startSecured('errors', sql, { APP_REST_OPENAPI_MODE: 'disabled' });
});
afterAll(() => mount.stop());

const error = (code: string, message: string, rest: { readonly details?: string; readonly hint?: string } = {}) => ({
  code,
  details: rest.details ?? null,
  hint: rest.hint ?? null,
  message,
});
const headers = { 'content-type': 'application/json; charset=utf-8', 'www-authenticate': null };
const refused = (
  ask: string,
  status: number,
  json: ReturnType<typeof error>,
  more: Pick<Case, 'headers' | 'body'> = {},
): Case => ({ ask, status, json, has: headers, ...more });

const unparsed = (what: string, input: string, column: number, details: string) =>
  error('PGRST100', `"failed to parse ${what} (${input})" (line 1, column ${String(column)})`, { details });
const operators = 'expecting "not" or operator (eq, gt, ...)';
const field = 'expecting field name (* or [a..z0..9_$])';
const directions = 'expecting "asc", "desc", "nullsfirst" or "nullslast"';
const member = 'expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)';

const parsing: readonly Case[] = [
  refused('/items?id=5', 400, unparsed('filter', '5', 1, `unexpected "5" ${operators}`)),
  refused('/items?id=foo.5', 400, unparsed('filter', 'foo.5', 1, `unexpected "f" ${operators}`)),
  refused('/items?id=not.5', 400, unparsed('filter', 'not.5', 5, `unexpected "5" ${operators}`)),
  refused('/items?id=', 400, unparsed('filter', '', 1, `unexpected end of input ${operators}`)),
  refused('/items?id=eq', 400, unparsed('filter', 'eq', 3, 'unexpected end of input expecting delimiter (.)')),
  refused('/items?id=in.5', 400, unparsed('filter', 'in.5', 4, 'unexpected "5" expecting "("')),
  refused(
    '/items?id=is.foo',
    400,
    unparsed('filter', 'is.foo', 4, 'unexpected "f" expecting isVal: (null, not_null, true, false, unknown)'),
  ),
  refused('/items?order=id.ac', 400, unparsed('order', 'id.ac', 4, `unexpected "c" ${directions}`)),
  refused('/items?order=', 400, unparsed('order', '', 1, `unexpected end of input ${field}`)),
  refused('/items?order=id,,name', 400, unparsed('order', 'id,,name', 4, `unexpected "," ${field}`)),
  refused('/items?or=()', 400, unparsed('logic tree', '()', 4, `unexpected ")" ${member}`)),
  refused('/items?not.or=()', 400, unparsed('logic tree', '()', 8, `unexpected ")" ${member}`)),
  refused('/items?and=(id.foo.1)', 400, unparsed('logic tree', '(id.foo.1)', 8, `unexpected "f" ${operators}`)),
  refused('/items?select=id,', 400, unparsed('select parameter', 'id,', 4, `unexpected end of input ${field}`)),
  refused('/items?select=:id', 400, unparsed('select parameter', ':id', 1, `unexpected ":" ${field}`)),
  refused('/items?select=parts(', 400, unparsed('select parameter', 'parts(', 7, `unexpected end of input ${field}`)),
];

const request: readonly Case[] = [
  refused('LINK /items', 405, error('PGRST117', 'Unsupported HTTP method: LINK')),
  refused('TRACE /items', 405, error('PGRST117', 'Unsupported HTTP method: TRACE')),
  refused('POST /', 405, error('PGRST117', 'Unsupported HTTP method: POST')),
  refused('PUT /rpc/add', 405, error('PGRST101', 'Cannot use the PUT method on RPC')),
  refused('DELETE /rpc/add', 405, error('PGRST101', 'Cannot use the DELETE method on RPC')),
  refused('/', 404, error('PGRST126', 'Root endpoint metadata is disabled')),
  refused('/items/1', 404, error('PGRST125', 'Invalid path specified in request URL')),
  refused('/rpc/add/1', 404, error('PGRST125', 'Invalid path specified in request URL')),
  refused(
    '/items',
    406,
    error('PGRST106', 'Invalid schema: other', { hint: 'Only the following schemas are exposed: public' }),
    { headers: { 'accept-profile': 'other' } },
  ),
  refused(
    'POST /items',
    406,
    error('PGRST106', 'Invalid schema: other', { hint: 'Only the following schemas are exposed: public' }),
    { headers: { 'content-profile': 'other' }, body: {} },
  ),
  refused('/items', 406, error('PGRST107', 'None of these media types are available: text/odd'), {
    headers: { accept: 'text/odd' },
  }),
  refused('/items', 406, error('PGRST107', 'None of these media types are available: image/png, text/odd'), {
    headers: { accept: 'text/odd; q=0.1, image/png;q=0.9' },
  }),
  refused(
    '/items',
    400,
    error('PGRST122', 'Invalid preferences given with handling=strict', { details: 'Invalid preferences: a=b, c' }),
    { headers: { prefer: 'handling=strict, a=b, c' } },
  ),
  refused(
    '/items?select=id',
    406,
    error('PGRST116', 'Cannot coerce the result to a single JSON object', { details: 'The result contains 2 rows' }),
    { headers: { accept: 'application/vnd.pgrst.object+json' } },
  ),
  refused(
    '/items?offset=10',
    416,
    error('PGRST103', 'Requested range not satisfiable', {
      details: 'An offset of 10 was requested, but there are only 2 rows.',
    }),
    { headers: { prefer: 'count=exact' } },
  ),
  refused(
    '/items',
    416,
    error('PGRST103', 'Requested range not satisfiable', {
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    }),
    { headers: { range: '5-2' } },
  ),
  refused(
    '/items?limit=-1',
    416,
    error('PGRST103', 'Requested range not satisfiable', { details: 'Limit should be greater than or equal to zero.' }),
  ),
  refused(
    'POST /rpc/add',
    400,
    error('PGRST128', 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict'),
    { headers: { prefer: 'max-affected=1, handling=strict' }, body: { a: 1, b: 2 } },
  ),
  refused(
    'PATCH /items?id=gt.0',
    400,
    error('PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: 'The query affects 2 rows',
    }),
    { headers: { prefer: 'max-affected=1, handling=strict' }, body: { size: 3 } },
  ),
];

const bodies: readonly Case[] = [
  refused('POST /items', 400, error('PGRST102', 'Empty or invalid json'), { body: '' }),
  refused('POST /items', 400, error('PGRST102', 'Empty or invalid json'), { body: '{' }),
  refused('PATCH /items?id=eq.1', 400, error('PGRST102', 'Empty or invalid json'), { body: '{"a"}' }),
  refused('POST /rpc/add', 400, error('PGRST102', 'Empty or invalid json'), { body: '{"a":' }),
  refused('POST /items', 400, error('PGRST102', 'All lines must have same number of fields'), {
    headers: { 'content-type': 'text/csv' },
    body: 'id,name\n1,2,3',
  }),
  refused('POST /items', 400, error('PGRST102', 'Content-Type not acceptable: text/odd'), {
    headers: { 'content-type': 'text/odd' },
    body: 'x',
  }),
  refused('POST /items', 400, error('PGRST204', "Could not find the 'foo' column of 'items' in the schema cache"), {
    body: { id: 3, foo: 1 },
  }),
  refused(
    'POST /items?columns=id,foo',
    400,
    error('PGRST204', "Could not find the 'foo' column of 'items' in the schema cache"),
    { body: { id: 3 } },
  ),
  refused(
    'PATCH /items?id=eq.1',
    400,
    error('PGRST204', "Could not find the 'foo' column of 'items' in the schema cache"),
    { body: { foo: 1 } },
  ),
  refused(
    'PUT /pairs?a=eq.1',
    405,
    error('PGRST105', "Filters must include all and only primary key columns with 'eq' operators"),
    { body: { a: 1, b: 2, c: 'y' } },
  ),
  refused(
    'PUT /pairs?a=eq.1&b=gt.2',
    405,
    error('PGRST105', "Filters must include all and only primary key columns with 'eq' operators"),
    { body: { a: 1, b: 2, c: 'y' } },
  ),
  refused(
    'PUT /nokey?a=eq.1',
    405,
    error('PGRST105', "Filters must include all and only primary key columns with 'eq' operators"),
    { body: { a: 1 } },
  ),
  refused(
    'PUT /pairs?a=eq.1&b=eq.2&limit=1',
    400,
    error('PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
    { body: { a: 1, b: 2, c: 'y' } },
  ),
  refused(
    'PUT /pairs?a=eq.1&b=eq.2&offset=1',
    400,
    error('PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
    { body: { a: 1, b: 2, c: 'y' } },
  ),
  refused(
    'PUT /pairs?a=eq.1&b=eq.2',
    400,
    error('PGRST115', 'Payload values do not match URL in primary key column(s)'),
    { body: { a: 1, b: 3, c: 'y' } },
  ),
];

const noOperator = 'No operator matches the given name and argument types. You might need to add explicit type casts.';
const noFunction = 'No function matches the given name and argument types. You might need to add explicit type casts.';
const integer = (text: string) => error('22P02', `invalid input syntax for type integer: "${text}"`);

const database: readonly Case[] = [
  refused('/items?foo=eq.1', 400, error('42703', 'column items.foo does not exist')),
  refused('/items?select=id,foo', 400, error('42703', 'column items.foo does not exist')),
  refused('/items?order=foo', 400, error('42703', 'column items.foo does not exist')),
  refused('/items?or=(foo.eq.1)', 400, error('42703', 'column items.foo does not exist')),
  refused(
    '/items?select=nam',
    400,
    error('42703', 'column items.nam does not exist', {
      hint: 'Perhaps you meant to reference the column "items.name".',
    }),
  ),
  refused('POST /items?on_conflict=foo', 400, error('42703', 'column "foo" does not exist'), {
    headers: { prefer: 'resolution=merge-duplicates' },
    body: { id: 1, name: 'x' },
  }),
  refused(
    'POST /items?on_conflict=name',
    400,
    error('42P10', 'there is no unique or exclusion constraint matching the ON CONFLICT specification'),
    { headers: { prefer: 'resolution=merge-duplicates' }, body: { id: 1, name: 'x' } },
  ),
  refused('/items?id=eq.abc', 400, integer('abc')),
  refused('/items?id=in.(1,x)', 400, integer('x')),
  refused('/rpc/add?a=x&b=1', 400, integer('x')),
  refused('POST /items', 400, integer('x'), { body: { id: 'x', name: 'y' } }),
  refused('/items?id=eq.99999999999', 400, error('22003', 'value "99999999999" is out of range for type integer')),
  refused('/items?small=eq.99999', 400, error('22003', 'value "99999" is out of range for type smallint')),
  refused('/items?felt=eq.bad', 400, error('22P02', 'invalid input value for enum mood: "bad"')),
  refused(
    '/items?now_and_then=gt.x',
    400,
    error('22007', 'invalid input syntax for type timestamp with time zone: "x"'),
  ),
  refused('/items?tags=cs.{', 400, error('22P02', 'malformed array literal: "{"')),
  refused('/items?within=cs.x', 400, error('22P02', 'malformed range literal: "x"')),
  refused('/items?data=eq.{', 400, error('22P02', 'invalid input syntax for type json')),
  refused('/items?name=match.(', 400, error('2201B', 'invalid regular expression: parentheses () not balanced')),
  refused(
    '/items?id=ilike.1',
    404,
    error('42883', 'operator does not exist: integer ~~* unknown', { hint: noOperator }),
  ),
  refused('/items?id=cs.1', 404, error('42883', 'operator does not exist: integer @> unknown', { hint: noOperator })),
  refused(
    '/items?now_and_then=like.x',
    404,
    error('42883', 'operator does not exist: timestamp with time zone ~~ unknown', { hint: noOperator }),
  ),
  refused(
    '/items?tags=match.x',
    404,
    error('42883', 'operator does not exist: text[] ~ unknown', { hint: noOperator }),
  ),
  refused('/items?id=fts.x', 404, error('42883', 'function to_tsvector(integer) does not exist', { hint: noFunction })),
  refused('/items?id=is.true', 400, error('42804', 'argument of IS TRUE must be type boolean, not type integer')),
  refused('/items?select=name.sum()', 404, error('42883', 'function sum(text) does not exist', { hint: noFunction })),
  refused('/items?select=id::foo', 400, error('42704', 'type "foo" does not exist')),
  refused('POST /items', 409, error('23505', 'duplicate key value violates unique constraint "items_pkey"'), {
    body: { id: 1, name: 'x' },
  }),
  refused(
    'POST /items',
    400,
    error('23502', 'null value in column "name" of relation "items" violates not-null constraint'),
    { body: { id: 3 } },
  ),
  refused(
    'POST /items',
    400,
    error('23514', 'new row for relation "items" violates check constraint "items_size_check"'),
    { body: { id: 3, name: 'x', size: -1 } },
  ),
  refused(
    'POST /parts',
    409,
    error('23503', 'insert or update on table "parts" violates foreign key constraint "parts_item_id_fkey"'),
    { body: { id: 3, item_id: 77 } },
  ),
  refused(
    'DELETE /items?id=eq.1',
    409,
    error(
      '23503',
      'update or delete on table "items" violates foreign key constraint "parts_item_id_fkey" on table "parts"',
    ),
  ),
  refused('/rpc/zero', 400, error('22012', 'division by zero')),
  // A value that the client has not sent is never told.
  refused('/rpc/leak', 400, error('22P02', 'A value does not have the form its type needs.')),
  refused('/rpc/lost', 404, error('42883', 'function missing(integer) does not exist', { hint: noFunction })),
];

describe.each(Object.entries({ parsing, request, bodies, database }))('%s', (_, cases) => {
  test.each(cases)('$ask', (each) => play(mount, each));
});

describe('rights', () => {
  const cases = [
    { ask: '/secret', message: 'permission denied for table secret' },
    { ask: 'POST /secret', body: { id: 1 }, message: 'permission denied for table secret' },
    { ask: 'DELETE /secret?id=eq.1', message: 'permission denied for table secret' },
    { ask: '/rpc/hidden', message: 'permission denied for function hidden' },
    {
      ask: 'POST /guarded',
      body: { id: 1 },
      message: 'new row violates row-level security policy for table "guarded"',
    },
  ];

  test.each(cases)('$ask of nobody is 401, and asks for a token', ({ message, ...each }) =>
    play(mount, {
      ...each,
      status: 401,
      json: error('42501', message),
      has: { ...headers, 'www-authenticate': 'Bearer' },
    }),
  );

  test.each(cases)('$ask of somebody is 403', async ({ message, ...each }) =>
    play(mount, {
      ...each,
      headers: await mount.bearer({ role: mount.user }),
      status: 403,
      json: error('42501', message),
      has: headers,
    }),
  );

  test('a token in the anonymous role is nobody', async () => {
    const given = await mount.bearer({ role: mount.anon });
    await play(mount, { ask: '/secret', headers: given, status: 401, has: { 'www-authenticate': 'Bearer' } });
  });

  test('a role that tokens may not have', async () => {
    const given = await mount.bearer({ role: 'postgres' });
    const json = error('42501', 'permission denied to set role "postgres"');
    await play(mount, { ask: '/items', headers: given, status: 403, json });
  });
});

describe('tokens', () => {
  const invalid = (given: Readonly<Record<string, string>>, code: string, message: string, details?: string) =>
    play(mount, {
      ask: '/items',
      headers: given,
      status: 401,
      json: error(code, message, details === undefined ? {} : { details }),
      has: { ...headers, 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
    });

  test.each([
    ['Bearer ', 'Empty JWT is sent in Authorization header'],
    ['Bearer', 'Empty JWT is sent in Authorization header'],
    ['Bearer a', 'Expected 3 parts in JWT; got 1'],
    ['Bearer a.b', 'Expected 3 parts in JWT; got 2'],
    ['bearer a.b.c.d', 'Expected 3 parts in JWT; got 4'],
    ['Bearer a.b.c', "JWT couldn't be decoded"],
  ])('%s', (authorization, message) => invalid({ authorization }, 'PGRST301', message));

  test('a signature of another key', async () => {
    const { authorization = '' } = await mount.bearer({});
    const [start = ''] = authorization.split(/(?<=\..*\.)/);
    const given = { authorization: `${start}${'A'.repeat(43)}` };
    await invalid(
      given,
      'PGRST301',
      'No suitable key or wrong key type',
      'None of the keys was able to decode the JWT',
    );
  });

  test('claims', async () => {
    await invalid(await mount.bearer({}, -100), 'PGRST303', 'JWT expired');
    await invalid(await mount.bearer({ nbf: 99999999999 }), 'PGRST303', 'JWT not yet valid');
    await invalid(await mount.bearer({ nbf: 'x' as never }), 'PGRST303', "The JWT 'nbf' claim must be a number");
    await invalid(await mount.bearer({ iat: Date.now() / 1000 + 60 }), 'PGRST303', 'JWT issued at future');
    await invalid(await mount.bearer({ iat: 'x' as never }), 'PGRST303', "The JWT 'iat' claim must be a number");
    await play(mount, {
      ask: '/items?limit=0',
      headers: await mount.bearer({ iat: Date.now() / 1000 + 20 }),
      json: [],
    });
    // The other forms do not look at when a token was issued.
    await play(mount, { ask: '/api/v1/items?limit=0', headers: await mount.bearer({ iat: Date.now() / 1000 + 60 }) });
    await invalid(await mount.bearer({ exp: 'x' as never }), 'PGRST303', "The JWT 'exp' claim must be a number");
    // Whether or not an audience is configured.
    const malformed = "The JWT 'aud' claim must be a string or an array of strings";
    for (const aud of [5, true, { a: 'b' }, ['a', 1]])
      await invalid(await mount.bearer({ aud: aud as never }), 'PGRST303', malformed);
    for (const aud of ['a', ['a', 'b'], [], null])
      await play(mount, { ask: '/items?limit=0', headers: await mount.bearer({ aud: aud as never }), json: [] });
  });

  test('an audience', async () => {
    const strict = await startSecured('errors_aud', sql, { APP_SECURITY_AUTH_AUDIENCE: 'shop' });
    try {
      const given = await strict.bearer({ aud: 'other' });
      await play(strict, {
        ask: '/items',
        headers: given,
        status: 401,
        json: error('PGRST303', 'JWT not in audience'),
      });
      await play(strict, {
        ask: '/items',
        headers: await strict.bearer({ aud: 5 as never }),
        status: 401,
        json: error('PGRST303', "The JWT 'aud' claim must be a string or an array of strings"),
      });
    } finally {
      await strict.stop();
    }
  });
});

describe('intervals', () => {
  test.each<Case>([
    {
      ask: '/items?select=span,spans&order=id',
      json: [
        { span: '1 year -2 days +03:04:05.6', spans: ['1 day', '02:00:00'] },
        { span: null, spans: null },
      ],
    },
    { ask: '/items?select=span::text&id=eq.1', json: [{ span: '1 year -2 days +03:04:05.6' }] },
    { ask: '/items?select=id&span=gt.1 day 2 hours', json: [{ id: 1 }] },
    { ask: '/rpc/wait', text: '"1 day 02:00:00"' },
    {
      ask: 'PATCH /items?id=eq.1&select=span',
      body: { span: 'P1DT2H' },
      headers: { prefer: 'return=representation, tx=rollback' },
      json: [{ span: '1 day 02:00:00' }],
    },
    { ask: '/items?select=span&id=eq.1', headers: { accept: 'text/csv' }, text: 'span\n"1 year -2 days +03:04:05.6"' },
    {
      ask: '/api/v1/items?select=span&id=eq.1',
      json: expect.objectContaining({ data: [{ span: 'P1Y-2DT3H4M5.6S' }] }) as unknown,
    },
  ])('$ask', (each) => play(mount, each));
});

describe('our own form says what it said', () => {
  test.each<Case>([
    { ask: '/api/v1/items?id=5', status: 400, json: expect.objectContaining({ code: 'TW003' }) as unknown },
    { ask: '/api/v1/items?foo=eq.1', status: 400, json: expect.objectContaining({ code: 'TW002' }) as unknown },
    {
      ask: '/api/v1/items?id=eq.abc',
      status: 500,
      json: expect.objectContaining({ message: 'A value does not have the form its type needs.' }) as unknown,
    },
    { ask: '/api/v1/secret', status: 403, json: expect.objectContaining({ message: 'Permission denied.' }) as unknown },
    {
      ask: '/api/v1/items',
      headers: { authorization: 'Bearer a.b.c' },
      status: 401,
      json: expect.objectContaining({ code: 'TW012', message: 'The token is malformed.' }) as unknown,
    },
  ])('$ask', (each) => play(mount, each));
});

describe('PUT', () => {
  const put = (ask: string, body: unknown, more: Partial<Case>): Case => ({
    ask: `PUT ${ask}`,
    body,
    headers: { prefer: 'return=representation' },
    ...more,
  });

  test.each<Case>([
    put('/pairs?a=eq.5&b=eq.6', { a: 5, b: 6 }, { status: 201, json: [{ a: 5, b: 6, c: null }] }),
    put('/pairs?a=eq.5&b=eq.6', { a: 5, b: 6, c: 'x' }, { json: [{ a: 5, b: 6, c: 'x' }] }),
    put('/pairs?a=eq.5&b=eq.6', { a: 5, b: 6 }, { json: [{ a: 5, b: 6, c: 'x' }] }),
    put('/items?id=eq.8', { id: 8, name: 'eight' }, { status: 201 }),
    put('/items?id=eq.8&select=name,size', { id: 8, name: 'more', size: 3 }, { json: [{ name: 'more', size: 3 }] }),
    put('/items?id=eq.8&select=name,size', { id: 8, name: 'less' }, { json: [{ name: 'less', size: 3 }] }),
    put('/items?id=eq.9', { id: 9 }, { status: 400, json: expect.objectContaining({ code: '23502' }) as unknown }),
  ])('$ask $body', (each) => play(mount, each));
});
