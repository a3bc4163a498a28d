import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startMutationServer, type MutationServer } from './support/mutations.js';

let server: MutationServer;
beforeEach(async () => {
  server = await startMutationServer();
});
afterEach(() => server.stop());

const rows = (sql: string) => server.db.query(sql);

describe('create', () => {
  test('one row is one statement, and answers what is selected of it', async () => {
    const data = await server.data(
      'mutation { made: createOpsTeams(input: {name: "Green"}) { id title: name size __typename } }',
    );
    expect(data).toEqual({ made: { id: 3, title: 'Green', size: 1, __typename: 'OpsTeams' } });
    expect(server.rounds).toHaveLength(1);
  });

  test('null is NULL, and what is left out takes its default', async () => {
    const document =
      'mutation ($points: Int, $team: Int) { createOpsPeople(input: {email: "k", name: "K", points: $points, team_id: $team}) { points team_id } }';
    expect(await server.data(document, { team: null })).toEqual({ createOpsPeople: { points: 10, team_id: null } });
    expect(await server.error(document, { points: null })).toMatchObject({
      path: ['createOpsPeople'],
      extensions: { code: '23502' },
    });
  });

  test('every kind of value, as literals and as variables', async () => {
    const fields =
      'mood tags scores profile raw home { street zip floor } slot { lower upper lowerInclusive upperInclusive empty } big cost rate active uid due seen pause data note share label';
    const input = {
      email: 'k@example.org',
      name: 'Kim',
      mood: 'rain_soon',
      tags: ['a', 'b,"c"', 'null'],
      scores: [1, null, 3],
      profile: { deep: [{ er: 'x' }], n: 1.5 },
      raw: [1, 'two', null],
      home: { street: 'Long "Street", (1)', zip: '123', floor: null },
      slot: { lower: 1, upper: 5 },
      big: '9007199254740993',
      cost: '12345678901234567890.123456789',
      rate: 0.5,
      active: true,
      uid: '123e4567-e89b-12d3-a456-426614174000',
      due: '2024-02-29',
      seen: '2024-01-02T03:04:05.678901Z',
      pause: 'P1DT2H',
      data: '\\xdeadbeef',
      note: 'n',
      share: 50,
    };
    const literal = `{email: "k2@example.org", name: "Kim", mood: rain_soon, tags: ["a", "b,\\"c\\"", "null"], scores: [1, null, 3],
      profile: {deep: [{er: "x"}], n: 1.5}, raw: [1, "two", null], home: {street: "Long \\"Street\\", (1)", zip: "123", floor: null},
      slot: {lower: 1, upper: 5}, big: "9007199254740993", cost: 12345678901234567890.123456789, rate: 0.5, active: true,
      uid: "123e4567-e89b-12d3-a456-426614174000", due: "2024-02-29", seen: "2024-01-02T03:04:05.678901Z", pause: "P1DT2H",
      data: "\\\\xdeadbeef", note: "n", share: 50}`;
    const byVariable = await server.ask(
      `mutation ($input: OpsPeopleCreateInput!) { row: createOpsPeople(input: $input) { ${fields} } }`,
      { input },
    );
    const byLiteral = await server.ask(`mutation { row: createOpsPeople(input: ${literal}) { ${fields} } }`);
    expect(byLiteral.text).toBe(byVariable.text);
    expect(byVariable.text).toContain('12345678901234567890.123456789');
    expect(byVariable.body.data?.['row']).toMatchObject({
      mood: 'rain_soon',
      tags: input.tags,
      scores: input.scores,
      profile: input.profile,
      raw: input.raw,
      home: input.home,
      slot: { lower: 1, upper: 5, lowerInclusive: true, upperInclusive: false, empty: false },
      big: '9007199254740993',
      label: 'KIM',
      due: '2024-02-29',
      seen: '2024-01-02T03:04:05.678901+00:00',
      data: '\\xdeadbeef',
    });
  });
});

describe('createMany', () => {
  test('the columns are the union over the rows; a missing one takes its default', async () => {
    const document =
      'mutation ($inputs: [OpsTeamsCreateInput!]!) { createManyOpsTeams(inputs: $inputs) { name size } }';
    const inputs = [{ name: 'A' }, { name: 'B', size: 7 }, { name: 'C' }];
    expect(await server.data(document, { inputs })).toEqual({
      createManyOpsTeams: [
        { name: 'A', size: 1 },
        { name: 'B', size: 7 },
        { name: 'C', size: 1 },
      ],
    });
    expect(server.rounds).toHaveLength(1);
  });

  test('no rows at all is an empty list', async () => {
    expect(await server.data('mutation { createManyOpsTeams(inputs: []) { name } }')).toEqual({
      createManyOpsTeams: [],
    });
  });

  test('one bad row of many: nothing is written', async () => {
    const error = await server.error('mutation { createManyOpsTeams(inputs: [{name: "A"}, {name: "Red"}]) { name } }');
    expect(error).toMatchObject({ path: ['createManyOpsTeams'], extensions: { code: '23505' } });
    expect(await rows('select 1 from ops.teams')).toHaveLength(2);
  });
});

