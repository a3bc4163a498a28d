import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { post, type GraphqlBody } from '../../support/graphql-server.js';
import { startWriteServer } from '../write/support/server.js';
import { startMutationServer, type MutationServer } from './support/mutations.js';

/**
 * Input numbers with more digits than a JavaScript number has: architecture, "bigint and numeric
 * never go through a JavaScript number".
 */
let server: MutationServer;
let seen: unknown;
beforeAll(async () => {
  server = await startMutationServer({
    extra: 'extend type Mutation { look(at: JSON, n: Numeric): Boolean }',
    resolvers: {
      'Mutation.look': (_root: never, given: unknown) => {
        seen = given;
        return true;
      },
    },
  });
});
afterAll(() => server.stop());

/** `variables` is JSON text, because JSON.stringify would round the number. */
async function ask(query: string, variables: string): Promise<GraphqlBody> {
  const { body } = await post(server.url, `{"query":${JSON.stringify(query)},"variables":${variables}}`);
  expect(body.errors).toBeUndefined();
  return body;
}

const stored = async (email: string) =>
  (
    await server.db.query(
      `select profile::text, raw::text, big::text, cost::text from ops.people where email = '${email}'`,
    )
  )[0];

const number = '12345678901234567890.123456789';
const json = `{"a":[${number},{"b":-9007199254740993}],"c":0.10000000000000000001,"d":1}`;
const spaced = `{"a": [${number}, {"b": -9007199254740993}], "c": 0.10000000000000000001, "d": 1}`;

test('JSON as a variable of its own', async () => {
  const document =
    'mutation ($p: JSON, $r: JSON) { createOpsPeople(input: {email: "v", name: "V", profile: $p, raw: $r}) { id } }';
  await ask(document, `{"p":${json},"r":${json}}`);
  expect(await stored('v')).toMatchObject({ profile: spaced, raw: json });
});

test('JSON, Numeric and BigInt inside a whole input, in a list of them, and inside rows inside', async () => {
  const row = (email: string) =>
    `{"email":"${email}","name":"N","profile":${json},"cost":${number},"big":9007199254740993}`;
  await ask(
    'mutation ($i: OpsPeopleCreateInput!, $l: [OpsPeopleCreateInput!]!, $n: OpsPeopleNestedCreateManyInput) { createOpsPeople(input: $i) { id } createManyOpsPeople(inputs: $l) { id } createOpsTeams(input: {name: "Digits", opsPeople: $n}) { id } }',
    `{"i":${row('i')},"l":[${row('l1')},${row('l2')}],"n":{"data":[${row('n')}]}}`,
  );
  for (const email of ['i', 'l1', 'l2', 'n']) {
    expect(await stored(email)).toMatchObject({ profile: spaced, cost: number, big: '9007199254740993' });
  }
});

test('JSON as a literal, and a variable inside it', async () => {
  await ask(
    `mutation ($b: JSON) { createOpsPeople(input: {email: "w", name: "W", profile: {a: [${number}, {b: $b}], c: 0.10000000000000000001, d: 1}, raw: ${number}, cost: ${number}}) { id } }`,
    '{"b":-9007199254740993}',
  );
  expect(await stored('w')).toMatchObject({ profile: spaced, raw: number, cost: number });
});

test('an update, and filters', async () => {
  await ask(
    'mutation { createOpsPeople(input: {email: "f", name: "F", profile: {x: 9007199254740993}}) { id } }',
    '{}',
  );
  const find =
    'query ($x: JSON) { opsPeople(where: {email: {eq: "f"}, profile: {contains: $x}}) { email } same: opsPeople(where: {profile: {eq: $x}}) { email } }';
  const found = [{ email: 'f' }];
  expect((await ask(find, '{"x":{"x":9007199254740993}}')).data).toEqual({ opsPeople: found, same: found });
  expect((await ask(find, '{"x":{"x":9007199254740992}}')).data).toEqual({ opsPeople: [], same: [] });
  const near = (value: string) =>
    ask(`{ opsPeople(where: {email: {eq: "f"}, profile: {contains: {x: ${value}}}}) { email } }`, '{}');
  expect((await near('9007199254740993')).data).toEqual({ opsPeople: found });
  expect((await near('9007199254740992')).data).toEqual({ opsPeople: [] });
  await ask(
    'mutation ($p: JSON) { updateOpsPeople(where: {email: {eq: "f"}}, input: {profile: $p}) { id } }',
    '{"p":9007199254740995}',
  );
  expect(await stored('f')).toMatchObject({ profile: '9007199254740995' });
});

