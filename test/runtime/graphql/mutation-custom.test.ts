import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from '../../../runtime/src/execute/custom/context.js';
import type { Hooks } from '../../../runtime/src/execute/hooks/table-hooks.js';
import { startMutationServer, type MutationServer } from './support/mutations.js';

let server: MutationServer;
/** The calls of custom code, in order. */
let seen: unknown[];

const hooks: Hooks = {
  'ops.teams': {
    beforeInsert: ({ rows, identity, refuse }) => {
      seen.push({ insert: rows, by: identity.userId });
      if (rows.some(({ name }) => name === 'Bad')) refuse('No bad teams.', 409);
      return rows.map((row) => ({ ...row, name: `${String(row['name'])}!` }));
    },
    beforeUpdate: ({ set }) => {
      seen.push({ update: set });
      return { ...set, size: 50 };
    },
    beforeDelete: ({ refuse }) => {
      refuse('Teams stay.');
    },
    afterCommit: ({ operation, affected, keys }) => {
      seen.push({ committed: operation, affected, keys });
    },
  },
};

const extra = `
  extend type Mutation { rename(id: Int!, name: String!): String! fail: Boolean countTeams: Int! nested: Int! swallow: Boolean! }
  extend type OpsTasks { loud(fail: Boolean): String! }`;

const count = '{ opsTeamsAggregate { count } }';
const countOf = async (context: Context): Promise<number> => {
  const { opsTeamsAggregate } = await context.query(count);
  return (opsTeamsAggregate as { count: number }).count;
};

const resolvers: Parameters<typeof startMutationServer>[0] = {
  hooks,
  extra,
  resolvers: {
    'Mutation.rename': async (_root: never, { id, name }: { id: number; name: string }, context) => {
      seen.push('rename');
      const document = 'mutation ($id: Int, $name: String) { updateOpsPeople(id: $id, input: {name: $name}) { name } }';
      const { updateOpsPeople } = await context.query(document, { id, name });
      return (updateOpsPeople as { name: string }[])[0]?.name ?? 'nobody';
    },
    'Mutation.fail': () => {
      throw new Error('s3cret');
    },
    'Mutation.countTeams': (_root, _args, context) => countOf(context),
    'Mutation.nested': async (_root, _args, context) => {
      await context.query('mutation { createOpsTeams(input: {name: "Inner"}) { id } }');
      return countOf(context);
    },
    'Mutation.swallow': async (_root, _args, context) => {
      await context.query('mutation { createOpsTeams(input: {name: "Bad"}) { id } }').catch(() => undefined);
      return true;
    },
    'OpsTasks.loud': ({ title }: { title: string }, { fail }: { fail?: boolean }) => {
      if (fail === true) throw new Error('too loud');
      return `${title.toUpperCase()}!`;
    },
  },
};

beforeEach(async () => {
  seen = [];
  server = await startMutationServer(resolvers);
});
afterEach(() => server.stop());

const teams = async () => (await server.db.query('select name from ops.teams order by id')).map(({ name }) => name);

describe('hooks', () => {
  test('change what is written, and are told of the commit', async () => {
    const data = await server.data(
      'mutation { createOpsTeams(input: {name: "Green"}) { name } }',
      {},
      {
        'x-test-user': 'ada',
      },
    );
    expect(data).toEqual({ createOpsTeams: { name: 'Green!' } });
    expect(seen).toEqual([
      { insert: [{ name: 'Green' }], by: 'ada' },
      { committed: 'insert', affected: 1, keys: [{ id: '3' }] },
    ]);
  });

  test('of rows inside rows, too', async () => {
    const document = `mutation {
      createOpsPeople(input: {email: "h", name: "H", opsTeamId: {data: {name: "Inside"}}}) { opsTeamId { name } }
    }`;
    expect(await server.data(document)).toEqual({ createOpsPeople: { opsTeamId: { name: 'Inside!' } } });
  });

  test('change new values', async () => {
    expect(await server.data('mutation { updateOpsTeams(id: 1, input: {name: "R"}) { name size } }')).toEqual({
      updateOpsTeams: [{ name: 'R', size: 50 }],
    });
    expect(seen[0]).toEqual({ update: { name: 'R' } });
  });

  test('refuse: their message, and nothing of the document is written', async () => {
    const document =
      'mutation { a: createOpsTeams(input: {name: "Good"}) { id } b: createOpsTeams(input: {name: "Bad"}) { id } }';
    expect(await server.error(document)).toMatchObject({
      message: 'No bad teams.',
      path: ['b'],
      extensions: { code: 'TW016' },
    });
    expect(await server.error('mutation { deleteOpsTeams(id: 2) { id } }')).toMatchObject({ message: 'Teams stay.' });
    expect(await teams()).toEqual(['Red', 'Blue']);
    expect(server.rounds).toEqual([]);
    expect(seen).not.toContainEqual(expect.objectContaining({ committed: expect.anything() }));
  });
});