describe('onConflict', () => {
  const upsert = (conflict: string) =>
    server.data(`mutation { row: createOpsTeams(input: {name: "Red", size: 9}, onConflict: ${conflict}) { id size } }`);

  test('everything that is given is updated', async () => {
    expect(await upsert('{constraint: teams_name_key}')).toEqual({ row: { id: 1, size: 9 } });
  });

  test.each(['updateColumns', 'update_columns'])('%s says what is updated', async (name) => {
    expect(await upsert(`{constraint: teams_name_key, ${name}: [name]}`)).toEqual({ row: { id: 1, size: 2 } });
  });

  test('no columns: the row stays, and nothing is answered', async () => {
    expect(await upsert('{constraint: teams_name_key, updateColumns: []}')).toEqual({ row: null });
    expect(await rows('select size from ops.teams where id = 1')).toEqual([{ size: 2 }]);
  });

  test('where decides whether the row there is updated', async () => {
    expect(await upsert('{constraint: teams_name_key, where: {size: {gt: 5}}}')).toEqual({ row: null });
    expect(await upsert('{constraint: teams_name_key, where: {size: {lt: 5}}}')).toEqual({ row: { id: 1, size: 9 } });
  });
});

describe('update', () => {
  test('the rows that match, and what was not given stays', async () => {
    const document =
      'mutation ($where: OpsPeopleWhereInput) { updateOpsPeople(where: $where, input: {points: 1}) { name points } }';
    expect(await server.data(document, { where: { name: { in: ['Ada', 'Grace'] } } })).toEqual({
      updateOpsPeople: [
        { name: 'Ada', points: 1 },
        { name: 'Grace', points: 1 },
      ],
    });
    expect(server.rounds).toHaveLength(1);
  });

  test('id is short for the key; inc adds', async () => {
    expect(
      await server.data(
        'mutation { updateOpsPeople(id: 2, input: {note: "n"}, inc: {points: -5}) { id note points } }',
      ),
    ).toEqual({ updateOpsPeople: [{ id: 2, note: 'n', points: 15 }] });
  });

  test('where and id both hold', async () => {
    expect(
      await server.data('mutation { updateOpsPeople(id: 2, where: {name: {eq: "Ada"}}, input: {points: 0}) { id } }'),
    ).toEqual({ updateOpsPeople: [] });
  });

  test('where: {} is every row', async () => {
    const { updateOpsTeams } = (await server.data(
      'mutation { updateOpsTeams(where: {}, input: {size: 0}) { id } }',
    )) as {
      updateOpsTeams: unknown[];
    };
    expect(updateOpsTeams).toHaveLength(2);
  });

  test('atMost: more rows than that are an error, and nothing is written', async () => {
    const document = 'mutation ($n: Int) { updateOpsTeams(where: {}, input: {size: 0}, atMost: $n) { id } }';
    expect(await server.error(document, { n: 1 })).toMatchObject({
      path: ['updateOpsTeams'],
      extensions: { code: 'TW011' },
    });
    expect(await rows('select 1 from ops.teams where size = 0')).toEqual([]);
    expect(await server.data(document, { n: 2 })).toEqual({ updateOpsTeams: [{ id: 1 }, { id: 2 }] });
  });
});

describe('delete', () => {
  test('answers what was deleted, its relations as they were', async () => {
    expect(
      await server.data('mutation { deleteOpsTasks(where: {person_id: {eq: 1}}) { title opsPersonId { name } } }'),
    ).toEqual({
      deleteOpsTasks: [
        { title: 'First', opsPersonId: { name: 'Ada' } },
        { title: 'Second', opsPersonId: { name: 'Ada' } },
      ],
    });
    expect(await rows('select title from ops.tasks')).toEqual([{ title: 'Third' }]);
  });

  test('atMost holds', async () => {
    expect(await server.error('mutation { deleteOpsTasks(where: {}, atMost: 2) { id } }')).toMatchObject({
      extensions: { code: 'TW011' },
    });
    expect(await rows('select 1 from ops.tasks')).toHaveLength(3);
  });
});

