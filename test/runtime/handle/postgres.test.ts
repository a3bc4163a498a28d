import { readFile } from 'node:fs/promises';
import { loadSql } from '../../support/postgres.js';
import { activity, openServed, until, type Served, type ServedServer } from '../../support/served-as-role.js';
import { customCode } from './support/custom.js';

/** The pool has one connection: custom code inside a transaction never needs a second one. */
const alone = { APP_DATASOURCE_POOL_SIZE: '1', APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '2000', APP_LOG_LEVEL: 'silent' };
const words = {
  TYPE: 'Desk',
  FIELD: 'desk',
  FOLDER: 'desk',
  USER: "current_setting('request.user_id', true)",
  WHO: "select current_setting('request.user_id', true) as user_id, current_user::text as role, current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout",
  SLEEP: 'pg_sleep',
};

let served: Served;
let server: ServedServer;
let ada: Readonly<Record<string, string>>;
let role: string;

beforeAll(async () => {
  served = await openServed({
    name: 'handle_desk',
    schema: 'desk',
    sql: await readFile(new URL('support/desk.sql', import.meta.url), 'utf8'),
    custom: customCode(words, 'desk'),
  });
  role = new URL(served.roleUrl).username;
  ada = { authorization: `Bearer ${await served.token('ada')}` };
  server = await served.start({ ...alone, APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '7000' });
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});
beforeEach(() => loadSql(served.url, 'delete from desk.notes where id >= 10; truncate desk.journal'));

interface Body {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

const ask = async (document: string, headers = ada): Promise<Body> =>
  JSON.parse((await server.ask(document, headers)).text) as Body;
const data = async (document: string, headers = ada): Promise<unknown> => {
  const { data: found, errors } = await ask(document, headers);
  expect(errors).toBeUndefined();
  return Object.values(found ?? {})[0];
};
const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const { status, text } = await server.send('GET', path, headers);
  return { status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
};
const bodies = async () =>
  (await served.query<{ body: string }>('select body from desk.notes where id >= 10 order by id')).map(
    ({ body }) => body,
  );

describe('a resolver’s transaction', () => {
  test('has the claims of its request: policies hold', async () => {
    expect(await data('{ bodies }')).toEqual(['one', 'two and']);
    expect(await data('{ bodies }', {})).toEqual([]);
    expect(await data('{ bodies }', { authorization: `Bearer ${await served.token('bob')}` })).toEqual(['three']);
  });

  test('gives values as the generated types say', async () => {
    expect(JSON.parse((await data('{ types }')) as string)).toEqual({
      id: ['Number', 1],
      owner: ['String', 'ada'],
      body: ['String', 'one'],
      made: ['Date', '2024-01-01T12:00:00.000Z'],
      took: ['Interval', 'PT1H30M'],
      amount: ['String', '1.50'],
      large: ['String', '9007199254740993'],
      moods: ['Array', ['good', 'bad']],
      facts: ['Object', { a: [1] }],
      raw: ['Buffer', { type: 'Buffer', data: [1, 255] }],
    });
  });

  test('is kept when its code is done', async () => {
    expect(await data('mutation { addTwo }')).toBe(true);
    expect(await bodies()).toEqual(['first', 'second']);
  });

  test('is undone when its code throws, and the client is told nothing of it', async () => {
    const { errors } = await ask('mutation { addTwo(fail: true) }');
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(errors).toHaveLength(1);
    expect(await bodies()).toEqual([]);
  });

  test('is undone when a failed statement was passed over', async () => {
    expect((await ask('mutation { swallow }')).errors).toHaveLength(1);
    expect(await bodies()).toEqual([]);
  });

  test('inside another one is a savepoint', async () => {
    expect(await data('mutation { inside }')).toBe('one,two and,outer,kysely,third');
    expect(await bodies()).toEqual(['outer', 'kysely', 'third']);
  });

  test('is the same for documents that its code asks', async () => {
    expect(await data('mutation { together }')).toBe('4 4');
    expect(await bodies()).toEqual(['by kysely', 'by document']);
  });

  test('is that of the generated fields beside it, which an error undoes, too', async () => {
    const both = (fail: boolean) =>
      `mutation { createDeskNotes(input: { body: "generated" }) { body } addTwo(fail: ${fail}) }`;
    expect((await ask(both(false))).data).toEqual({ createDeskNotes: { body: 'generated' }, addTwo: true });
    expect(await bodies()).toEqual(['generated', 'first', 'second']);
    expect((await ask(both(true))).data).toBeNull();
    expect(await bodies()).toHaveLength(3);
  });

  test('takes statements and transactions that are begun at once', async () => {
    expect(await data('{ parallel }')).toBe(8);
  });

  test('refuses a handle that was kept, with a hint', async () => {
    const { errors } = await ask('{ keep }');
    expect(errors?.[0]).toMatchObject({
      message: 'The transaction of this handle has ended.',
      extensions: { code: 'TW017' },
    });
  });
});

describe('whatever statements of the user’s own have set', () => {
  test.each([
    "select set_config('request.user_id', 'bob', true)",
    "select set_config('request.user_id', 'bob', false)",
    'set local role none',
    'reset role',
    'reset all',
    "set timezone = 'Asia/Tokyo'",
    'set local statement_timeout = 0',
    'deallocate all',
    "select set_config(name, reset_val, true) from pg_settings where name in ('role', 'statement_timeout')",
  ])('%s: who asks stays who asks', async (statement) => {
    const found = JSON.parse((await data(`{ after(statement: ${JSON.stringify(statement)}) }`)) as string) as unknown;
    expect(found).toEqual({ user_id: 'ada', role, zone: 'UTC', timeout: '7s', owners: ['ada'] });
    expect(await data('{ bodies }', {})).toEqual([]);
  });

  test.each([
    'commit',
    ' /* x */ rollback',
    '-- x\nend',
    'begin',
    'SAVEPOINT a',
    'abort',
    'start transaction',
    "prepare transaction 'x'",
    '/* /* */ */ commit and chain',
  ])('%s is refused', async (statement) => {
    const { errors } = await ask(`{ after(statement: ${JSON.stringify(statement)}) }`);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('the server controls the transaction') as string,
      extensions: { code: 'TW017' },
    });
  });

