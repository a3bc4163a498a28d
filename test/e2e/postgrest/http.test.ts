import { loadSql } from '../../support/postgres.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { errorOf, type Reply } from '../../runtime/rest/support/client.js';
import { orchestraFunctions, orchestraSql } from './schema.js';

let served: Served;
let server: ServedServer;
let bearer: string;

beforeAll(async () => {
  const config = { 'app.rest.postgrest': '/rest/v1', functions: orchestraFunctions };
  served = await openServed({ name: 'pgrst', schema: 'public', sql: orchestraSql, config });
  await loadSql(served.url, `revoke all on secrets from ${new URL(served.roleUrl).username}`);
  server = await served.start();
  bearer = `Bearer ${await served.token('ada')}`;
});

afterAll(async () => {
  await server.stop();
  await served.drop();
});

type Headers = Readonly<Record<string, string>>;

const get = (path: string, headers?: Headers): Promise<Reply> => server.get(`/rest/v1${path}`, headers);
const bodyOf = ({ text }: Reply): unknown => JSON.parse(text);
const json = { 'content-type': 'application/json' };

/** Sends a write that is rolled back. */
const tryOut = (method: string, path: string, body?: unknown, prefer = '', headers: Headers = {}): Promise<Reply> =>
  server.send(
    method,
    `/rest/v1${path}`,
    { ...json, prefer: `tx=rollback${prefer === '' ? '' : `,${prefer}`}`, ...headers },
    body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  );

describe('a list', () => {
  test('is a bare array, with its range', async () => {
    const reply = await get('/teams?order=id');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-range': '0-1/*',
    });
    expect(bodyOf(reply)).toEqual([
      { id: 1, team_name: 'Red' },
      { id: 2, team_name: 'Blue' },
    ]);
  });

  test.each([
    ['nothing', '/teams?id=eq.9', {}, 200, '*/*'],
    ['all, counted', '/teams', { prefer: 'count=exact' }, 200, '0-1/2'],
    ['a part, counted', '/teams?limit=1', { prefer: 'count=exact' }, 206, '0-0/2'],
    ['a part', '/teams?limit=1&offset=1', {}, 200, '1-1/*'],
    ['a range', '/teams', { range: '1-5', 'range-unit': 'items' }, 200, '1-1/*'],
    ['a range, counted', '/teams', { range: '0-0', prefer: 'count=exact' }, 206, '0-0/2'],
    ['a range that is none', '/teams', { range: 'nonsense' }, 200, '0-1/*'],
    ['groups, counted', '/instruments?select=section_id,count()', { prefer: 'count=exact' }, 200, '0-2/3'],
    ['past the end, not counted', '/teams?offset=7', {}, 200, '*/*'],
  ] as const)('%s', async (_, path, headers, status, range) => {
    const reply = await get(path, headers);
    expect([reply.status, reply.headers['content-range']]).toEqual([status, range]);
  });

  test('past the end is an error where it is counted', async () => {
    const reply = await get('/teams?offset=15', { prefer: 'count=exact' });
    expect([reply.status, reply.headers['content-range']]).toEqual([416, '*/2']);
    expect(errorOf(reply)).toMatchObject({
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: 'An offset of 15 was requested, but there are only 2 rows.',
    });
  });

  test('is answered to HEAD without its body', async () => {
    const reply = await server.send('HEAD', '/rest/v1/teams', { prefer: 'count=exact' });
    expect([reply.status, reply.headers['content-range'], reply.text]).toEqual([200, '0-1/2', '']);
  });

  test('as a single object, as CSV, without nulls', async () => {
    const object = await get('/teams?id=eq.1', { accept: 'application/vnd.pgrst.object+json' });
    expect(object.headers['content-type']).toBe('application/vnd.pgrst.object+json; charset=utf-8');
    expect(bodyOf(object)).toEqual({ id: 1, team_name: 'Red' });
    const csv = await get('/instruments?select=id,tags,price&id=gte.3&order=id', { accept: 'text/csv' });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text).toBe('id,tags,price\n3,{metal},650.00\n4,{},');
    const accept = 'application/vnd.pgrst.array+json;nulls=stripped';
    expect(bodyOf(await get('/instruments?select=id,price,users:section_id&id=eq.4', { accept }))).toEqual([{ id: 4 }]);
  });
});