describe('nothing says which rows', () => {
  test.each([
    'mutation { it: updateOpsTeams(input: {size: 0}) { id } }',
    'mutation { it: deleteOpsTeams { id } }',
    'mutation ($absent: OpsTeamsWhereInput) { it: deleteOpsTeams(where: $absent) { id } }',
    'mutation ($null: OpsTeamsWhereInput = null) { it: deleteOpsTeams(where: $null) { id } }',
    'mutation { it: deleteOpsTeams(where: null) { id } }',
    'mutation { it: deleteOpsTeams(id: null) { id } }',
    'mutation { it: updateOpsTeams(where: null, id: null, input: {size: 0}) { id } }',
  ])('%s: nothing is written and the field is null with an error', async (document) => {
    const { body } = await server.ask(document);
    expect(body).toMatchObject({ data: { it: null }, errors: [{ path: ['it'], extensions: { code: 'TW005' } }] });
    expect(server.rounds).toEqual([]);
  });

  test('among other fields: nothing of any is written', async () => {
    expect(
      await server.error('mutation { createOpsTeams(input: {name: "A"}) { id } deleteOpsTeams { id } }'),
    ).toMatchObject({ path: ['deleteOpsTeams'] });
    const { body } = await server.ask(
      'mutation { a: deleteOpsTeams { id } b: deleteOpsTeams(id: 1) { id } c: deleteOpsTasks { id } }',
    );
    expect(body).toMatchObject({ data: null, errors: [{ path: ['a'] }, { path: ['c'] }] });
    expect(await rows('select 1 from ops.teams')).toHaveLength(2);
  });

  test.each([
    ['mutation { it: deleteOpsTeams(where: null) { id } }', {}],
    ['mutation ($where: OpsTeamsWhereInput) { it: deleteOpsTeams(where: $where) { id } }', { where: null }],
    ['mutation { it: deleteOpsTeams(id: null, where: {}) { id } }', {}],
    ['mutation { it: deleteOpsTeams(where: {name: {eq: null}}) { id } }', {}],
    [
      'mutation ($where: OpsTeamsWhereInput) { it: deleteOpsTeams(where: $where) { id } }',
      { where: { name: { eq: null } } },
    ],
    ['mutation ($name: String) { it: deleteOpsTeams(where: {name: {eq: $name}}) { id } }', {}],
    ['mutation ($filter: StringFilterInput) { it: deleteOpsTeams(where: {name: $filter}) { id } }', {}],
    ['mutation ($filter: StringFilterInput) { it: deleteOpsTeams(where: {and: [{name: $filter}]}) { id } }', {}],
    ['mutation { it: updateOpsTeams(where: {}, input: {name: "x"}, inc: {size: null}) { id } }', {}],
    ['mutation { it: deleteOpsTeams(where: {name: {}}) { id } }', {}],
    ['mutation { it: updateOpsTeams(where: {name: {}}, input: {size: 0}) { id } }', {}],
    ...[
      { id: {} },
      { and: [{}] },
      { and: [] },
      { and: [{ and: [] }] },
      { or: [{ id: { eq: 1 } }, { and: [] }] },
      { not: { or: [] } },
      { or: [{}] },
      { not: {} },
    ].flatMap((where): [string, object][] => [
      ['mutation ($where: OpsTeamsWhereInput) { it: deleteOpsTeams(where: $where) { id } }', { where }],
      [
        'mutation ($where: OpsTeamsWhereInput) { it: updateOpsTeams(where: $where, input: {size: 0}) { id } }',
        { where },
      ],
    ]),
  ])('null, and what was not given, is never "every row": %s %j', async (document, variables) => {
    const { body } = await server.ask(document, variables);
    expect(body.errors).toHaveLength(1);
    expect(body.errors?.[0]?.path?.[0]).toBe('it');
    expect(server.rounds).toEqual([]);
  });
});

describe('call', () => {
  test('IN, OUT and INOUT parameters, defaults', async () => {
    expect(await server.data('mutation { callOpsTransfer(from_id: 1, to_id: 2, amount: 4) }')).toEqual({
      callOpsTransfer: '{"moved":4,"note":"ok!"}',
    });
    expect(await rows('select points from ops.people where id < 3 order by id')).toEqual([
      { points: 6 },
      { points: 24 },
    ]);
  });

  test('nothing to answer', async () => {
    expect(await server.data('mutation { callOpsTouch }')).toEqual({ callOpsTouch: '{"result":"OK"}' });
  });

  test('composite and array arguments', async () => {
    await server.data('mutation ($home: OpsAddressInput) { callOpsCollect(home: $home, numbers: [1, 2, 3]) }', {
      home: { street: 'Main' },
    });
    expect(await rows('select line from ops.log')).toEqual([{ line: 'Main:1+2+3' }]);
  });

  test('composite, enum array, bigint and timestamp answers', async () => {
    const { callOpsDescribe } = (await server.data('mutation { callOpsDescribe }')) as { callOpsDescribe: string };
    expect(JSON.parse(callOpsDescribe)).toEqual({
      street: { street: 'Main', zip: '123', floor: 4 },
      moods: ['sunny', 'rain_soon'],
      big: '9007199254740993',
      made: '2024-01-02T03:04:05.678901+00:00',
    });
  });

  test('what it raises is its error', async () => {
    expect(await server.error('mutation { callOpsFail(why: "no") }')).toMatchObject({
      path: ['callOpsFail'],
      extensions: { code: 'P0001' },
    });
  });
});
