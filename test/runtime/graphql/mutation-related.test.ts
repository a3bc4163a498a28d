import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { post } from '../../support/graphql-server.js';
import { startMutationServer, type MutationServer } from './support/mutations.js';

/** Related rows are written inside an update, or connected inside a new row. */
const sql = readFileSync(new URL('support/desk.sql', import.meta.url), 'utf8');

let server: MutationServer;
beforeAll(async () => {
  server = await startMutationServer({ tables: { sql, schema: 'desk' } });
});
afterAll(() => server.stop());

const rows = (text: string) => server.db.query(text);
const asUser = { 'x-test-user': 'u1' };

/** The content of the database, to compare before and after. */
const everything = async () =>
  Promise.all(
    ['people', 'profiles', 'badges', 'projects', 'issues', 'comments', 'issue_labels', 'notes', 'folders'].map((name) =>
      rows(`select * from desk.${name} as t order by t::text`),
    ),
  );

/** The error of a document that must leave everything unchanged. */
async function refused(document: string, headers?: Readonly<Record<string, string>>) {
  const before = await everything();
  const error = await server.error(document, undefined, headers);
  expect(await everything()).toEqual(before);
  return error;
}

const issue = (number: number, input: string, select = 'number') =>
  `mutation { updateDeskIssues(where: {project_id: {eq: 1}, number: {eq: ${number}}}, input: {${input}}) { ${select} } }`;

