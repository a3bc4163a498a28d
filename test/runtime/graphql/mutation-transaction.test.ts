import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { startMutationServer, type MutationServer } from './support/mutations.js';
import { until } from '../../support/until.js';

let server: MutationServer;
/** Resolves once the given number of documents have reached the field `meet`. */
let meeting: { readonly come: () => Promise<boolean> };

beforeEach(async () => {
  meeting = meetingOf(2);
  server = await startMutationServer({
    extra: 'extend type Mutation { meet: Boolean! }',
    resolvers: { 'Mutation.meet': () => meeting.come() },
  });
});
afterEach(() => server.stop());

function meetingOf(size: number): typeof meeting {
  let missing = size;
  let begin: (value: boolean) => void = () => undefined;
  const all = new Promise<boolean>((resolve) => (begin = resolve));
  return {
    come: () => {
      missing -= 1;
      if (missing === 0) begin(true);
      return all;
    },
  };
}

const rows = (sql: string) => server.db.query(sql);

test('two updates of one row: the second sees the first', async () => {
  const document = `mutation {
    a: updateOpsTeams(id: 1, input: {size: 5}) { size }
    b: updateOpsTeams(id: 1, input: {}, inc: {size: 2}) { size }
  }`;
  expect(await server.data(document)).toEqual({ a: [{ size: 5 }], b: [{ size: 7 }] });
  expect(await rows('select size from ops.teams where id = 1')).toEqual([{ size: 7 }]);
});

test('a key is deleted, then inserted again', async () => {
  const document = `mutation {
    __typename
    deleteOpsPrices(where: {product: {eq: "tea"}, region: {eq: "eu"}}) { price }
    createOpsPrices(input: {product: "tea", region: "eu", price: 5}) { price note }
  }`;
  const { text } = await server.ask(document);
  expect(text).toBe(
    '{"data":{"__typename":"Mutation","deleteOpsPrices":[{"price":3.50}],"createOpsPrices":{"price":5,"note":"none"}}}',
  );
});

test('what a field inserted, the next one reads: relations see the own writes of the document', async () => {
  const document = `mutation {
    createOpsTeams(input: {name: "Green"}) { id opsPeople { name } }
    createOpsPeople(input: {team_id: 3, email: "k", name: "Kim"}) { opsTeamId { name opsPeople { name } opsPeopleAggregate { count } } }
    updateOpsTeams(id: 3, input: {size: 9}) { size opsPeople { name } }
  }`;
  expect(await server.data(document)).toEqual({
    createOpsTeams: { id: 3, opsPeople: [] },
    createOpsPeople: { opsTeamId: { name: 'Green', opsPeople: [{ name: 'Kim' }], opsPeopleAggregate: { count: 1 } } },
    updateOpsTeams: [{ size: 9, opsPeople: [{ name: 'Kim' }] }],
  });
});

test('the last of three fails: nothing is kept, data is null, and the field is named', async () => {
  const error = await server.error(`mutation {
    createOpsTeams(input: {name: "Green"}) { id }
    updateOpsTeams(where: {}, input: {size: 0}) { id }
    third: createOpsTeams(input: {name: "Red"}) { id }
  }`);
  expect(error).toMatchObject({ path: ['third'], locations: [{ line: 4, column: 5 }], extensions: { code: '23505' } });
  expect(await rows('select name, size from ops.teams order by id')).toEqual([
    { name: 'Red', size: 2 },
    { name: 'Blue', size: 3 },
  ]);
});

test('a procedure in the middle sees what was before it, and is undone with the rest', async () => {
  const transfer = `
    updateOpsPeople(id: 1, input: {points: 100}) { points }
    callOpsTransfer(from_id: 1, to_id: 2, amount: 60)
    after: updateOpsPeople(where: {id: {in: [1, 2]}}, input: {note: "n"}) { points }`;
  await server.error(`mutation { ${transfer} createOpsTeams(input: {name: "Red"}) { id } }`);
  expect(await rows('select points from ops.people where id < 3 order by id')).toEqual([
    { points: 10 },
    { points: 20 },
  ]);
  expect(await server.data(`mutation { ${transfer} }`)).toEqual({
    updateOpsPeople: [{ points: 100 }],
    callOpsTransfer: '{"moved":60,"note":"ok!"}',
    after: [{ points: 40 }, { points: 80 }],
  });
});

