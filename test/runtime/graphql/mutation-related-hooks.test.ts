import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { CommitEvent, Hooks } from '../../../runtime/src/execute/hooks/table-hooks.js';
import { startMutationServer, type MutationServer } from './support/mutations.js';

/** Hooks around rows that are written inside other rows. */
const sql = readFileSync(new URL('support/desk.sql', import.meta.url), 'utf8');

const calls: unknown[] = [];
let committed: CommitEvent[] = [];
/** The number of comments that a hook has received. */
const seen: number[] = [];
const hooksOf = (name: string): NonNullable<Hooks[string]> => ({
  beforeInsert: async ({ rows, refuse, db }) => {
    calls.push([name, 'insert', rows]);
    if (rows.some((row) => row['body'] === 'count')) {
      seen.push((await db.selectFrom('desk.comments').select('id').execute()).length);
      await db
        .insertInto('desk.labels')
        .values({ id: 77 + seen.length, name: `counted ${String(seen.length)}` })
        .execute();
    }
    if (rows.some((row) => row['body'] === 'no')) refuse('Not that.', 409);
    return name === 'comments' ? rows.map((row) => ({ ...row, body: `${String(row['body'])}!` })) : undefined;
  },
  beforeUpdate: ({ set }) => {
    calls.push([name, 'update', set]);
    if (set['name'] === 'nothing') return {};
    return 'title' in set ? { ...set, title: `${String(set['title'])}?` } : undefined;
  },
  beforeDelete: () => {
    calls.push([name, 'delete']);
  },
  afterCommit: (event) => {
    committed.push(event);
  },
});

let server: MutationServer;
beforeAll(async () => {
  const tables = ['issues', 'comments', 'labels', 'issue_labels'];
  const hooks = Object.fromEntries(tables.map((name) => [`desk.${name}`, hooksOf(name)]));
  server = await startMutationServer({ tables: { sql, schema: 'desk' }, hooks });
});
afterAll(() => server.stop());
beforeEach(() => {
  calls.length = 0;
  committed = [];
});

const update = (input: string, select: string) =>
  `mutation { updateDeskIssues(where: {project_id: {eq: 1}, number: {eq: 1}}, input: {${input}}) { ${select} } }`;

test('hooks of each table run around the writes of its rows, and may change them', async () => {
  const document = update(
    `title: "T", deskComments: {
      delete: [{id: 2}], update: [{where: {id: 1}, data: {body: "u"}}], connect: [{id: 5}], create: [{body: "c"}],
      upsert: [{where: {id: 1}, create: {body: "x"}, update: {body: "v"}}, {where: {id: 88}, create: {id: 88, body: "w"}, update: {}}]
    }, deskLabelsViaIssueLabels: {disconnect: [{id: 1}], connect: [{id: 3}]}`,
    'title deskComments(orderBy: {id: ASC}) { body }',
  );
  expect(await server.data(document)).toEqual({
    updateDeskIssues: [
      { title: 'T?', deskComments: [{ body: 'v' }, { body: 'loose' }, { body: 'w!' }, { body: 'c!' }] },
    ],
  });
  expect(calls).toEqual([
    ['issues', 'update', { title: 'T' }],
    ['comments', 'delete'],
    ['comments', 'update', { body: 'u' }],
    ['comments', 'update', { body: 'v' }],
    ['comments', 'insert', [{ id: 88, body: 'w' }]],
    ['comments', 'update', {}],
    ['comments', 'insert', [{ body: 'c' }]],
    ['issue_labels', 'delete'],
    ['issue_labels', 'insert', [{}]],
  ]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(committed.map(({ table, operation, affected, keys }) => [table, operation, affected, keys])).toEqual([
    ['desk.issues', 'update', 1, [{ project_id: '1', number: '1' }]],
    ['desk.comments', 'delete', 1, undefined],
    ['desk.comments', 'update', 1, undefined],
    ['desk.comments', 'update', 1, undefined],
    ['desk.comments', 'insert', 1, undefined],
    ['desk.comments', 'update', 1, undefined],
    ['desk.comments', 'insert', 1, undefined],
    ['desk.issue_labels', 'delete', 1, undefined],
    ['desk.issue_labels', 'insert', 1, undefined],
  ]);
});

test('a hook that refuses undoes everything, and nobody is told', async () => {
  const error = await server.error(
    update(
      'title: "R", deskComments: {create: [{body: "ok"}], upsert: [{where: {id: 99}, create: {body: "no"}, update: {}}]}',
      'number',
    ),
  );
  expect(error).toMatchObject({ message: 'Not that.', path: ['updateDeskIssues'], extensions: { code: 'TW016' } });
  expect(await server.db.query("select 1 from desk.issues where title like 'R%'")).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(committed).toEqual([]);
});

test('rows that are connected inside a new one', async () => {
  const document = `mutation { createDeskIssues(input: {project_id: 2, number: 5, title: "N", deskLabelsViaIssueLabels: {connect: [{id: 1}]}}) { title } }`;
  expect(await server.data(document)).toEqual({ createDeskIssues: { title: 'N' } });
  expect(calls).toEqual([
    ['issues', 'insert', [{ project_id: 2, number: 5, title: 'N' }]],
    ['issue_labels', 'insert', [{}]],
  ]);
});

test('a hook that takes all that there was to change leaves the row, and what is inside it is written', async () => {
  const document = update(
    'deskLabelsViaIssueLabels: {update: [{where: {id: 2}, data: {name: "nothing", deskIssueLabels: {delete: []}}}, {where: {id: 3}, data: {name: "nothing"}}]}',
    'deskLabelsViaIssueLabels(orderBy: {id: ASC}) { name }',
  );
  expect(await server.data(document)).toEqual({
    updateDeskIssues: [{ deskLabelsViaIssueLabels: [{ name: 'green' }, { name: 'blue' }] }],
  });
});

test('the handle of a hook inside sees what the write has done so far, and its own writes are part of it', async () => {
  const document = update(
    'deskComments: {create: [{body: "first"}, {body: "count"}]}',
    'deskComments(where: {body: {startsWith: "count"}}) { body }',
  );
  expect(await server.data(document)).toEqual({ updateDeskIssues: [{ deskComments: [{ body: 'count!' }] }] });
  const failing = update('deskComments: {create: [{body: "count"}, {body: "no"}]}', 'number');
  const before = await server.db.query('select body from desk.comments order by id');
  expect(await server.error(failing)).toMatchObject({ message: 'Not that.' });
  expect(await server.db.query('select body from desk.comments order by id')).toEqual(before);
  expect(seen).toEqual([expect.any(Number), expect.any(Number)]);
  // The hook's own write in the first mutation was rolled back, and the second mutation left
  // nothing.
  expect(await server.db.query(`select name from desk.labels where name like 'counted%'`)).toEqual([
    { name: 'counted 1' },
  ]);
});