describe('select', () => {
  const rows = async (path: string): Promise<unknown> => bodyOf(await get(path));

  test.each([
    ['/instruments?select=price.sum()', [{ sum: 2750.5 }]],
    [
      '/instruments?select=price.avg()::int,low:price.min(),high:price.max(),priced:price.count()',
      [{ avg: 917, low: 650, high: 1200.5, priced: 3 }],
    ],
    ['/instruments?select=details->>strings::int.sum()', [{ sum: 8 }]],
    [
      '/instruments?select=count,section_id&order=section_id.desc.nullslast',
      [
        { count: 1, section_id: 2 },
        { count: 2, section_id: 1 },
        { count: 1, section_id: null },
      ],
    ],
    ['/instruments?select=count(),section_id&order=section_id&limit=1&offset=1', [{ count: 1, section_id: 2 }]],
    [
      '/instruments?select=count(),...orchestral_sections(section:name)&price=not.is.null',
      expect.arrayContaining([
        { count: 2, section: 'strings' },
        { count: 1, section: 'woodwinds' },
      ]),
    ],
    [
      '/instruments?select=...orchestral_sections(id.sum(),last:name.max(),count(),spread:id.count())',
      [{ sum: 4, last: 'woodwinds', count: 4, spread: 3 }],
    ],
    [
      '/messages?select=...users!messages_sender_id_fkey(name,id.sum())',
      expect.arrayContaining([
        { name: 'Ada', sum: 2 },
        { name: 'Bo', sum: 2 },
      ]),
    ],
    ['/messages?select=...users!messages_sender_id_fkey(id.sum())&users.name=eq.Bo', [{ sum: 2 }]],
    [
      '/messages?select=count(),...users!messages_sender_id_fkey!inner(id.sum())&users.name=eq.Bo',
      [{ count: 1, sum: 2 }],
    ],
    [
      '/users_teams?select=...teams(id.max()),...users(name.min(),id.avg()::text)',
      [{ max: 2, min: 'Ada', avg: '1.3333333333333333' }],
    ],
    [
      '/instruments?select=count(),orchestral_sections(name)&id=lt.3',
      [{ count: 2, orchestral_sections: { name: 'strings' } }],
    ],
    [
      '/instruments?select=id,...orchestral_sections!inner(section:name)&order=id',
      [
        { id: 1, section: 'strings' },
        { id: 2, section: 'strings' },
        { id: 3, section: 'woodwinds' },
      ],
    ],
    [
      '/messages?select=id,...users!messages_sender_id_fkey(sender:name,teams(team_name))&id=eq.2',
      [{ id: 2, sender: 'Bo', teams: [{ team_name: 'Red' }] }],
    ],
    [
      '/orchestral_sections?select=name,...instruments(name2:name,details->strings)&id=eq.1&instruments.order=id.desc',
      [{ name: 'strings', name2: ['viola', 'violin'], strings: [4, 4] }],
    ],
    ['/users?select=name,...teams(team_name)&id=eq.1&teams.order=id', [{ name: 'Ada', team_name: ['Red', 'Blue'] }]],
    [
      '/instruments?select=id,orchestral_sections(id),...orchestral_sections(section:name)&id=gte.3&order=id',
      [
        { id: 3, orchestral_sections: { id: 2 }, section: 'woodwinds' },
        { id: 4, orchestral_sections: null, section: null },
      ],
    ],
    [
      '/instruments?select=...orchestral_sections(section:name),*,orchestral_sections(*)&id=eq.4',
      [
        {
          section: null,
          ...{ id: 4, name: 'gong', section_id: null, details: null, tuned: null, made: null },
          ...{ tags: [], price: null, sold: 3, orchestral_sections: null },
        },
      ],
    ],
    [
      '/orchestral_sections?select=instruments(id),...instruments(names:name),...instruments(prices:price)&id=eq.1' +
        '&instruments.order=id.desc&instruments.limit=1',
      [{ instruments: [{ id: 2 }], names: ['viola'], prices: [900] }],
    ],
    // A filter by a table's name holds for the table embedded and spread; an alias separates them.
    [
      '/instruments?select=id,orchestral_sections(name),...orchestral_sections(section:name)' +
        '&orchestral_sections.name=eq.strings&id=in.(1,3)&order=id',
      [
        { id: 1, orchestral_sections: { name: 'strings' }, section: 'strings' },
        { id: 3, orchestral_sections: null, section: null },
      ],
    ],
    [
      '/instruments?select=id,own:orchestral_sections(name),...orchestral_sections(section:name)' +
        '&own.name=eq.strings&id=in.(1,3)&order=id',
      [
        { id: 1, own: { name: 'strings' }, section: 'strings' },
        { id: 3, own: null, section: 'woodwinds' },
      ],
    ],
    [
      '/instruments?select=id,...orchestral_sections!inner(section:name),orchestral_sections(name)&order=id.desc&limit=1',
      [{ id: 3, section: 'woodwinds', orchestral_sections: { name: 'woodwinds' } }],
    ],
    [
      '/instruments?select=id,orchestral_sections(name),...orchestral_sections(section:name)' +
        '&orchestral_sections=not.is.null&order=orchestral_sections(name).desc&limit=1',
      [{ id: 3, orchestral_sections: { name: 'woodwinds' }, section: 'woodwinds' }],
    ],
    [
      '/instruments?select=count(),orchestral_sections(name),...orchestral_sections(id.max())&id=lt.3',
      [{ count: 2, orchestral_sections: { name: 'strings' }, max: 1 }],
    ],
    [
      '/instruments?select=id,orchestral_sections(name),orchestral_sections(name)&id=eq.3',
      [{ id: 3, orchestral_sections: { name: 'woodwinds' } }],
    ],
    [
      '/instruments?select=tuned,made,sold&id=eq.1',
      [{ tuned: '[196,3520)', made: '[1550-01-01,)', sold: 9007199254740992 }],
    ],
    ['/loud?select=name&id=eq.1', [{ name: 'VIOLIN' }]],
    ['/instruments?select=id&tags=cs.{bow}&order=id', [{ id: 1 }, { id: 2 }]],
  ] as const)('%s', async (path, expected) => {
    expect(await rows(path)).toEqual(expected);
  });

  test.each([
    ['/instruments?select=count(),section_id&order=price', 'PGRST127'],
    ['/orchestral_sections?select=name,...instruments(price.sum())', 'PGRST127'],
    ['/orchestral_sections?select=name,...instruments(count())', 'PGRST127'],
    ['/instruments?select=price.median()', 'PGRST100'],
    ['/instruments?select=orchestral_sections(id),orchestral_sections(name)', 'PGRST100'],
    ['/instruments?select=name,...orchestral_sections(name)', 'PGRST100'],
    ['/instruments?select=id,orchestral_sections(id),...orchestral_sections(orchestral_sections:name)', 'PGRST100'],
  ])('%s is refused', async (path, code) => {
    const reply = await get(path);
    expect([reply.status, errorOf(reply).code]).toEqual([400, code]);
  });

  test.each(['/instruments?select=...orchestral_sections(name.sum())', '/instruments?select=name.sum()'])(
    '%s is refused as PostgreSQL does',
    async (path) => {
      const reply = await get(path);
      expect([reply.status, errorOf(reply)]).toMatchObject([
        404,
        { code: '42883', message: 'function sum(text) does not exist' },
      ]);
    },
  );
});