describe('fields of the user between generated ones', () => {
  test('run in order, in the same transaction: they read and write what is not committed yet', async () => {
    const document = `mutation {
      before: countTeams
      createOpsTeams(input: {name: "Green"}) { name }
      after: countTeams
      nested
      createOpsPeople(input: {email: "k", name: "K"}) { id }
      rename(id: 4, name: "Kim")
      updateOpsPeople(id: 4, input: {note: "n"}) { name note }
    }`;
    const { text } = await server.ask(document);
    expect(JSON.parse(text)).toEqual({
      data: {
        before: 2,
        createOpsTeams: { name: 'Green!' },
        after: 3,
        nested: 4,
        createOpsPeople: { id: 4 },
        rename: 'Kim',
        updateOpsPeople: [{ name: 'Kim', note: 'n' }],
      },
    });
    expect(await teams()).toEqual(['Red', 'Blue', 'Green!', 'Inner!']);
    expect(seen.slice(-2)).toEqual([
      { committed: 'insert', affected: 1, keys: [{ id: '3' }] },
      { committed: 'insert', affected: 1, keys: [{ id: '4' }] },
    ]);
  });

  test.each([
    ['a field of the user fails', 'createOpsTeams(input: {name: "A"}) { id } fail rename(id: 1, name: "x")', ['fail']],
    [
      'a generated field fails',
      'countTeams createOpsPeople(input: {email: "ada@example.org", name: "x"}) { id } rename(id: 1, name: "x")',
      ['createOpsPeople'],
    ],
    ['a failed document was passed over', 'createOpsTeams(input: {name: "A"}) { id } swallow', undefined],
  ])('%s: nothing is kept, and what comes after is not begun', async (_what, fields, path) => {
    const { body, text } = await server.ask(`mutation { ${fields} }`);
    expect(body.data).toBeNull();
    expect(body.errors).toHaveLength(1);
    expect(body.errors?.[0]?.path).toEqual(path);
    expect(text).not.toContain('s3cret');
    expect(await teams()).toEqual(['Red', 'Blue']);
    expect(seen).not.toContain('rename');
    expect(seen).not.toContainEqual(expect.objectContaining({ committed: expect.anything() }));
  });

  test('alone they are answered by graphql-js, each with its own error', async () => {
    const { body } = await server.ask('mutation { fail countTeams }');
    expect(body).toMatchObject({ data: { fail: null, countTeams: 2 }, errors: [{ path: ['fail'] }] });
  });
});

describe('fields of the user on rows that were written', () => {
  const document = (failing: boolean) => `mutation {
    createOpsTasks(input: {person_id: 1, title: "new"}) { id loud(fail: ${failing}) opsPersonId { opsTasks { loud } } }
  }`;

  test('see the row, and rows below it', async () => {
    expect(await server.data(document(false))).toEqual({
      createOpsTasks: {
        id: 4,
        loud: 'NEW!',
        opsPersonId: { opsTasks: [{ loud: 'FIRST!' }, { loud: 'SECOND!' }, { loud: 'NEW!' }] },
      },
    });
  });

  test('an error of theirs undoes the write', async () => {
    expect(await server.error(document(true))).toMatchObject({ path: ['createOpsTasks', 'loud'] });
    expect(await server.db.query("select 1 from ops.tasks where title = 'new'")).toEqual([]);
  });
});