describe('rows that refer to the row', () => {
  test('are created, connected, updated, disconnected and deleted in one transaction, and the answer shows them', async () => {
    const before = await rows('select count(*)::int as n from desk.comments');
    const document = `mutation {
      updateDeskIssues(where: {project_id: {eq: 1}, number: {eq: 1}}, input: {title: "One!", deskComments: {
        create: [{body: "new 1"}, {body: "new 2"}]
        connect: [{id: 5}]
        update: [{where: {id: 1}, data: {body: "a!"}}]
        delete: [{id: 2}]
      }}) { title deskComments(orderBy: {body: ASC}) { body } }
    }`;
    server.forget();
    expect(await server.data(document)).toEqual({
      updateDeskIssues: [
        { title: 'One!', deskComments: [{ body: 'a!' }, { body: 'loose' }, { body: 'new 1' }, { body: 'new 2' }] },
      ],
    });
    // The statements: find the row, delete, update, connect, insert both new rows, update the row
    // itself, and read the answer.
    expect(server.rounds.flat()).toHaveLength(7);
    expect(server.identities).toEqual([]);
    expect(await rows('select count(*)::int as n from desk.comments')).toEqual([{ n: Number(before[0]?.['n']) + 1 }]);
    expect(
      await server.data(issue(1, 'deskComments: {disconnect: [{id: 5}]}', 'deskComments(orderBy: {id: ASC}) { id }')),
    ).toMatchObject({ updateDeskIssues: [{ deskComments: [{ id: 1 }, {}, {}] }] });
    expect(await rows('select project_id, number from desk.comments where id = 5')).toEqual([
      { project_id: null, number: null },
    ]);
  });

  test('have a key of two columns, of which the parent gives one', async () => {
    const document = `mutation { updateDeskProjects(id: 1, input: {deskIssues: {
      update: [{where: {project_id: 1, number: 2}, data: {title: "Two!"}}],
      upsert: [
        {where: {project_id: 1, number: 2}, create: {number: 2, title: "no"}, update: {assignee_id: 3}},
        {where: {project_id: 1, number: 9}, create: {number: 9, title: "Nine"}, update: {title: "no"}}
      ]
    }}) { deskIssues(orderBy: {number: ASC}) { number title assignee_id } } }`;
    expect(await server.data(document)).toEqual({
      updateDeskProjects: [
        {
          deskIssues: [
            { number: 1, title: 'One!', assignee_id: 1 },
            { number: 2, title: 'Two!', assignee_id: 3 },
            { number: 9, title: 'Nine', assignee_id: null },
          ],
        },
      ],
    });
    expect(await server.data('mutation { deleteDeskIssues(where: {number: {eq: 9}}) { number } }')).toBeDefined();
  });

  test('as deep as they go: an update in an update in an update, with new rows at the bottom', async () => {
    const document = `mutation { updateDeskPeople(id: 1, input: {deskProjectsOwnerId: {update: [{where: {key: "ONE"}, data: {
      deskIssues: {update: [{where: {project_id: 1, number: 1}, data: {
        deskAssigneeId: {update: {visits: 7}}
        deskComments: {create: [{body: "deep"}]}
      }}]}
    }}]}}) { visits deskProjectsOwnerId { deskIssues(where: {number: {eq: 1}}) { deskComments(where: {body: {eq: "deep"}}) { body } } } } }`;
    expect(await server.data(document)).toEqual({
      updateDeskPeople: [{ visits: 7, deskProjectsOwnerId: [{ deskIssues: [{ deskComments: [{ body: 'deep' }] }] }] }],
    });
  });

  test('of another row are out of reach, and nothing is written', async () => {
    for (const part of [
      'update: [{where: {id: 4}, data: {body: "mine now"}}]',
      'delete: [{id: 4}]',
      'disconnect: [{id: 4}]',
      'upsert: [{where: {id: 4}, create: {body: "x"}, update: {body: "y"}}]',
      'update: [{where: {id: 4}, data: {}}]',
    ]) {
      expect(await refused(issue(1, `title: "changed", deskComments: {create: [{body: "z"}], ${part}}`))).toMatchObject(
        {
          message: 'deskComments: this row is not related to the row that is written.',
          path: ['updateDeskIssues'],
          extensions: { code: 'TW008' },
        },
      );
    }
    expect(await refused(issue(1, 'deskComments: {connect: [{id: 999}]}'))).toMatchObject({
      message: 'deskComments: there is no row with this key.',
      extensions: { code: 'TW008' },
    });
  });

  test('that are deleted and updated by the same mutation are an error', async () => {
    expect(
      await refused(issue(1, 'deskComments: {update: [{where: {id: 1}, data: {body: "x"}}], delete: [{id: 1}]}')),
    ).toMatchObject({ extensions: { code: 'TW008' } });
  });

  test('that a trigger keeps as they are, or out, are an error', async () => {
    for (const part of [
      'create: [{body: "kept out"}]',
      'update: [{where: {id: 1}, data: {body: "kept"}}]',
      'upsert: [{where: {id: 1}, create: {body: "x"}, update: {body: "kept"}}]',
    ])
      expect((await refused(issue(1, `deskComments: {${part}}`))).extensions.code).toMatch(/^TW0(08|16)$/);
  });

  test('that the database refuses: its own code, and nothing is written', async () => {
    expect(
      await refused('mutation { updateDeskPeople(id: 1, input: {deskProjectsOwnerId: {delete: [{id: 1}]}}) { id } }'),
    ).toMatchObject({ path: ['updateDeskPeople'], extensions: { code: '23503' } });
    expect(
      await refused(
        'mutation { updateDeskPeople(id: 2, input: {deskProjectsOwnerId: {create: [{key: "ONE"}]}}) { id } }',
      ),
    ).toMatchObject({ extensions: { code: '23505' } });
  });
});

describe('the one row that refers to the row', () => {
  test('is created, updated, replaced, disconnected and deleted', async () => {
    const badge = (part: string) =>
      `mutation { updateDeskPeople(id: 1, input: {deskBadges: {${part}}}) { deskBadges { code } } }`;
    const answer = async (part: string) => (await server.data(badge(part)))?.['updateDeskPeople'];
    expect(await answer('update: {code: "A2"}')).toEqual([{ deskBadges: { code: 'A2' } }]);
    expect(await answer('disconnect: true, connect: {code: "F0"}')).toEqual([{ deskBadges: { code: 'F0' } }]);
    expect(await answer('delete: true, create: {code: "N1"}')).toEqual([{ deskBadges: { code: 'N1' } }]);
    expect(await answer('upsert: {create: {code: "no"}, update: {code: "N2"}}')).toEqual([
      { deskBadges: { code: 'N2' } },
    ]);
    expect(await answer('disconnect: true')).toEqual([{ deskBadges: null }]);
    expect(await answer('disconnect: true')).toEqual([{ deskBadges: null }]);
    expect(await answer('upsert: {create: {code: "N3"}, update: {code: "no"}}')).toEqual([
      { deskBadges: { code: 'N3' } },
    ]);
    expect(await answer('delete: true')).toEqual([{ deskBadges: null }]);
    expect(await refused(badge('delete: true'))).toMatchObject({ extensions: { code: 'TW008' } });
    expect(await refused(badge('update: {code: "x"}'))).toMatchObject({ extensions: { code: 'TW008' } });
    expect(await answer('connectOrCreate: {where: {code: "A2"}, create: {code: "A2"}}')).toEqual([
      { deskBadges: { code: 'A2' } },
    ]);
  });
});