describe('writes', () => {
  const team = { id: 50, team_name: 'Teal' };

  test('answer nothing unless they are asked to', async () => {
    const inserted = await tryOut('POST', '/teams', team);
    expect([inserted.status, inserted.text, inserted.headers['content-range']]).toEqual([201, '', '*/*']);
    expect(inserted.headers['preference-applied']).toBe('tx=rollback');
    const updated = await tryOut('PATCH', '/teams?id=eq.1', { team_name: 'x' });
    expect([updated.status, updated.text, updated.headers['content-range']]).toEqual([204, '', '0-0/*']);
    const none = await tryOut('PATCH', '/teams?id=eq.99', { team_name: 'x' });
    expect([none.status, none.headers['content-range']]).toEqual([204, '*/*']);
    const deleted = await tryOut('DELETE', '/messages?id=eq.1', undefined, 'count=exact');
    expect([deleted.status, deleted.text, deleted.headers['content-range']]).toEqual([204, '', '*/1']);
  });

  test('answer the rows, always as an array, or where the row is', async () => {
    const rows = await tryOut('POST', '/teams?select=id', team, 'return=representation');
    expect([rows.status, bodyOf(rows)]).toEqual([201, [{ id: 50 }]]);
    expect(rows.headers['preference-applied']).toBe('return=representation, tx=rollback');
    const headers = await tryOut('POST', '/teams', team, 'return=headers-only');
    expect([headers.status, headers.text, headers.headers.location]).toEqual([201, '', '/rest/v1/teams?id=eq.50']);
    const updated = await tryOut('PATCH', '/teams?id=eq.99', { team_name: 'x' }, 'return=representation');
    expect([updated.status, bodyOf(updated)]).toEqual([200, []]);
  });

  test('answer a table that is embedded and spread', async () => {
    const select = 'id,orchestral_sections(id),...orchestral_sections(section:name)';
    const body = { name: 'viola da gamba' };
    const updated = await tryOut('PATCH', `/instruments?id=eq.2&select=${select}`, body, 'return=representation');
    expect([updated.status, bodyOf(updated)]).toEqual([
      200,
      [{ id: 2, orchestral_sections: { id: 1 }, section: 'strings' }],
    ]);
  });

  test('PUT inserts or replaces the row of a key', async () => {
    const created = await tryOut('PUT', '/teams?id=eq.50', team);
    const replaced = await tryOut('PUT', '/teams?id=eq.1', { id: 1, team_name: 'x' });
    const shown = await tryOut('PUT', '/teams?id=eq.1', { id: 1, team_name: 'x' }, 'return=representation');
    expect([created.status, replaced.status, shown.status]).toEqual([204, 204, 200]);
    expect(bodyOf(shown)).toEqual([{ id: 1, team_name: 'x' }]);
  });

  test('upserts say by their status whether a row is new', async () => {
    const merge = 'resolution=merge-duplicates,return=representation';
    const merged = await tryOut('POST', '/teams', { id: 1, team_name: 'x' }, merge);
    const both = await tryOut('POST', '/teams', [{ id: 1, team_name: 'x' }, team], merge);
    const ignored = await tryOut(
      'POST',
      '/users?on_conflict=username',
      { id: 9, username: 'ada' },
      'resolution=ignore-duplicates',
    );
    expect([merged.status, both.status, ignored.status]).toEqual([200, 201, 201]);
  });

  test('take CSV, and NULL or the default for what a row does not have', async () => {
    const csv = await tryOut('POST', '/teams?select=team_name', 'id,team_name\n60,"A, B"\n', 'return=representation', {
      'content-type': 'text/csv',
    });
    expect(bodyOf(csv)).toEqual([{ team_name: 'A, B' }]);
    const bulk = [{ name: 'a', tags: ['x'] }, { name: 'b' }];
    const path = '/instruments?columns=id,name&select=name,id';
    expect((await tryOut('POST', path, bulk)).status).toBe(400);
    const missing = await tryOut('POST', path, bulk, 'missing=default,return=representation');
    expect(bodyOf(missing)).toEqual([
      { name: 'a', id: expect.any(Number) as number },
      { name: 'b', id: expect.any(Number) as number },
    ]);
  });
});

