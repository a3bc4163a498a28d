import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CommitEvent, Hooks } from '../../../runtime/src/execute/hooks/table-hooks.js';
import { startMutationServer, type MutationServer } from './support/mutations.js';

/** Rows on the other side of a junction table, `ops.members`, inside a new row. */
let server: MutationServer;
beforeAll(async () => {
  server = await startMutationServer();
});
afterAll(() => server.stop());

const rows = (sql: string) => server.db.query(sql);

const createTeam = `mutation ($input: OpsTeamsCreateInput!) {
  createOpsTeams(input: $input) { name opsPeopleViaMembers(orderBy: {email: ASC}) { email points opsTasks { title } } }
}`;

test('rows of the other side and of the junction', async () => {
  const document = `mutation {
    createOpsTeams(input: {name: "Both", opsPeopleViaMembers: {data: [{email: "b1", name: "One"}, {email: "b2", name: "Two", points: 3}]}}) {
      name opsPeopleViaMembers(orderBy: {email: ASC}) { email points team_id } opsMembersAggregate { count }
    }
  }`;
  expect(await server.data(document)).toEqual({
    createOpsTeams: {
      name: 'Both',
      opsPeopleViaMembers: [
        { email: 'b1', points: 10, team_id: null },
        { email: 'b2', points: 3, team_id: null },
      ],
      opsMembersAggregate: { count: 2 },
    },
  });
});

test('from either side, in some of many rows, in one statement for each table', async () => {
  const document = `mutation ($inputs: [OpsPeopleCreateInput!]!) {
    createManyOpsPeople(inputs: $inputs) { email opsTeamsViaMembers(orderBy: {name: ASC}) { name size } }
  }`;
  const inputs = [
    { email: 's1', name: 'A', opsTeamsViaMembers: { data: [{ name: 's-x', size: 4 }, { name: 's-y' }] } },
    { email: 's2', name: 'B' },
    { email: 's3', name: 'C', opsTeamsViaMembers: { data: [{ name: 's-z' }] } },
  ];
  server.forget();
  expect(await server.data(document, { inputs })).toEqual({
    createManyOpsPeople: [
      {
        email: 's1',
        opsTeamsViaMembers: [
          { name: 's-x', size: 4 },
          { name: 's-y', size: 1 },
        ],
      },
      { email: 's2', opsTeamsViaMembers: [] },
      { email: 's3', opsTeamsViaMembers: [{ name: 's-z', size: 1 }] },
    ],
  });
  const statements = server.rounds.flat().map(({ text }) => /insert into "ops"\."(\w+)"/.exec(text)?.[1]);
  expect(statements.filter((name) => name !== undefined)).toEqual(['people', 'teams', 'members']);
});

test('to any depth, among other rows inside', async () => {
  const input = {
    name: 'Deep junction',
    opsPeopleViaMembers: {
      data: [
        {
          email: 'j1',
          name: 'One',
          opsTeamId: { data: { name: 'j-home' } },
          opsTasks: { data: [{ title: 'a' }] },
          opsTeamsViaMembers: { data: [{ name: 'j-second', opsPeople: { data: [{ email: 'j2', name: 'Two' }] } }] },
        },
      ],
    },
  };
  const document = createTeam.replace(
    'email points',
    'email points opsTeamId { name } opsTeamsViaMembers(orderBy: {name: ASC}) { name opsPeople { email } }',
  );
  expect(await server.data(document, { input })).toEqual({
    createOpsTeams: {
      name: 'Deep junction',
      opsPeopleViaMembers: [
        {
          email: 'j1',
          points: 10,
          opsTeamId: { name: 'j-home' },
          opsTeamsViaMembers: [
            { name: 'Deep junction', opsPeople: [] },
            { name: 'j-second', opsPeople: [{ email: 'j2' }] },
          ],
          opsTasks: [{ title: 'a' }],
        },
      ],
    },
  });
});

test('none, and null', async () => {
  const people = (given: unknown) => ({ input: { name: `none ${JSON.stringify(given)}`, opsPeopleViaMembers: given } });
  for (const given of [{ data: [] }, null]) {
    expect(await server.data(createTeam, people(given))).toMatchObject({ createOpsTeams: { opsPeopleViaMembers: [] } });
  }
});

test('onConflict finds the rows of the other side that are there', async () => {
  const people = {
    data: [
      { email: 'ada@example.org', name: 'Ada' },
      { email: 'o1', name: 'O' },
    ],
    onConflict: { constraint: 'people_email_key', updateColumns: ['email'] },
  };
  expect(await server.data(createTeam, { input: { name: 'Linked', opsPeopleViaMembers: people } })).toMatchObject({
    createOpsTeams: { opsPeopleViaMembers: [{ email: 'ada@example.org', opsTasks: [{}, {}] }, { email: 'o1' }] },
  });
  expect(await rows("select 1 from ops.people where email = 'ada@example.org'")).toHaveLength(1);
});