describe('the row that is referred to', () => {
  const project = (part: string, rest = '') =>
    `mutation { updateDeskProjects(id: 2, input: {${rest} deskReviewerId: {${part}}}) { reviewer_id deskReviewerId { email visits } deskOwnerId { email } } }`;
  const answer = async (part: string) => (await server.data(project(part)))?.['updateDeskProjects'];

  test('is connected, updated, replaced, disconnected and deleted, of two relations to the same table', async () => {
    const owner = { deskOwnerId: { email: 'bob@x' } };
    expect(await answer('connect: {email: "cy@x"}')).toEqual([
      { reviewer_id: 3, deskReviewerId: { email: 'cy@x', visits: 0 }, ...owner },
    ]);
    expect(await answer('update: {visits: 2}')).toEqual([
      { reviewer_id: 3, deskReviewerId: { email: 'cy@x', visits: 2 }, ...owner },
    ]);
    expect(await answer('upsert: {create: {email: "no", name: "no"}, update: {visits: 3}}')).toMatchObject([
      { deskReviewerId: { visits: 3 } },
    ]);
    expect(await answer('disconnect: true')).toEqual([{ reviewer_id: null, deskReviewerId: null, ...owner }]);
    expect(await answer('upsert: {create: {email: "eve@x", name: "Eve"}, update: {visits: 3}}')).toMatchObject([
      { deskReviewerId: { email: 'eve@x', visits: 0 } },
    ]);
    expect(await answer('delete: true, create: {email: "flo@x", name: "Flo"}')).toMatchObject([
      { deskReviewerId: { email: 'flo@x' } },
    ]);
    expect(await rows("select 1 from desk.people where email = 'eve@x'")).toEqual([]);
    expect(await answer('delete: true')).toMatchObject([{ reviewer_id: null }]);
    expect(await rows("select 1 from desk.people where email = 'flo@x'")).toEqual([]);
    expect(
      await answer('connectOrCreate: {where: {email: "gil@x"}, create: {email: "gil@x", name: "Gil"}}'),
    ).toMatchObject([{ deskReviewerId: { email: 'gil@x' } }]);
  });

  test('is not disconnected where the column may not be null: the schema has no such thing', async () => {
    const { body } = await server.ask(
      'mutation { updateDeskProjects(id: 2, input: {deskOwnerId: {disconnect: true}}) { id } }',
    );
    expect(body.errors?.[0]?.message).toContain(
      'Field "disconnect" is not defined by type "DeskProjects_deskOwnerIdInput"',
    );
    const { body: one } = await server.ask(
      'mutation { updateDeskPeople(id: 2, input: {deskProfiles: {disconnect: true}}) { id } }',
    );
    expect(one.errors?.[0]?.message).toContain('Field "disconnect" is not defined');
  });

  test('is given once, and is one', async () => {
    for (const document of [
      project('connect: {id: 1}', 'reviewer_id: 3'),
      project('connect: {id: 1}, create: {email: "x", name: "x"}'),
      project('update: {visits: 1}, connect: {id: 1}'),
      project('connect: {name: "Ada"}').replace('name: "Ada"', 'email: null'),
      issue(1, 'deskComments: {connect: [{}]}'),
      issue(1, 'deskComments: {delete: [{id: null}]}'),
      `mutation { updateDeskProjects(id: 1, input: {deskIssues: {delete: [{number: 1}]}}) { id } }`,
    ])
      expect(await refused(document)).toMatchObject({ extensions: { code: 'TW005' } });
  });

  test('is the row itself, or one of its own table', async () => {
    expect(
      await server.data(`mutation { updateDeskPeople(id: 4, input: {
        deskManagerId: {connect: {id: 4}}, deskPeople: {create: [{email: "hal@x", name: "Hal"}], connect: [{email: "cy@x"}]}
      }) { manager_id deskPeople(orderBy: {email: ASC}) { email } } }`),
    ).toEqual({
      updateDeskPeople: [{ manager_id: 4, deskPeople: [{ email: 'cy@x' }, { email: 'dan@x' }, { email: 'hal@x' }] }],
    });
  });
});