describe('functions', () => {
  test('are called by GET and by POST', async () => {
    expect(bodyOf(await get('/rpc/echo?say=hi'))).toBe('hi');
    const posted = await server.send('POST', '/rest/v1/rpc/echo', json, '{"say":"hi"}');
    expect([posted.status, bodyOf(posted)]).toEqual([200, 'hi']);
    const filtered = await get('/rpc/get_instruments?dearest=1000&price=lt.700&select=name', { prefer: 'count=exact' });
    expect([filtered.headers['content-range'], bodyOf(filtered)]).toEqual(['0-0/1', [{ name: 'flute' }]]);
  });

  test('write by POST alone, their rows filtered, sorted and cut', async () => {
    const refused = await get('/rpc/rename_instrument?which=1&word=x');
    expect([refused.status, errorOf(refused).code]).toEqual([405, '25006']);
    const path = '/rest/v1/rpc/rename_instrument?select=name';
    const body = '{"which":2,"word":"viola"}';
    const [kept, dropped, cut] = await Promise.all(
      ['&id=eq.2&order=id&limit=5', '&id=eq.3', '&offset=1'].map((query) =>
        server.send('POST', path + query, json, body),
      ),
    );
    expect([kept, dropped, cut].map((reply) => reply && bodyOf(reply))).toEqual([[{ name: 'viola' }], [], []]);
  });

  test('with one argument that has no name take the whole body', async () => {
    const post = async (name: string, type: string, body: string): Promise<unknown> =>
      bodyOf(await server.send('POST', `/rest/v1/rpc/${name}`, { 'content-type': type }, body));
    expect(await post('told', 'application/json', '[1,{"a":12345678901234567890}]')).toBe(
      'array [1, {"a": 12345678901234567890}]',
    );
    expect(await post('told', 'application/json', '{"a":null}')).toBe('object {"a": null}');
    expect(await post('loudly', 'text/plain; charset=utf-8', 'a "b"')).toBe('A "B"');
    const own = await server.send('POST', '/api/v1/rpc/told', json, '[1]');
    expect(own.status).toBe(400);
  });

  test('that answer one row answer it as CSV, too', async () => {
    const reply = await get('/rpc/best_instrument?select=id,name', { accept: 'text/csv' });
    expect([reply.headers['content-type'], reply.text]).toEqual(['text/csv; charset=utf-8', 'id,name\n1,violin']);
  });

  test('of no value answer 204', async () => {
    expect((await server.send('POST', '/rest/v1/rpc/touch', json, '{}')).status).toBe(204);
  });

  test('that refuse a single object keep nothing', async () => {
    const accept = 'application/vnd.pgrst.object+json';
    const body = '{"which":99,"word":"x"}';
    const reply = await server.send('POST', '/rest/v1/rpc/rename_instrument', { ...json, accept }, body);
    expect([reply.status, errorOf(reply).code]).toEqual([406, 'PGRST116']);
  });
});