test('a number keeps the zeros at its end, as a variable and inside JSON', async () => {
  const document =
    'mutation ($c: Numeric, $j: JSON, $b: BigInt) { createOpsPeople(input: {email: "z", name: "Z", cost: $c, raw: $j, big: $b}) { id } }';
  await ask(document, '{"c":1.50,"j":[1.50,-0,{"a":2.0}],"b":3.0}');
  expect(await stored('z')).toMatchObject({ cost: '1.50', raw: '[1.50,-0,{"a":2.0}]', big: '3' });
  const row = '{"email":"z2","name":"Z","cost":10.00,"raw":1.0}';
  await ask('mutation ($i: [OpsPeopleCreateInput!]!) { createManyOpsPeople(inputs: $i) { id } }', `{"i":[${row}]}`);
  expect(await stored('z2')).toMatchObject({ cost: '10.00', raw: '1.0' });
});

test.each(['{"n":"a\\ud800"}', '{"n":"\\udc00\\ud800"}'])('half of a surrogate pair is refused: %s', async (given) => {
  const query = 'mutation ($n: String!) { createOpsPeople(input: {email: "half", name: $n}) { id } }';
  const { status, body } = await post(server.url, `{"query":${JSON.stringify(query)},"variables":${given}}`);
  expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'TW006']);
  expect(await stored('half')).toBeUndefined();
});

test('a whole pair is a character', async () => {
  const query = 'mutation ($n: String!) { createOpsPeople(input: {email: "pair", name: $n}) { name } }';
  expect((await ask(query, '{"n":"\\ud83d\\ude00"}')).data).toEqual({ createOpsPeople: { name: '😀' } });
});

test('a resolver of the user’s own is given plain numbers in JSON', async () => {
  await ask('mutation ($j: JSON, $n: Numeric) { look(at: $j, n: $n) }', `{"j":{"x":9007199254740993},"n":${number}}`);
  expect(seen).toEqual({ at: { x: 9007199254740992 }, n: number });
  await ask('mutation { look(at: {x: 9007199254740993}) }', '{}');
  expect(seen).toEqual({ at: { x: 9007199254740992 } });
});

test('the same as what REST is given', async () => {
  const base = `{"name":"R","profile":${json},"raw":${json},"cost":${number},"big":9007199254740993`;
  const rest = async (body: string) => {
    const other = await startWriteServer(server.db);
    const { status } = await other.send('POST', '/api/v1/people', { 'content-type': 'application/json' }, body);
    await other.stop();
    return status;
  };
  // The second row has a range, whose JSON the server converts.
  expect(await rest(`${base},"email":"r1"}`)).toBe(201);
  expect(await rest(`${base},"email":"r2","slot":{"lower":1,"upper":2}}`)).toBe(201);
  const exact = { profile: spaced, cost: number, big: '9007199254740993' };
  expect(await stored('r1')).toMatchObject({ ...exact, raw: json });
  expect(await stored('r2')).toMatchObject({ ...exact, raw: json });
});

test.each([
  ['few digits', '1'],
  ['many digits', number],
])('JSON that is nested beyond what anyone reads is the client’s to mend, with %s', async (_what, leaf) => {
  const query =
    'mutation ($p: JSON) { createOpsPeople(input: {email: \\"deep\\", name: \\"D\\", profile: $p}) { id } }';
  for (const depth of [20_000, 200_000]) {
    const deep = `${'['.repeat(depth)}${leaf}${']'.repeat(depth)}`;
    const { body } = await post(server.url, `{"query":"${query}","variables":{"p":${deep}}}`);
    expect(['TW006', 'TW004', 'BAD_USER_INPUT']).toContain(body.errors?.[0]?.extensions.code);
  }
  expect(await stored('deep')).toBeUndefined();
});