describe('rows on the other side of a junction table', () => {
  const labels = (part: string) =>
    issue(1, `deskLabelsViaIssueLabels: {${part}}`, 'deskLabelsViaIssueLabels(orderBy: {name: ASC}) { name }');
  const answer = async (part: string) => {
    const data = await server.data(labels(part));
    const [row] = data?.['updateDeskIssues'] as readonly { deskLabelsViaIssueLabels: readonly { name: string }[] }[];
    return row?.deskLabelsViaIssueLabels.map(({ name }) => name);
  };

  test('are tied, untied, created, updated and deleted', async () => {
    expect(await answer('connect: [{name: "blue"}, {id: 1}]')).toEqual(['blue', 'green', 'red']);
    expect(await answer('disconnect: [{name: "red"}], create: [{name: "pink"}]')).toEqual(['blue', 'green', 'pink']);
    expect(await answer('update: [{where: {name: "pink"}, data: {name: "rose"}}]')).toEqual(['blue', 'green', 'rose']);
    expect(await answer('delete: [{name: "rose"}]')).toEqual(['blue', 'green']);
    expect(
      await answer(
        'upsert: [{where: {name: "green"}, create: {name: "no"}, update: {name: "lime"}}, {where: {name: "teal"}, create: {name: "teal"}, update: {name: "no"}}], connectOrCreate: [{where: {name: "red"}, create: {name: "no"}}, {where: {name: "gold"}, create: {name: "gold"}}]',
      ),
    ).toEqual(['blue', 'gold', 'lime', 'red', 'teal']);
    expect(await rows("select 1 from desk.labels where name in ('rose', 'no')")).toEqual([]);
  });

  test('that are not tied to the row are out of reach', async () => {
    await rows("insert into desk.labels (name) values ('far') on conflict do nothing");
    for (const part of [
      'disconnect: [{name: "far"}]',
      'delete: [{name: "far"}]',
      'update: [{where: {name: "far"}, data: {name: "near"}}]',
      'upsert: [{where: {name: "far"}, create: {name: "near"}, update: {name: "near"}}]',
      'connect: [{name: "nowhere"}]',
    ])
      expect(await refused(labels(part))).toMatchObject({ extensions: { code: 'TW008' } });
  });
});

