import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ServerError, codes } from '../../../runtime/src/errors.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { driverOf } from '../write/support/server.js';
import { startMutationServer, type MutationServer } from './support/mutations.js';

let server: MutationServer;
/** When set, the connection to the database is lost in the middle of the next write. */
let lose = false;
let attempts = 0;

beforeAll(async () => {
  server = await startMutationServer({ driver: losing });
});
afterAll(() => server.stop());

function losing(url: string): Driver {
  const driver = driverOf(url);
  return {
    ...driver,
    run: (...given) => {
      if (!lose) return driver.run(...given);
      attempts += 1;
      return Promise.reject(
        new ServerError(503, codes.unavailable, 'The outcome is unknown.', { headers: { 'retry-after': '1' } }),
      );
    },
  };
}

describe('what the database refuses', () => {
  test.each([
    ['unique', 'createOpsTeams(input: {name: "Red"}) { id }', '23505', ['teams_name_key', '"name"']],
    ['primary key', 'createOpsTeams(input: {id: 1, name: "s3cret"}) { id }', '23505', ['teams_pkey', '"id"']],
    [
      'foreign key',
      'createOpsPeople(input: {team_id: 77777, email: "s3cret", name: "x"}) { id }',
      '23503',
      ['people_team_id_fkey', '"team_id"'],
    ],
    ['referred to', 'deleteOpsTeams(id: 1) { id }', '23503', ['people_team_id_fkey']],
    [
      'check',
      'createOpsTasks(input: {person_id: 1, title: "s3cret", points: -1}) { id }',
      '23514',
      ['tasks_points_check'],
    ],
    ['not null', 'updateOpsTeams(id: 1, input: {name: null}) { id }', '23502', ['"name"']],
    [
      'exclusion',
      'createOpsBookings(input: {id: 2, during: {lower: 2, upper: 3}}) { id }',
      '23P01',
      ['bookings_during_excl'],
    ],
    ['domain', 'updateOpsPeople(id: 1, input: {share: 7777}) { id }', '23514', ['percent_check']],
    ['too long', 'updateOpsPeople(id: 1, input: {note: "s3cret s3cret s3cret s3cret"}) { id }', '22001', []],
    ['not a date', 'updateOpsPeople(id: 1, input: {due: "s3cret"}) { id }', '22007', []],
  ])('%s: names the constraint and the columns, never the values', async (_what, field, code, names) => {
    const { text, body } = await server.ask(`mutation { it: ${field} }`);
    expect(body).toMatchObject({ data: null, errors: [{ path: ['it'], extensions: { code } }] });
    for (const name of names) expect(body.errors?.[0]?.extensions.details).toContain(name);
    expect(text).not.toMatch(/s3cret|77777|7777|insert into|Key \(/);
  });

  test('an enum takes its members alone, and an integer what fits', async () => {
    for (const input of ['mood: foggy', 'points: 3000000000']) {
      const { body } = await server.ask(`mutation { updateOpsPeople(id: 1, input: {${input}}) { id } }`);
      expect(body.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });

  test('a zero byte, a composite without such an attribute: the column is named', async () => {
    const { body } = await server.ask('mutation ($n: String) { updateOpsPeople(id: 1, input: {note: $n}) { id } }', {
      n: 'a\0b',
    });
    expect(body.errors).toMatchObject([{ path: ['updateOpsPeople'], extensions: { code: 'TW006' } }]);
    expect(body.errors?.[0]?.message).toContain('"note"');
  });
});

describe('what a policy rejects is FORBIDDEN', () => {
  const ada = { 'x-test-user': 'ada' };

  test.each([
    ['create', 'createOpsNotes(input: {id: 10, owner: "grace", body: "b"}) { id }'],
    [
      'createMany',
      'createManyOpsNotes(inputs: [{id: 10, owner: "ada", body: "b"}, {id: 11, owner: "grace", body: "b"}]) { id }',
    ],
    [
      'upsert, its insert',
      'createOpsNotes(input: {id: 12, owner: "grace", body: "b"}, onConflict: {constraint: notes_pkey}) { id }',
    ],
    [
      'upsert, its update (USING)',
      'createOpsNotes(input: {id: 2, owner: "ada", body: "b"}, onConflict: {constraint: notes_pkey}) { id }',
    ],
    [
      'upsert, its update (CHECK)',
      'createOpsNotes(input: {id: 3, owner: "ada", body: "b"}, onConflict: {constraint: notes_pkey, updateColumns: [body]}) { id }',
    ],
    ['update (CHECK)', 'updateOpsNotes(id: 1, input: {owner: "grace"}) { id }'],
    ['a missing right', 'createOpsInbox(input: {body: "b"}) { id body }'],
  ])('%s', async (_what, field) => {
    const before = await server.db.query('select * from ops.notes order by id');
    const error = await server.error(`mutation { it: ${field} }`, {}, ada);
    expect(error).toMatchObject({ path: ['it'], extensions: { code: 'FORBIDDEN' } });
    expect(await server.db.query('select * from ops.notes order by id')).toEqual(before);
  });

  test('update and delete do not see rows of others (USING)', async () => {
    const document = `mutation {
      updateOpsNotes(where: {id: {in: [2]}}, input: {body: "x"}) { id }
      deleteOpsNotes(where: {}) { id }
    }`;
    expect(await server.data(document, {}, { 'x-test-user': 'nobody' })).toEqual({
      updateOpsNotes: [],
      deleteOpsNotes: [],
    });
  });

  test('every field of a document has the same user', async () => {
    const document = `mutation {
      a: createOpsNotes(input: {id: 20, owner: "ada", body: "b"}) { id }
      b: updateOpsNotes(id: 20, input: {body: "c"}) { body }
      c: deleteOpsNotes(id: 20) { body }
    }`;
    expect(await server.data(document, {}, ada)).toEqual({ a: { id: 20 }, b: [{ body: 'c' }], c: [{ body: 'c' }] });
  });
});

test('a connection that is lost midway: 503, the outcome is unknown, and nothing is tried again', async () => {
  lose = true;
  attempts = 0;
  const { status, headers, body } = await server.ask('mutation { createOpsTeams(input: {name: "Lost"}) { id } }');
  lose = false;
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('1');
  expect(body).toMatchObject({
    data: null,
    errors: [{ message: 'The outcome is unknown.', path: ['createOpsTeams'] }],
  });
  expect(attempts).toBe(1);
});
