import { play, startMount, type Case, type Mount } from './support/mount.js';

/** Source: PostgREST, "RAISE errors with HTTP Status Codes". */
const sql = `
create function refuse(state text, message text, detail text default null, hint text default null) returns int
  language plpgsql volatile as $$ begin
    if detail is null then raise exception using errcode = state, message = message, hint = coalesce(hint, '');
    else raise exception using errcode = state, message = message, detail = detail, hint = coalesce(hint, '');
    end if;
  end $$;
create table items (id int primary key);
create function keep() returns trigger language plpgsql as $$ begin
  raise sqlstate 'PGRST' using message = '{"code": "KEEP", "message": "Items are kept"}',
    detail = '{"status": 410, "headers": {"X-Kept": "yes"}}';
end $$;
create trigger keep before delete on items for each row execute function keep();
insert into items values (1);
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('raise', sql, {}, { functions: ['public.*'] });
});
afterAll(() => mount.stop());

interface Raised {
  readonly state?: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
}

const raise = ({ state = 'PGRST', ...texts }: Raised): Pick<Case, 'ask' | 'body'> => ({
  ask: 'POST /rpc/refuse',
  body: { state, ...texts },
});
const body = (code: string, message: string, details: string | null = null, hint: string | null = null): unknown => ({
  code,
  details,
  hint,
  message,
});
const message = '{"code": "A1", "message": "No"}';
const malformed = (details: string, key: 'MESSAGE' | 'DETAIL'): Pick<Case, 'status' | 'json' | 'has'> => ({
  status: 500,
  json: {
    code: 'PGRST121',
    details,
    hint:
      key === 'MESSAGE'
        ? "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
        : "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
  },
  has: { 'x-own': null, 'content-type': 'application/json; charset=utf-8' },
});
const invalid = (detail: string): Case => ({
  ...raise({ message, detail }),
  ...malformed(`Invalid JSON value for DETAIL: '${detail}'`, 'DETAIL'),
});

const cases: readonly Case[] = [
  {
    ...raise({ message, detail: '{"status": 402, "headers": {}}' }),
    status: 402,
    json: body('A1', 'No'),
    has: { 'content-type': 'application/json; charset=utf-8', 'www-authenticate': null },
  },
  {
    ...raise({
      message: '{"code": "A2", "message": "No", "details": "why", "hint": "Pay."}',
      detail: '{"status": 429, "headers": {"Retry-After": "60", "X-Own": "b"}, "status_text": "Slow down"}',
    }),
    status: 429,
    json: body('A2', 'No', 'why', 'Pay.'),
    has: { 'retry-after': '60', 'x-own': 'b' },
  },
  { ...raise({ message, detail: '{"status": 401, "headers": {}}' }), status: 401, has: { 'www-authenticate': null } },
  {
    ...raise({ message, detail: '{"status": 201, "headers": {"content-length": "1"}}' }),
    status: 201,
    json: body('A1', 'No'),
  },
  {
    ...raise({ message, detail: '{"status": 400, "headers": {"Content-Type": "text/odd"}}' }),
    status: 400,
    has: { 'content-type': 'text/odd' },
  },
  { ...raise({ message: 'plain' }), ...malformed("Invalid JSON value for MESSAGE: 'plain'", 'MESSAGE') },
  {
    ...raise({ message: '{"code": "A"}' }),
    ...malformed(`Invalid JSON value for MESSAGE: '{"code": "A"}'`, 'MESSAGE'),
  },
  {
    ...raise({ message: '{"code": 1, "message": "No"}' }),
    ...malformed(`Invalid JSON value for MESSAGE: '{"code": 1, "message": "No"}'`, 'MESSAGE'),
  },
  { ...raise({ message }), ...malformed('DETAIL is missing in the RAISE statement', 'DETAIL') },
  invalid('text'),
  invalid('{"status": 400}'),
  invalid('{"headers": {}}'),
  invalid('{"status": "400", "headers": {}}'),
  invalid('{"status": 99, "headers": {}}'),
  invalid('{"status": 400, "headers": {"a b": "c"}}'),
  invalid('{"status": 400, "headers": {"a": 1}}'),
  { ask: 'DELETE /items?id=eq.1', status: 410, json: body('KEEP', 'Items are kept'), has: { 'x-kept': 'yes' } },
  { ask: '/items', json: [{ id: 1 }] },
  // PTxyz: the rest is the status.
  {
    ...raise({ state: 'PT402', message: 'Payment required', detail: 'Quota', hint: 'Upgrade.' }),
    status: 402,
    json: body('PT402', 'Payment required', 'Quota', 'Upgrade.'),
  },
  { ...raise({ state: 'PT401', message: 'Who?' }), status: 401, has: { 'www-authenticate': 'Bearer' } },
  { ...raise({ state: 'PTABC', message: 'Odd' }), status: 500, json: body('PTABC', 'Odd') },
  { ...raise({ state: 'P0001', message: 'Plain' }), status: 400, json: body('P0001', 'Plain') },
  // Our own form says the same as before.
  {
    ask: 'POST /api/v1/rpc/refuse',
    body: { state: 'PGRST', message, detail: '{"status": 402, "headers": {}}' },
    status: 400,
    json: body('PGRST', message, '{"status": 402, "headers": {}}'),
  },
];

test.each(cases)('$ask $body', (each) => play(mount, each));

test('the reason phrase', async () => {
  const phrase = async (raised: Raised): Promise<string> => {
    const { state = 'PGRST', ...texts } = raised;
    const reply = await mount.send(
      'POST',
      '/rest/v1/rpc/refuse',
      { 'content-type': 'application/json' },
      JSON.stringify({ state, ...texts }),
    );
    return reply.phrase ?? '';
  };
  const detail = '{"status": 429, "headers": {}, "status_text": "Slow down"}';
  expect(await phrase({ message, detail })).toBe('Slow down');
  expect(await phrase({ message, detail: '{"status": 429, "headers": {}}' })).toBe('Too Many Requests');
  expect(await phrase({ state: 'PT499', message: 'Payment due' })).toBe('Payment due');
  expect(await phrase({ state: 'PT402', message: 'two\nlines' })).toBe('Payment Required');
});

test('app.errors.database-messages hides what the author wrote', async () => {
  const silent = await startMount(
    'raise_silent',
    sql,
    { APP_ERRORS_DATABASE_MESSAGES: 'false' },
    { functions: ['public.*'] },
  );
  try {
    await play(silent, {
      ...raise({
        message: '{"code": "A1", "message": "secret", "details": "secret"}',
        detail: '{"status": 402, "headers": {"X-Own": "1"}}',
      }),
      status: 402,
      json: body('A1', 'A rule of the database refused the request.'),
      has: { 'x-own': '1' },
    });
    const answer = { status: 500, json: expect.objectContaining({ code: 'PGRST121', details: null }) as unknown };
    await play(silent, { ...raise({ message: 'secret' }), ...answer });
  } finally {
    await silent.stop();
  }
});