describe('rows inside a new row', () => {
  test('are connected, or created where they are not there, in some of many rows', async () => {
    const document = `mutation ($inputs: [DeskIssuesCreateInput!]!) {
      createManyDeskIssues(inputs: $inputs) { number deskAssigneeId { email } deskLabelsViaIssueLabels(orderBy: {name: ASC}) { name } deskComments { body } }
    }`;
    const inputs = [
      {
        project_id: 2,
        number: 20,
        title: 'a',
        deskAssigneeId: { connect: { email: 'ada@x' } },
        deskLabelsViaIssueLabels: {
          connect: [{ id: 1 }],
          connectOrCreate: [{ where: { name: 'sky' }, create: { name: 'sky' } }],
        },
        deskComments: { data: [{ body: 'x' }], connect: [{ id: 5 }] },
      },
      { project_id: 2, number: 21, title: 'b' },
      { project_id: 2, number: 22, title: 'c', deskAssigneeId: { data: { email: 'ian@x', name: 'Ian' } } },
    ];
    expect(await server.data(document, { inputs })).toMatchObject({
      createManyDeskIssues: [
        {
          number: 20,
          deskAssigneeId: { email: 'ada@x' },
          deskLabelsViaIssueLabels: [{ name: 'red' }, { name: 'sky' }],
        },
        { number: 21, deskAssigneeId: null, deskLabelsViaIssueLabels: [], deskComments: [] },
        { number: 22, deskAssigneeId: { email: 'ian@x' } },
      ],
    });
    expect(await rows('select body from desk.comments where project_id = 2 and number = 20 order by 1')).toEqual([
      { body: 'loose' },
      { body: 'x' },
    ]);
  });

  test('deep inside, by variables of different shapes under one document', async () => {
    const document =
      'mutation ($input: DeskProjectsCreateInput!) { createDeskProjects(input: $input) { key deskOwnerId { email } deskIssues { deskAssigneeId { email } } } }';
    const create = (input: unknown) => server.data(document, { input });
    expect(await create({ key: 'V1', owner_id: 1 })).toMatchObject({
      createDeskProjects: { deskOwnerId: { email: 'ada@x' } },
    });
    expect(await create({ key: 'V2', deskOwnerId: { data: { email: 'joy@x', name: 'Joy' } } })).toMatchObject({
      createDeskProjects: { deskOwnerId: { email: 'joy@x' } },
    });
    expect(
      await create({
        key: 'V3',
        deskOwnerId: { connect: { id: 2 } },
        deskIssues: { data: [{ number: 1, title: 't', deskAssigneeId: { connect: { id: 3 } } }] },
      }),
    ).toEqual({
      createDeskProjects: {
        key: 'V3',
        deskOwnerId: { email: 'bob@x' },
        deskIssues: [{ deskAssigneeId: { email: 'cy@x' } }],
      },
    });
    expect(await create({ key: 'V4', owner_id: 2, deskOwnerId: null })).toMatchObject({
      createDeskProjects: { key: 'V4' },
    });
  });

  test('are refused with a key that is not there, and nothing is written', async () => {
    expect(
      await refused(
        'mutation { createDeskProjects(input: {key: "G", deskOwnerId: {connect: {email: "nobody@x"}}}) { id } }',
      ),
    ).toMatchObject({ message: 'deskOwnerId: there is no row with this key.', extensions: { code: 'TW008' } });
  });
});

describe('which row', () => {
  test('several are refused, none is an empty list, and both are known before anything is written', async () => {
    expect(
      await refused(
        'mutation { updateDeskProjects(where: {}, input: {deskIssues: {create: [{number: 5, title: "x"}]}}) { id } }',
      ),
    ).toMatchObject({ extensions: { code: 'TW016' } });
    const before = await everything();
    expect(
      await server.data(
        'mutation { updateDeskProjects(id: 999, input: {deskReviewerId: {create: {email: "k", name: "k"}}}) { id } }',
      ),
    ).toEqual({ updateDeskProjects: [] });
    expect(await everything()).toEqual(before);
  });

  test('inc and a new key of the row itself go with rows inside', async () => {
    expect(
      await server.data(`mutation {
        up: updateDeskPeople(id: 2, input: {name: "Bobby", deskProfiles: {update: {bio: "2nd"}}}, inc: {visits: 4}) { name visits deskProfiles { bio } }
        key: updateDeskIssues(where: {project_id: {eq: 1}, number: {eq: 2}}, input: {number: 7, deskComments: {create: [{body: "moved"}]}}) { number deskComments(orderBy: {body: ASC}) { body } }
      }`),
    ).toEqual({
      up: [{ name: 'Bobby', visits: 4, deskProfiles: { bio: '2nd' } }],
      key: [{ number: 7, deskComments: [{ body: 'c' }, { body: 'moved' }] }],
    });
  });
});