test('aliases, fragments and directives', async () => {
  const document = `mutation ($skip: Boolean!) { ...both }
    fragment both on Mutation {
      a: createOpsTeams(input: {name: "A"}) { ...team }
      b: createOpsTeams(input: {name: "B"}) @skip(if: $skip) { ...team }
    }
    fragment team on OpsTeams { title: name }`;
  expect(await server.data(document, { skip: true })).toEqual({ a: { title: 'A' } });
  expect(await server.data(document.replace('"A"', '"C"'), { skip: false })).toEqual({
    a: { title: 'C' },
    b: { title: 'B' },
  });
});

test('rows of the same columns are planned once, however many there are', async () => {
  const document = 'mutation ($inputs: [OpsTeamsCreateInput!]!) { createManyOpsTeams(inputs: $inputs) { id } }';
  const inputs = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ name: `t${from + at}`, size: at }));
  await server.data(document, { inputs: inputs(0, 2) });
  await server.data(document, { inputs: inputs(2, 500) });
  const [first, second, ...more] = server.rounds.map((round) => round.map(({ text }) => text));
  expect(more).toEqual([]);
  expect(second).toEqual(first);
  expect(await rows('select 1 from ops.teams')).toHaveLength(502);
});

test('rows of different columns are one statement, however many there are', async () => {
  const document = 'mutation ($inputs: [OpsTeamsCreateInput!]!) { createManyOpsTeams(inputs: $inputs) { id } }';
  const inputs = Array.from({ length: 500 }, (_, at) => ({ name: `u${at}`, ...(at % 2 === 0 ? {} : { size: at }) }));
  await server.data(document, { inputs });
  expect(server.rounds.map((round) => round.length)).toEqual([1]);
  expect(await rows("select name from ops.teams where name like 'u%' order by id")).toEqual(
    inputs.map(({ name }) => ({ name })),
  );
});

test('opposite orders: one is kept, the other is told of the deadlock', async () => {
  const crossing = (first: number, second: number) =>
    server.ask(`mutation {
      first: updateOpsTeams(id: ${first}, input: {size: ${first}0}) { id }
      meet
      second: updateOpsTeams(id: ${second}, input: {size: ${first}0}) { id }
    }`);
  const answers = await Promise.all([crossing(1, 2), crossing(2, 1)]);
  const lost = answers.filter(({ body }) => body.errors !== undefined);
  expect(lost).toHaveLength(1);
  expect(lost[0]?.status).toBe(200);
  expect(lost[0]?.headers.get('retry-after')).toBe('1');
  expect(lost[0]?.body).toMatchObject({ data: null, errors: [{ path: ['second'], extensions: { code: '40P01' } }] });
  const sizes = await rows('select distinct size from ops.teams');
  expect(sizes).toHaveLength(1);
});

test('a deadlock with another client of the database ends, too', async () => {
  const client = new pg.Client({ connectionString: server.db.url });
  await client.connect();
  try {
    await client.query('begin; update ops.teams set size = 0 where id = 2');
    const ours = server.ask(
      'mutation { a: updateOpsTeams(id: 1, input: {size: 7}) { id } b: updateOpsTeams(id: 2, input: {size: 7}) { id } }',
    );
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await until(async () => (await rows(waiting)).length > 0);
    const theirs = await client.query('update ops.teams set size = 0 where id = 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    await client.query('rollback');
    const { body } = await ours;
    const codes = [body.errors?.[0]?.extensions.code, (theirs as { code?: string } | undefined)?.code];
    expect(codes.filter((code) => code === '40P01')).toHaveLength(1);
    if (body.errors !== undefined) expect(body).toMatchObject({ data: null, errors: [{ path: ['b'] }] });
  } finally {
    await client.end();
  }
});
