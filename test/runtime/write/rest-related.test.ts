import { readFileSync } from 'node:fs';
import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/** Rows inside the rows of a body. Relations have the same names as in `select`. */
const sql = readFileSync(new URL('../graphql/support/desk.sql', import.meta.url), 'utf8');

let db: WriteDatabase;
let server: WriteServer;
beforeAll(async () => {
  db = await createWriteDatabase(sql, ['desk']);
  server = await startWriteServer(db);
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

const send = async (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const all = { 'content-type': 'application/json', ...headers };
  const reply = await server.send(
    method,
    `/api/v1/${path}`,
    all,
    typeof body === 'string' ? body : JSON.stringify(body),
  );
  return {
    status: reply.status,
    headers: reply.headers,
    body: reply.text === '' ? '' : (JSON.parse(reply.text) as unknown),
  };
};
const issue = 'issues?project_id=eq.1&number=eq.1';
const comments = () => db.query('select id, project_id, number, body from desk.comments order by id');

test('PATCH writes related rows, and the answer shows them', async () => {
  const body = {
    title: 'One!',
    assignee: undefined,
    comments: {
      create: [{ body: 'new' }],
      connect: [{ id: 5 }],
      update: [{ where: { id: 1 }, data: { body: 'a!' } }],
      delete: [{ id: 2 }],
    },
    'people!assignee_id': {
      update: { visits: 3, badges: { upsert: { create: { code: 'x' }, update: { code: 'B1' } } } },
    },
    labels: { disconnect: [{ name: 'red' }], connectOrCreate: [{ where: { name: 'sky' }, create: { name: 'sky' } }] },
  };
  const select = 'select=title,comments(body),people(visits,badges(code)),labels(name)&comments.order=body';
  expect(await send('PATCH', `${issue}&${select}`, body)).toMatchObject({
    status: 200,
    body: [
      {
        title: 'One!',
        comments: [{ body: 'a!' }, { body: 'loose' }, { body: 'new' }],
        people: { visits: 3, badges: { code: 'B1' } },
        labels: [{ name: 'green' }, { name: 'sky' }],
      },
    ],
  });
});

test('POST connects rows inside new ones, of one object and of a list', async () => {
  expect(
    await send('POST', 'issues?select=number,people(email),labels(name),comments(body)', {
      project_id: 2,
      number: 5,
      title: 'Five',
      people: { connect: { email: 'cy@x' } },
      labels: { connect: [{ id: 1 }] },
      comments: { data: [{ body: 'first' }, { body: 'second' }] },
    }),
  ).toMatchObject({
    status: 201,
    body: {
      number: 5,
      people: { email: 'cy@x' },
      labels: [{ name: 'red' }],
      comments: [{ body: 'first' }, { body: 'second' }],
    },
  });
  const list = [
    { project_id: 2, number: 6, title: 'Six', people: { data: { email: 'new@x', name: 'New' } } },
    { project_id: 2, number: 7, title: 'Seven' },
  ];
  expect(await send('POST', 'issues?select=number,people(name)', list)).toMatchObject({
    status: 201,
    body: [
      { number: 6, people: { name: 'New' } },
      { number: 7, people: null },
    ],
  });
});

test('preferences hold: minimal, headers-only, a dry run, the most rows', async () => {
  const body = { comments: { create: [{ body: 'p' }] } };
  expect(await send('PATCH', issue, body, { prefer: 'return=minimal' })).toMatchObject({ status: 204, body: '' });
  const before = await comments();
  expect(await send('PATCH', issue, body, { prefer: 'tx=rollback' })).toMatchObject({
    status: 200,
    body: [{ number: 1 }],
  });
  expect(await send('PATCH', issue, body, { prefer: 'max-affected=0' })).toMatchObject({ status: 400 });
  expect(await comments()).toEqual(before);
  const created = await send(
    'POST',
    'labels',
    { name: 'h', issue_labels: { data: [] } },
    { prefer: 'return=headers-only' },
  );
  expect(created.status).toBe(201);
  expect(created.headers.location).toMatch(/\/labels\/\d+$/);
});

test('rows of another one are out of reach, and nothing is written', async () => {
  const before = await comments();
  for (const part of [
    { update: [{ where: { id: 4 }, data: { body: 'x' } }] },
    { delete: { id: 4 } },
    { disconnect: [{ id: 4 }] },
    { connect: [{ id: 999 }] },
  ]) {
    const body = { title: 'changed', comments: { create: [{ body: 'z' }], ...part } };
    expect(await send('PATCH', issue, body)).toMatchObject({ status: 404, body: { code: 'TW008' } });
  }
  expect(await send('PATCH', 'people?id=eq.1', { 'projects!owner_id': { delete: [{ id: 1 }] } })).toMatchObject({
    status: 409,
    body: { code: '23503' },
  });
  expect(await send('PATCH', 'projects', { issues: { create: [] } })).toMatchObject({
    status: 400,
    body: { code: 'TW016' },
  });
  expect(await send('PATCH', 'projects?id=gt.0', { issues: { create: [] } })).toMatchObject({
    status: 400,
    body: { code: 'TW016', message: 'An update with nested rows must match one row, and more rows match.' },
  });
  expect(await comments()).toEqual(before);
  expect(await db.query("select 1 from desk.issues where title = 'changed'")).toEqual([]);
});

test.each<readonly [unknown, string]>([
  [{ coments: { create: [] } }, 'TW002'],
  [{ comments: { create: [] }, nope: 1 }, 'TW002'],
  [{ comments: { create: [{ nope: 1 }] } }, 'TW002'],
  [{ comments: { connect: [{ nope: 1 }] } }, 'TW002'],
  [{ comments: { connect: [{ body: 'a' }] } }, 'TW006'],
  [{ comments: { connect: [{ id: null }] } }, 'TW006'],
  [{ comments: { connect: 5 } }, 'TW006'],
  [{ comments: { creat: [] } }, 'TW006'],
  [{ comments: { data: [] } }, 'TW006'],
  [{ comments: [] }, 'TW006'],
  [{ comments: 'x' }, 'TW006'],
  [{ comments: { update: [{ id: 1, body: 'x' }] } }, 'TW006'],
  [{ comments: { update: [{ where: { id: 1 } }] } }, 'TW006'],
  [{ comments: { upsert: [{ where: { id: 1 }, create: { body: 'x' }, update: { body: 'x' }, more: {} }] } }, 'TW006'],
  [{ people: { disconnect: 1 } }, 'TW006'],
  [{ people: { connect: [{ id: 1 }] } }, 'TW006'],
  [{ people: { connect: { id: 1 } }, assignee_id: 1 }, 'TW006'],
  [{ people: { connect: { id: 1 }, update: { visits: 1 } } }, 'TW006'],
  [{ projects: { disconnect: true } }, 'TW006'],
  [{ comments: { connect: [{ id: "x'); drop table desk.comments; --" }] } }, '22P02'],
])('a body that can not be: %j', async (body, code) => {
  const before = await comments();
  const answer = await send('PATCH', issue, body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body).toMatchObject({ code });
  expect(await comments()).toEqual(before);
});

test('two relations to one table are told apart by a hint, and a body of a hundred thousand levels is refused', async () => {
  expect(await send('PATCH', 'projects?id=eq.1', { people: { connect: { id: 1 } } })).toMatchObject({
    status: 400,
    body: { code: 'TW005', hint: expect.stringContaining('people!') as unknown },
  });
  const deep = `${'{"people":{"upsert":{"create":'.repeat(20_000)}{}${'}}}'.repeat(20_000)}`;
  expect(await send('PATCH', 'people?id=eq.1', deep)).toMatchObject({ status: 400 });
});

test('what merges rows does not go with rows inside', async () => {
  const body = { name: 'x', issue_labels: { data: [] } };
  expect(await send('POST', 'labels', body, { prefer: 'resolution=merge-duplicates' })).toMatchObject({ status: 400 });
  expect(await send('POST', 'labels?columns=name', body)).toMatchObject({ status: 201 });
  expect(await send('PUT', 'labels?id=eq.1', body)).toMatchObject({ status: 400, body: { code: 'TW002' } });
});
