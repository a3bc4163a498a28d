import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMutationServer, type MutationServer } from './support/mutations.js';

let server: MutationServer;
beforeAll(async () => {
  server = await startMutationServer();
});
afterAll(() => server.stop());

const rows = (sql: string) => server.db.query(sql);

test('rows that refer to the new one, and rows below them', async () => {
  const document = `mutation ($people: OpsPeopleNestedCreateManyInput) {
    createOpsTeams(input: {name: "Deep", opsPeople: $people}) {
      name
      opsPeople(orderBy: {email: ASC}) { email points opsTasks(orderBy: {title: ASC}) { title points opsPersonId { email } } }
    }
  }`;
  const people = {
    data: [
      { email: 'd1', name: 'One', opsTasks: { data: [{ title: 'a' }, { title: 'b', points: 5 }] } },
      { email: 'd2', name: 'Two', points: 1 },
      { email: 'd3', name: 'Three', opsTasks: { data: [{ title: 'c' }] } },
    ],
  };
  expect(await server.data(document, { people })).toEqual({
    createOpsTeams: {
      name: 'Deep',
      opsPeople: [
        {
          email: 'd1',
          points: 10,
          opsTasks: [
            { title: 'a', points: 1, opsPersonId: { email: 'd1' } },
            { title: 'b', points: 5, opsPersonId: { email: 'd1' } },
          ],
        },
        { email: 'd2', points: 1, opsTasks: [] },
        { email: 'd3', points: 10, opsTasks: [{ title: 'c', points: 1, opsPersonId: { email: 'd3' } }] },
      ],
    },
  });
});

test('the row that the new one refers to, and the one above that', async () => {
  const document = `mutation {
    createOpsTasks(input: {title: "up", opsPersonId: {data: {email: "u1", name: "Up", opsTeamId: {data: {name: "Above"}}}}}) {
      title opsPersonId { name opsTeamId { name } }
    }
  }`;
  expect(await server.data(document)).toEqual({
    createOpsTasks: { title: 'up', opsPersonId: { name: 'Up', opsTeamId: { name: 'Above' } } },
  });
});

test('up and down in one row, in some of many rows', async () => {
  const document = `mutation ($inputs: [OpsPeopleCreateInput!]!) {
    createManyOpsPeople(inputs: $inputs) { name opsTeamId { name } opsTasks { title } }
  }`;
  const inputs = [
    { email: 'm1', name: 'A', opsTeamId: { data: { name: 'New' } }, opsTasks: { data: [{ title: 'x' }] } },
    { email: 'm2', name: 'B', team_id: 1 },
    { email: 'm3', name: 'C' },
  ];
  expect(await server.data(document, { inputs })).toEqual({
    createManyOpsPeople: [
      { name: 'A', opsTeamId: { name: 'New' }, opsTasks: [{ title: 'x' }] },
      { name: 'B', opsTeamId: { name: 'Red' }, opsTasks: [] },
      { name: 'C', opsTeamId: null, opsTasks: [] },
    ],
  });
});

test('a conflict of a row inside: what its own onConflict says', async () => {
  const create = (conflict: string, email: string) => `mutation {
    createOpsPeople(input: {email: "${email}", name: "N", opsTeamId: {data: {name: "Blue", size: 8} ${conflict}}}) { opsTeamId { id size } }
  }`;
  expect(await server.error(create('', 'c1'))).toMatchObject({
    path: ['createOpsPeople'],
    extensions: { code: '23505' },
  });
  expect(await server.data(create('onConflict: {constraint: teams_name_key}', 'c2'))).toEqual({
    createOpsPeople: { opsTeamId: { id: 2, size: 8 } },
  });
});

test('a failure at the bottom leaves nothing of the tree', async () => {
  const error = await server.error(`mutation {
    createOpsTeams(input: {name: "Gone", opsPeople: {data: [{email: "g", name: "G", opsTasks: {data: [{title: "t", points: -1}]}}]}}) { id }
  }`);
  expect(error).toMatchObject({ path: ['createOpsTeams'], extensions: { code: '23514' } });
  expect(await rows("select 1 from ops.teams where name = 'Gone'")).toEqual([]);
  expect(await rows("select 1 from ops.people where email = 'g'")).toEqual([]);
});

test('a foreign key given twice is refused', async () => {
  const { body } = await server.ask(
    'mutation { createOpsPeople(input: {email: "t", name: "T", team_id: 1, opsTeamId: {data: {name: "T"}}}) { id } }',
  );
  expect(body.errors).toMatchObject([
    {
      message: 'opsTeamId gives team_id, which is given too.',
      path: ['createOpsPeople'],
      extensions: { code: 'TW005' },
    },
  ]);
});