describe('nothing of the tree is kept', () => {
  const input = (name: string) => ({ input: { name, opsPeopleViaMembers: { data: [{ email: name, name }] } } });
  const left = async (name: string) =>
    rows(
      `select name from ops.teams where name = '${name}' union all select name from ops.people where email = '${name}'`,
    );
  const guarded = (sql: string) => server.db.query(sql);
  let undo = '';
  afterEach(() => guarded(undo));

  test("when a constraint of the junction's is violated", async () => {
    await guarded('alter table ops.members add constraint closed check (person_id < 0) not valid');
    undo = 'alter table ops.members drop constraint closed';
    const error = await server.error(createTeam, input('constraint'));
    expect(error).toMatchObject({ path: ['createOpsTeams'], extensions: { code: '23514' } });
    expect(await left('constraint')).toEqual([]);
  });

  test("when a policy refuses the junction's row", async () => {
    await guarded(
      'alter table ops.members enable row level security; create policy none on ops.members for insert with check (false)',
    );
    undo = 'drop policy none on ops.members; alter table ops.members disable row level security';
    expect(await server.error(createTeam, input('policy'))).toMatchObject({
      message: 'Permission denied.',
      path: ['createOpsTeams'],
      extensions: { code: 'FORBIDDEN' },
    });
    expect(await left('policy')).toEqual([]);
  });

  test("when a policy refuses the other side's row", async () => {
    await guarded(
      `alter table ops.people enable row level security; create policy see on ops.people using (true) with check (name = 'allowed')`,
    );
    undo = 'drop policy see on ops.people; alter table ops.people disable row level security';
    expect(await server.error(createTeam, input('other'))).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect(await left('other')).toEqual([]);
  });

  test('when a later field of the document fails', async () => {
    undo = 'select 1';
    const document = `mutation {
      createOpsTeams(input: {name: "later", opsPeopleViaMembers: {data: [{email: "later", name: "later"}]}}) { id }
      again: createOpsTeams(input: {name: "Red"}) { id }
    }`;
    expect(await server.error(document)).toMatchObject({ path: ['again'], extensions: { code: '23505' } });
    expect(await left('later')).toEqual([]);
  });
});

test('a row inside that gives the key which the row around it gives is refused', async () => {
  const { body } = await server.ask(
    'mutation { createOpsTeams(input: {name: "T", opsPeople: {data: [{email: "t", name: "T", opsTeamId: {data: {name: "U"}}}]}}) { id } }',
  );
  expect(body.errors).toMatchObject([
    {
      message: 'opsTeamId gives team_id, which is given too.',
      path: ['createOpsTeams'],
      extensions: { code: 'TW005' },
    },
  ]);
});

describe('hooks', () => {
  let hooked: MutationServer;
  let committed: CommitEvent[];
  let told: () => void;
  const seen: unknown[] = [];
  const hooks: Hooks = {
    'ops.people': {
      beforeInsert: ({ rows: given }) => given.map((row) => ({ ...row, name: `${String(row['name'])}!` })),
      afterCommit: (event) => {
        committed.push(event);
        told();
      },
    },
    'ops.members': {
      beforeInsert: ({ rows: given, refuse, identity }) => {
        seen.push(given);
        if (identity.userId === 'nobody') refuse('The team is closed.', 409);
      },
      afterCommit: (event) => {
        committed.push(event);
        told();
      },
    },
  };
  beforeAll(async () => {
    hooked = await startMutationServer({ hooks });
  });
  afterAll(() => hooked.stop());
  beforeEach(() => {
    committed = [];
    told = () => undefined;
  });

  const document = `mutation ($input: OpsTeamsCreateInput!) {
    createOpsTeams(input: $input) { name opsPeopleViaMembers(orderBy: {email: ASC}) { name opsTasks { title } } }
  }`;
  const people = {
    data: [
      { email: 'h1', name: 'A', opsTasks: { data: [{ title: 't' }] } },
      { email: 'h2', name: 'B' },
    ],
  };

  test('of the other side and of the junction run, and are told of the commit', async () => {
    const both = new Promise<void>((resolve) => {
      told = () => {
        if (committed.length === 2) resolve();
      };
    });
    expect(await hooked.data(document, { input: { name: 'Hooked', opsPeopleViaMembers: people } })).toEqual({
      createOpsTeams: {
        name: 'Hooked',
        opsPeopleViaMembers: [
          { name: 'A!', opsTasks: [{ title: 't' }] },
          { name: 'B!', opsTasks: [] },
        ],
      },
    });
    expect(seen).toEqual([[{}, {}]]);
    await both;
    expect(committed.map(({ table, operation, affected }) => ({ table, operation, affected }))).toEqual([
      { table: 'ops.members', operation: 'insert', affected: 2 },
      { table: 'ops.people', operation: 'insert', affected: 2 },
    ]);
  });

  test("of the junction's may refuse", async () => {
    const input = { name: 'Refused', opsPeopleViaMembers: people };
    expect(await hooked.error(document, { input }, { 'x-test-user': 'nobody' })).toMatchObject({
      message: 'The team is closed.',
      path: ['createOpsTeams'],
    });
    expect(await hooked.db.query("select 1 from ops.teams where name = 'Refused'")).toEqual([]);
    expect(committed).toEqual([]);
  });
});