  test('several statements in one text are none', async () => {
    expect((await ask('{ after(statement: "select 1; commit") }')).errors).toHaveLength(1);
  });
});

describe('time', () => {
  test('a statement has the time of its transaction', async () => {
    expect((await ask('{ slow(seconds: 5, timeout: 100) }')).errors?.[0]?.extensions.code).toBe('57014');
    expect(await data('{ slow(seconds: 0, timeout: 100) }')).toBe(true);
  });

  test('a client that goes away cancels it, and nothing is kept', async () => {
    const gone = new AbortController();
    const asked = fetch(`${server.base}/wait`, { headers: ada, signal: gone.signal }).catch(() => 'gone');
    await until(async () => (await activity(served)).some(({ query }) => query.includes('pg_sleep')));
    gone.abort();
    expect(await asked).toBe('gone');
    await until(async () => (await activity(served)).every(({ state }) => state === 'idle'));
    expect(await bodies()).toEqual([]);
    expect(await data('{ bodies }')).toHaveLength(2);
  });
});

test('a loader reads what all rows ask for at once', async () => {
  await data('{ batches }');
  expect(await data('{ deskNotes(orderBy: { id: ASC }) { length again: length } }')).toEqual([
    { length: 3, again: 3 },
    { length: 7, again: 7 },
  ]);
  expect(await data('{ batches }')).toEqual([[1, 2]]);
});

describe('a route', () => {
  test('knows who asks, and asks as they', async () => {
    expect(await get('/mine', ada)).toEqual({ status: 200, body: { user: 'ada', notes: 2, read: 2 } });
    expect(await get('/mine')).toEqual({ status: 200, body: { user: null, notes: 0, read: 0 } });
  });

  test('refuses a token that is not valid, if it asks for it', async () => {
    const wrong = { authorization: 'Bearer x.y.z' };
    expect(await get('/mine', wrong)).toMatchObject({ status: 401, body: { code: 'TW012' } });
    expect(await get('/open', wrong)).toEqual({ status: 200, body: 'open' });
  });

  test('acts as somebody else', async () => {
    expect(await get('/as/bob', ada)).toEqual({ status: 200, body: { user: 'bob', owners: ['bob'] } });
  });
});

