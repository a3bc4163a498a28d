import { describeMysql } from '../../support/mysql.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

const json = { 'content-type': 'application/json' };

describe.each(bothWays)('a server of a MariaDB database writes%s', (_, environment) => {
  describeMysql('', () => {
    suite(environment);
  });
});

function suite(environment: Readonly<Record<string, string>>): void {
  const hasReturning = Object.keys(environment).length === 0;
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql(environment);
  });

  afterAll(() => served.stop());

  const data = async (document: string): Promise<unknown> => {
    const { body } = await served.ask(document);
    expect(body).not.toHaveProperty('errors');
    return (body as { readonly data: unknown }).data;
  };

  const send = (method: string, path: string, body?: unknown, prefer = 'return=representation') =>
    served.rest(path, {
      method,
      headers: { ...json, prefer },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('one row of every type, answered as it was written, with defaults and generated columns', async () => {
    const document = String.raw`mutation { row: create$$People(input: {
      handle: "dee", name: "Dée 😀", note: "back\\slash 'and' \"quote\"\n?", mood: it_s_bad, born: "2001-02-03", wakes: "07:08:09.5",
      seen: "2024-05-05T10:00:00+02:00", made: "2024-05-05 10:00:00.25", balance: 3.25, score: 0.1, ratio: 1.1,
      is_admin: true, secret: "\\x0a0b", tags: [a, c_d], settings: {x: [1, null, "y"]}, token: "6CCD780C-baba-1026-9564-5b8c656024db"
    }) { handle name note mood born wakes seen made balance score ratio visits is_admin secret tags settings token name_length
         tasks: $Tasks { title } } }`;
    expect(await data(document)).toEqual({
      row: {
        handle: 'dee',
        name: 'Dée 😀',
        note: 'back\\slash \'and\' "quote"\n?',
        mood: 'it_s_bad',
        born: '2001-02-03',
        wakes: '07:08:09.5',
        seen: '2024-05-05T08:00:00+00:00',
        made: '2024-05-05T10:00:00.25',
        balance: 3.25,
        score: 0.1,
        ratio: 1.1,
        visits: '0',
        is_admin: true,
        secret: String.raw`\x0a0b`,
        tags: ['a', 'c_d'],
        settings: { x: [1, null, 'y'] },
        token: '6ccd780c-baba-1026-9564-5b8c656024db',
        name_length: 5,
        tasks: [],
      },
    });
    expect(
      await data('mutation { rows: delete$$People(where: {handle: {eq: "dee"}}) { handle tasks: $Tasks { title } } }'),
    ).toEqual({
      rows: [{ handle: 'dee', tasks: [] }],
    });
  });

  test('rows with rows inside, in one transaction with what follows', async () => {
    const document = `mutation {
      many: createMany$$Projects(inputs: [
        {code: "n1", title: "one", $Tasks: {data: [{number: 1, title: "a"}, {number: 2, title: "b"}]}},
        {code: "n2", title: "two", $OwnerId: {data: {handle: "owner", name: "Owner"}}}
      ]) { code owner: $OwnerId { handle } tasks: $Tasks(orderBy: {number: ASC}) { title done } }
      changed: update$$Tasks(where: {project: {eq: "n1"}}, input: {title: "c"}, inc: {points: 1}) { number title points }
      moved: update$$Tasks(where: {project: {eq: "n1"}, number: {eq: 2}}, input: {number: 3, points: 5}) { number project: $Project { title } }
    }`;
    expect(await data(document)).toEqual({
      many: [
        {
          code: 'n1',
          owner: null,
          tasks: [
            { title: 'a', done: false },
            { title: 'b', done: false },
          ],
        },
        { code: 'n2', owner: { handle: 'owner' }, tasks: [] },
      ],
      changed: [
        { number: 1, title: 'c', points: null },
        { number: 2, title: 'c', points: null },
      ],
      moved: [{ number: 3, project: { title: 'one' } }],
    });
    const removed = `mutation {
      tasks: delete$$Tasks(where: {project: {eq: "n1"}}) { number }
      projects: delete$$Projects(where: {code: {in: ["n1", "n2"]}}) { code }
      people: delete$$People(where: {handle: {eq: "owner"}}) { handle }
    }`;
    expect(await data(removed)).toEqual({
      tasks: [{ number: 1 }, { number: 3 }],
      projects: [{ code: 'n1' }, { code: 'n2' }],
      people: [{ handle: 'owner' }],
    });
  });

  test('an error undoes every write of the document', async () => {
    const { body } = await served.ask(`mutation {
      a: create$$Projects(input: {code: "gone", title: "gone"}) { code }
      b: create$$Projects(input: {code: "web", title: "again"}) { code }
    }`);
    expect(body).toMatchObject({ data: null, errors: [{ path: ['b'], extensions: { code: '23505' } }] });
    expect(await data('{ rows: $Projects(where: {code: {eq: "gone"}}) { code } }')).toEqual({ rows: [] });
  });

  test('upserts are about the key they name, and no other', async () => {
    const merged = await send(
      'POST',
      'projects',
      [
        { code: 'u1', title: 'new' },
        { code: 'app', title: 'App 2' },
      ],
      'resolution=merge-duplicates',
    );
    expect([merged.status, merged.body]).toEqual([
      201,
      [
        { code: 'u1', title: 'new', owner_id: null },
        { code: 'app', title: 'App 2', owner_id: 1 },
      ],
    ]);
    expect(
      (await send('POST', 'projects', [{ code: 'U1', title: 'newer' }], 'resolution=merge-duplicates')).status,
    ).toBe(200);
    expect(
      (await send('POST', 'projects', [{ code: 'app', title: 'App' }], 'resolution=merge-duplicates')).status,
    ).toBe(200);
    const ignored = await send(
      'POST',
      'projects',
      [
        { code: 'app', title: 'x' },
        { code: 'u2', title: 'u2' },
      ],
      'resolution=ignore-duplicates,return=representation',
    );
    expect(ignored.body).toEqual([{ code: 'u2', title: 'u2', owner_id: null }]);
    // The handle is another unique key: a duplicate is a conflict, and does not update that row.
    const other = await served.ask(
      'mutation { create$$People(input: {id: 900, handle: "ann", name: "x"}, onConflict: {constraint: PRIMARY, updateColumns: [name]}) { id } }',
    );
    expect(other.body).toMatchObject({ errors: [{ extensions: { code: '23505' } }] });
    const twice = await send(
      'POST',
      'projects',
      [
        { code: 'u2', title: 'a' },
        { code: 'u2', title: 'b' },
      ],
      'resolution=merge-duplicates',
    );
    expect(twice.body).toMatchObject({ code: '21000' });
    expect((await send('DELETE', 'projects?code=like.u*', undefined, 'return=minimal')).status).toBe(204);
  });

  test('the same new row upserted by many at once is one row, and nobody is refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        send('POST', 'projects', [{ code: 'race', title: String(at) }], 'resolution=merge-duplicates'),
      ),
    );
    // A deadlock answers 40P01: the database has rolled back one of the two writes, and the client
    // may repeat it.
    for (const { status, body } of answers) {
      if (status === 409) expect(body).toMatchObject({ code: '40P01' });
      else expect([200, 201]).toContain(status);
    }
    expect((await send('DELETE', 'projects?code=eq.race')).body).toHaveLength(1);
  });

  test('over REST: POST, PATCH, PUT, DELETE and their preferences', async () => {
    expect(await send('POST', 'projects', { code: 'r1', title: 'R' })).toMatchObject({
      status: 201,
      body: { code: 'r1', title: 'R', owner_id: null },
    });
    const located = await send('POST', 'people', { handle: 'hh', name: 'H' }, 'return=headers-only');
    expect(located.headers.get('location')).toMatch(/^\/api\/v1\/people\/\d+$/);
    expect((await send('PATCH', 'projects?code=eq.r1', { title: 'patched' })).body).toEqual([
      { code: 'r1', title: 'patched', owner_id: null },
    ]);
    expect((await send('PATCH', 'projects?code=eq.none-such', { title: 'x' })).body).toEqual([]);
    const put = { code: 'r2', title: 'put', owner_id: null };
    expect(await send('PUT', 'projects?code=eq.r2', put)).toMatchObject({ status: 201, body: [put] });
    const again = { ...put, title: 'again', owner_id: 2 };
    expect(await send('PUT', 'projects?code=eq.r2', again)).toMatchObject({ status: 200, body: [again] });
    const limited = await send('DELETE', 'projects?code=like.r*', undefined, 'handling=strict,max-affected=1');
    expect(limited.body).toMatchObject({ code: 'TW011' });
    expect((await send('DELETE', 'projects?code=like.r*')).body).toHaveLength(2);
    expect((await send('DELETE', 'people?handle=eq.hh', undefined, 'return=minimal')).status).toBe(204);
  });

  test('a write of no rows answers CSV as a read of none does', async () => {
    for (const select of ['id,name', 'name,tasks(title)', '"a,b":name,id']) {
      const path = `people?id=eq.999&select=${encodeURIComponent(select)}`;
      const headers = { ...json, accept: 'text/csv' };
      const read = await served.rest(path, { headers });
      const update = await served.rest(path, { method: 'PATCH', headers, body: '{"note":"x"}' });
      const unset = await served.rest(path, { method: 'PATCH', headers, body: '{}' });
      const removal = await served.rest(path, { method: 'DELETE', headers });
      expect(read.text).toBe(select.replace(/\(title\)|:name/, ''));
      expect([update, unset, removal].map(({ status, text }) => [status, text])).toEqual(
        Array(3).fill([200, read.text]),
      );
    }
  });

  test('a unique key means what its collation says: neither case nor accents', async () => {
    const rows = ['Zoë', 'ZOE'].map((handle) => ({ handle, name: 'z' }));
    expect((await send('POST', 'people?select=handle', rows[0])).status).toBe(201);
    expect(await send('POST', 'people', rows[1])).toMatchObject({ status: 409, body: { code: '23505' } });
    expect((await send('DELETE', 'people?handle=eq.zoe&select=handle')).body).toEqual([{ handle: 'Zoë' }]);
  });

  test('a table without a key takes rows, and answers deleted ones', async () => {
    const rows = [{ kind: 'x', at: '2024-01-01T00:00:00Z' }, { kind: 'y' }, {}];
    if (hasReturning)
      expect((await send('POST', 'events', rows)).body).toEqual([
        { kind: 'x', at: '2024-01-01T00:00:00', person: null },
        { kind: 'y', at: null, person: null },
        { kind: null, at: null, person: null },
      ]);
    else {
      expect((await send('POST', 'events', rows)).body).toMatchObject({ code: 'TW017' });
      expect((await send('POST', 'events', rows, 'return=minimal')).status).toBe(204);
    }
    expect((await send('PATCH', 'events?kind=eq.x', { kind: 'z' })).body).toMatchObject({ code: 'TW017' });
    expect((await send('PATCH', 'events?kind=eq.x', { kind: 'z' }, 'return=minimal')).status).toBe(204);
    const { body } = await send('DELETE', 'events?kind=in.(y,z)&select=kind,people(handle)');
    const deleted = [
      { kind: 'z', people: null },
      { kind: 'y', people: null },
    ];
    // Without RETURNING the rows are read before they are deleted, in no defined order.
    if (hasReturning) expect(body).toEqual(deleted);
    else expect([...(body as typeof deleted)].sort((a, b) => b.kind.localeCompare(a.kind))).toEqual(deleted);
  });

  test('of a table without a key GraphQL is told how many rows were written', async () => {
    const made = await data(
      'mutation { rows: createMany$$Events(inputs: [{kind: "p"}, {kind: "p"}, {kind: "q"}]) { __typename } }',
    );
    const type = `${served.prefix.replace(/^./, (first) => first.toUpperCase())}Events`;
    expect(made).toEqual({ rows: [type, type, type].map((__typename) => ({ __typename })) });
    const change = (selection: string): string =>
      `mutation { rows: update$$Events(where: {kind: {eq: "p"}}, input: {kind: "r"}) { ${selection} } }`;
    const refused = await served.ask(change('kind'));
    expect(refused.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'TW017' } }] });
    expect(await data('{ rows: $EventsAggregate(where: {kind: {eq: "p"}}) { count } }')).toEqual({
      rows: { count: 2 },
    });
    expect(await data(change('a: __typename __typename'))).toEqual({
      rows: [
        { a: type, __typename: type },
        { a: type, __typename: type },
      ],
    });
    const tooMany = await served.ask(change('__typename').replace('input', 'atMost: 1, input').replace('"p"', '"r"'));
    expect(tooMany.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'TW011' } }] });
    expect(
      await data('mutation { rows: delete$$Events(where: {kind: {in: ["q", "r"]}}) { __typename } }'),
    ).toMatchObject({
      rows: [{ __typename: type }, { __typename: type }, { __typename: type }],
    });
  });

  test('keys that the database makes, and those that were given, in one request', async () => {
    const rows = [
      { handle: 'k1', name: 'a' },
      { id: 900_001, handle: 'k2', name: 'b' },
      { handle: 'k3', name: 'c' },
    ];
    const { body } = await send('POST', 'people?select=id,handle', rows);
    const [first, second, third] = body as readonly { readonly id: number; readonly handle: string }[];
    expect([first?.handle, second, third?.handle]).toEqual(['k1', { id: 900_001, handle: 'k2' }, 'k3']);
    expect(Number(third?.id)).toBeGreaterThan(Number(first?.id));
    expect((await send('DELETE', 'people?handle=like.k_&select=handle')).body).toHaveLength(3);
  });

  test('a filter may ask the table that is written', async () => {
    const change = (selection: string): string =>
      `mutation { rows: update$$Tasks(where: {$Project: {$Tasks: {some: {title: {eq: "Sketch"}}}}}, input: {done: true}) { ${selection} } }`;
    expect(await data(change('title'))).toEqual({ rows: [{ title: 'Sketch' }] });
    expect(await data(change('__typename'))).toMatchObject({ rows: [{}] });
  });

  test('a thousand rows at once, in their order', async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({ project: 'none', number: at, title: `t${String(at)}` }));
    const { status, body } = await send('POST', 'tasks?select=number', rows);
    expect(status).toBe(201);
    expect(body).toEqual(rows.map(({ number }) => ({ number })));
    expect((await send('DELETE', 'tasks?project=eq.none', undefined, 'return=minimal')).status).toBe(204);
  });

  test.each([
    ['a key that is there', 'projects', { code: 'web', title: 'x' }, 409, '23505'],
    ['a row that is not there', 'tasks', { project: 'nope', number: 1, title: 'x' }, 409, '23503'],
    ['a check', 'people', { handle: 'c', name: 'c', balance: -1 }, 400, '23514'],
    ['null', 'projects', { code: 'z', title: null }, 400, '23502'],
    ['a missing value', 'projects', { code: 'z' }, 400, '23502'],
    ['a text that is too long', 'projects', { code: 'z'.repeat(30), title: 'x' }, 500, '22001'],
    ['another form', 'people', { handle: 'c', name: 'c', born: 'yesterday' }, 500, '22007'],
    ['a text that is no number', 'people', { handle: 'c', name: 'c', balance: '1abc' }, 500, '22P02'],
    ['a generated column', 'people', { handle: 'c', name: 'c', name_length: 1 }, 400, 'TW006'],
  ])('%s is refused as on PostgreSQL', async (_, table, row, status, code) => {
    const answer = await send('POST', table, row);
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
  });

  test('a row that others refer to stays', async () => {
    const { status, body } = await send('DELETE', 'projects?code=eq.web');
    expect([status, body]).toEqual([409, expect.objectContaining({ code: '23503' })]);
  });

  test('procedures answer OUT and INOUT parameters, are refused by their author, and are called alone', async () => {
    expect(await data('mutation { call: call$$AddUp(a: 2, b: 3, label: "hi") }')).toEqual({
      call: '{"total":5,"label":"hi!"}',
    });
    const refused = await served.ask('mutation { call$$Refuse(why: "no way") }');
    expect(refused.body).toMatchObject({ errors: [{ message: 'no way', extensions: { code: '45000' } }] });
    const together = await served.ask('mutation { a: call$$ForgetEvents b: call$$ForgetEvents }');
    expect(together.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'TW017' } }] });
    expect(await data('{ rows: $EventsAggregate { count } }')).not.toEqual({ rows: { count: 0 } });
    expect(await data('mutation { call: call$$ForgetEvents }')).toEqual({ call: '{"result":"OK"}' });
    expect(await data('{ rows: $EventsAggregate { count } }')).toEqual({ rows: { count: 0 } });
  });
}