describe('errors', () => {
  test.each([
    ['GET', '/nothing', 404, 'PGRST205'],
    ['GET', '/teams/1', 404, 'PGRST125'],
    ['GET', '/rpc/nothing', 404, 'PGRST202'],
    ['GET', '/rpc/echo', 404, 'PGRST202'],
    ['GET', '/teams?nope=eq.1', 400, '42703'],
    ['GET', '/teams?id=1', 400, 'PGRST100'],
    ['GET', '/teams?id=eq.x', 400, '22P02'],
    ['GET', '/teams?select=id(', 400, 'PGRST100'],
    ['GET', '/teams?select=*,messages(*)', 400, 'PGRST200'],
    ['GET', '/messages?select=*,users(*)', 300, 'PGRST201'],
    ['GET', '/teams?users.id=eq.1', 400, 'PGRST108'],
    ['TRACE', '/teams', 405, 'PGRST117'],
    ['POST', '/loud_', 404, 'PGRST205'],
    ['DELETE', '/teams', 400, '21000'],
  ])('%s %s', async (method, path, status, code) => {
    const reply = await server.send(method, `/rest/v1${path}`);
    expect([reply.status, Object.keys(errorOf(reply)).sort()]).toEqual([
      status,
      ['code', 'details', 'hint', 'message'],
    ]);
    expect(errorOf(reply).code).toBe(code);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('several ways to embed a table are listed', async () => {
    expect(errorOf(await get('/messages?select=*,users(*)'))).toEqual({
      code: 'PGRST201',
      message: "Could not embed because more than one relationship was found for 'messages' and 'users'",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'messages with users',
          relationship: 'messages_receiver_id_fkey using messages(receiver_id) and users(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'messages with users',
          relationship: 'messages_sender_id_fkey using messages(sender_id) and users(id)',
        },
      ],
      hint: "Try changing 'users' to one of the following: 'users!messages_receiver_id_fkey', 'users!messages_sender_id_fkey'. Find the desired relationship in the 'details' key.",
    });
    const { details } = errorOf(await get('/users?select=*,messages(*)'));
    expect(details).toEqual([
      expect.objectContaining({ cardinality: 'one-to-many', embedding: 'users with messages' }),
      expect.objectContaining({ cardinality: 'one-to-many', embedding: 'users with messages' }),
    ]);
  });

  test.each([
    ['unknown members', '/teams', { nope: 1 }, 400, 'PGRST204'],
    ['a body that is not JSON', '/teams', '{', 400, 'PGRST102'],
    ['a key that is there', '/teams', { id: 1, team_name: 'x' }, 409, '23505'],
    ['a row that is not there', '/messages', { sender_id: 99 }, 409, '23503'],
    ['no value', '/teams', { id: 99 }, 400, '23502'],
  ])('%s', async (_, path, body, status, code) => {
    const reply = await tryOut('POST', path, body);
    expect([reply.status, errorOf(reply).code]).toEqual([status, code]);
  });

  test.each([
    ['a media type', { accept: 'image/png' }, 406, 'PGRST107'],
    ['a schema', { 'accept-profile': 'private' }, 406, 'PGRST106'],
    ['a preference', { prefer: 'handling=strict, nope=1' }, 400, 'PGRST122'],
    ['a token', { authorization: 'Bearer a.b.c' }, 401, 'PGRST301'],
  ])('%s that is not understood', async (_, headers: Headers, status, code) => {
    const reply = await get('/teams', headers);
    expect([reply.status, errorOf(reply).code]).toEqual([status, code]);
  });

  test('a right that is missing: 401 of nobody, 403 of somebody', async () => {
    const nobody = await get('/secrets');
    expect([nobody.status, nobody.headers['www-authenticate'], errorOf(nobody).code]).toEqual([401, 'Bearer', '42501']);
    const somebody = await get('/secrets', { authorization: bearer });
    expect([somebody.status, errorOf(somebody).code]).toEqual([403, '42501']);
  });
});