describe('policies', () => {
  test('hold for rows inside: hidden ones are neither connected, updated nor deleted', async () => {
    const notes = (part: string) =>
      `mutation { updateDeskProjects(id: 1, input: {deskNotes: {${part}}}) { deskNotes { body } } }`;
    for (const part of [
      'connect: [{id: 2}]',
      'update: [{where: {id: 2}, data: {body: "x"}}]',
      'delete: [{id: 2}]',
      'disconnect: [{id: 2}]',
    ])
      expect(await refused(notes(part), asUser)).toMatchObject({ extensions: { code: 'TW008' } });
    expect(await refused(notes('update: [{where: {id: 1}, data: {owner: "u2"}}]'), asUser)).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
    });
    expect(await refused(notes('create: [{body: "x", owner: "u2"}]'), asUser)).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
    });
    expect(
      await server.data(
        notes('create: [{body: "more"}], update: [{where: {id: 1}, data: {body: "mine!"}}]'),
        undefined,
        asUser,
      ),
    ).toEqual({
      updateDeskProjects: [{ deskNotes: [{ body: 'mine!' }, { body: 'more' }] }],
    });
  });

  test('a hidden row that is referred to is not replaced by an upsert without a word', async () => {
    const folder = (part: string) =>
      `mutation { updateDeskFolders(id: 1, input: {deskNoteId: {${part}}}) { note_id } }`;
    for (const part of ['upsert: {create: {body: "x"}, update: {body: "y"}}', 'update: {body: "x"}', 'delete: true'])
      expect(await refused(folder(part), asUser)).toMatchObject({ extensions: { code: 'TW008' } });
    expect(await server.data(folder('disconnect: true'), undefined, asUser)).toEqual({
      updateDeskFolders: [{ note_id: null }],
    });
  });
});

test('a client can not have the server run statements without end', async () => {
  const document =
    'mutation ($keys: [DeskCommentsKeyInput!]) { updateDeskIssues(where: {project_id: {eq: 1}, number: {eq: 1}}, input: {deskComments: {connect: $keys}}) { number } }';
  const keys = Array.from({ length: 1100 }, () => ({ id: 1 }));
  const before = await everything();
  expect(await server.error(document, { keys })).toMatchObject({ extensions: { code: 'TW011' } });
  expect(await everything()).toEqual(before);
});

test.each([1500, 100_000])('nor nest rows without end: %i levels', async (levels) => {
  const document = 'mutation ($input: DeskPeopleUpdateInput!) { updateDeskPeople(id: 4, input: $input) { id } }';
  const person = '"email":"deep","name":"Deep"';
  const input = `{"deskManagerId":{"create":{${person}${`,"deskManagerId":{"data":{${person}`.repeat(levels)}${'}}'.repeat(levels)}}}}`;
  const before = await everything();
  const reply = await post(server.url, `{"query":${JSON.stringify(document)},"variables":{"input":${input}}}`);
  expect(reply.status).toBeLessThan(500);
  expect(reply.body.errors).toHaveLength(1);
  expect(await everything()).toEqual(before);
  expect(await server.data('{ deskPeople(limit: 1) { id } }')).toBeDefined();
});

test('views take no rows inside, and nothing is said of relations where the schema has none', async () => {
  const { body } = await server.ask(
    'mutation { updateDeskTitles(where: {}, input: {deskProjects: {connect: {id: 1}}}) { title } }',
  );
  expect(body.errors?.[0]?.message).toContain('is not defined by type "DeskTitlesUpdateInput"');
});

test('onConflict with where is refused beside connect, and goes into a field of its own before', async () => {
  const create = (email: string, inside: string, visits: number): string =>
    `createDeskPeople(input: {email: "${email}", name: "Changed"${inside}},
      onConflict: {constraint: people_email_key, updateColumns: [name], where: {visits: {lt: ${String(visits)}}}}) { name }`;
  await rows(`insert into desk.people (id, email, name, visits) values (900, 'seldom@x', 'Seldom', 1)`);
  const connect = 'deskManagerId: {connect: {id: 1}}';
  expect(await refused(`mutation { ${create('seldom@x', `, ${connect}`, 5)} }`)).toMatchObject({
    message: expect.stringContaining('onConflict has no where beside rows that are connected') as unknown,
  });
  const update = `updateDeskPeople(where: {email: {eq: "seldom@x"}}, input: {${connect}}) { name deskManagerId { id } }`;
  expect(await server.data(`mutation { ${create('seldom@x', '', 5)} ${update} }`)).toEqual({
    createDeskPeople: { name: 'Changed' },
    updateDeskPeople: [{ name: 'Changed', deskManagerId: { id: 1 } }],
  });
  await rows('delete from desk.people where id = 900');
});