describe('hooks', () => {
  const seen = async (): Promise<unknown> => JSON.parse((await data('{ seen }')) as string);
  const journal = () =>
    served.query<{ task: number; what: string; by: string }>('select task, what, by from desk.journal order by id');
  const rest = async (method: string, path: string, body?: unknown, prefer?: string) => {
    const headers = { ...ada, 'content-type': 'application/json', ...(prefer === undefined ? {} : { prefer }) };
    const { status, text } = await server.send(
      method,
      `/api/v1/${path}`,
      headers,
      body === undefined ? undefined : JSON.stringify(body),
    );
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  };
  beforeEach(async () => {
    await loadSql(
      served.url,
      "delete from desk.tasks where id >= 10; update desk.tasks set title = 'open' where id = 1",
    );
    await seen();
  });

  test('run in the transaction of the document, and see what it has written', async () => {
    const { data: written } = await ask(
      'mutation { a: createDeskTasks(input: { title: "A" }) { title } b: createDeskTasks(input: { title: "B" }) { title } }',
    );
    expect(written).toEqual({ a: { title: 'A after 3' }, b: { title: 'B after 4' } });
    const rows = await journal();
    expect(rows).toEqual([
      { task: expect.any(Number) as number, what: 'inserted', by: 'ada' },
      { task: expect.any(Number) as number, what: 'inserted', by: 'ada' },
    ]);
    expect(await seen()).toEqual([
      ['inserted', [[expect.any(Number), 'A after 3', 'Date']]],
      ['inserted', [[expect.any(Number), 'B after 4', 'Date']]],
      ['committed', 'insert', 1],
      ['committed', 'insert', 1],
    ]);
  });

  test('what they wrote is undone with the document', async () => {
    const { data: written, errors } = await ask(
      'mutation { a: createDeskTasks(input: { title: "A" }) { id } b: createDeskTasks(input: { title: "refused" }) { id } }',
    );
    expect(written).toBeNull();
    expect(errors).toMatchObject([{ message: 'Not this one.', path: ['b'] }]);
    expect(await journal()).toEqual([]);
    expect(await served.query('select id from desk.tasks where id >= 10')).toEqual([]);
  });

  test('see rows before and after an update', async () => {
    expect(await rest('PATCH', 'tasks?id=in.(1,3)&select=title', { title: 'new' })).toEqual({
      status: 200,
      body: [{ title: 'new' }, { title: 'new' }],
    });
    expect(await seen()).toEqual([
      ['updating', [1, 3], { title: 'new' }],
      [
        'updated',
        [
          ['open', 'new'],
          ['forever', 'new'],
        ],
      ],
      ['committed', 'update', 2],
    ]);
    await loadSql(served.url, "update desk.tasks set title = 'forever' where id = 3");
  });

  test('refuse by what is there', async () => {
    expect(await rest('PATCH', 'tasks?id=eq.2', { title: 'new' })).toMatchObject({
      status: 422,
      body: { message: 'It is locked.' },
    });
    expect(await rest('DELETE', 'tasks?id=eq.3')).toMatchObject({ status: 422, body: { message: 'It stays.' } });
    expect(await served.query('select title from desk.tasks where id in (2, 3) order by id')).toEqual([
      { title: 'locked up' },
      { title: 'forever' },
    ]);
  });

  test('are given the rows that were deleted', async () => {
    const { body } = await rest('POST', 'tasks', { title: 'short' });
    expect(await rest('DELETE', `tasks?id=eq.${String(body['id'])}&select=title`)).toEqual({
      status: 200,
      body: [{ title: 'short after 3' }],
    });
    expect((await journal()).map(({ what }) => what)).toEqual(['inserted', 'deleted']);
  });

  test('keep nothing of a dry run', async () => {
    expect(await rest('POST', 'tasks?select=title', { title: 'dry' }, 'tx=rollback')).toEqual({
      status: 201,
      body: { title: 'dry after 3' },
    });
    expect(await journal()).toEqual([]);
    expect(await seen()).toEqual([['inserted', [[expect.any(Number), 'dry after 3', 'Date']]]]);
  });

  test('PUT calls those of the write that is made', async () => {
    expect(await rest('PUT', 'tasks?id=eq.1&select=title', { title: 'put', due: null })).toEqual({
      status: 200,
      body: [{ title: 'put' }],
    });
    expect(await seen()).toEqual([
      ['updating', [1], { title: 'put', due: null }],
      ['updated', [['open', 'put']]],
      ['committed', 'update', 1],
    ]);
  });

  test('a hook that does not wait for what it asks keeps no connection', async () => {
    for (let time = 0; time < 3; time += 1) {
      const { status, body } = await rest('POST', 'tasks', { title: 'careless' });
      expect([status, body['message']]).toEqual([422, 'Nobody waits for what it asked.']);
    }
    expect(await rest('POST', 'tasks?select=title', { title: 'careful' })).toEqual({
      status: 201,
      body: { title: 'careful after 3' },
    });
  });

  test('a failure of the database in a hook says nothing of it', async () => {
    await loadSql(served.url, 'alter table desk.journal rename to gone');
    const { status, body } = await rest('POST', 'tasks', { title: 'A' });
    await loadSql(served.url, 'alter table desk.gone rename to journal');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('journal');
    expect(await served.query('select id from desk.tasks where id >= 10')).toEqual([]);
  });
});