describe('the key of a project', () => {
  test('is no error, and nobody', async () => {
    const apikey = 'sb_publishable_abc';
    const reply = await get('/secrets', { apikey, authorization: `Bearer ${apikey}` });
    expect([reply.status, errorOf(reply).code]).toEqual([401, '42501']);
    expect((await get('/teams', { apikey, authorization: `Bearer ${apikey}` })).status).toBe(200);
    expect((await get('/teams', { apikey })).status).toBe(200);
  });

  test('stands beside the token of somebody', async () => {
    const reply = await get('/secrets', { apikey: 'sb_publishable_abc', authorization: bearer });
    expect(reply.status).toBe(403);
  });

  test('excuses no other token', async () => {
    const other = await get('/teams', { apikey: 'sb_publishable_abc', authorization: 'Bearer sb_other' });
    expect([other.status, errorOf(other).code]).toEqual([401, 'PGRST301']);
    const forged = await get('/teams', { apikey: 'a.b.c', authorization: 'Bearer a.b.c' });
    expect(forged.status).toBe(401);
    const own = await server.get('/api/v1/teams', { apikey: 'key', authorization: 'Bearer key' });
    expect(own.status).toBe(401);
  });
});

test('the own form of REST stays as it is', async () => {
  const reply = await server.get('/api/v1/teams?select=id&order=id');
  expect(bodyOf(reply)).toEqual({ data: [{ id: 1 }, { id: 2 }], pagination: { limit: 30, offset: 0, total: null } });
  expect((await server.get('/api/v1/teams?select=count()')).status).toBe(400);
  expect((await server.get('/api/v1/users?select=...teams(id)')).status).toBe(400);
});

test('the mount is where the setting says, and nowhere else', async () => {
  const moved = await served.start({ APP_REST_POSTGREST: '/data' });
  const here = await moved.get('/data/teams?select=id&id=eq.1');
  const there = await moved.get('/rest/v1/teams');
  await moved.stop();
  expect([here.status, bodyOf(here)]).toEqual([200, [{ id: 1 }]]);
  expect([there.status, errorOf(there).code]).toEqual([404, 'TW008']);
});

test('a place that is taken is refused at the start', async () => {
  await expect(served.start({ APP_REST_POSTGREST: '/api/v1' })).rejects.toThrow('is the place of /api/v1');
});
