import type { RunningServer } from '../support/running-server.js';
import { cheatSheet, graphqlCop, type Check, type Expected, type Probe, type ProbeAnswer } from './support/checks.js';
import { createSecuredProject, type SecuredProject } from './support/secured-project.js';

/**
 * The checks of OWASP's GraphQL cheat sheet and of the tool graphql-cop, on a generated server in
 * production: with its default settings, and hardened by `app.graphql.introspection: false`.
 */
let project: SecuredProject;
let production: RunningServer;
let hardened: RunningServer;

beforeAll(async () => {
  project = await createSecuredProject('owasp');
  production = await project.start();
  hardened = await project.start({ APP_GRAPHQL_INTROSPECTION: 'false' });
});
afterAll(async () => {
  await production.stop();
  await hardened.stop();
  await project.remove();
});

async function send(server: RunningServer, probe: Probe): Promise<ProbeAnswer> {
  const { method = 'POST', path = '/graphql', headers = {}, body } = probe;
  const response = await fetch(`${server.base}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): ProbeAnswer['json'] {
  try {
    return JSON.parse(text) as ProbeAnswer['json'];
  } catch {
    return undefined;
  }
}

async function run(server: RunningServer, check: Check, expected: Expected): Promise<void> {
  const answer = await send(server, check.probe);
  expect(check.vulnerable(answer)).toBe(expected.reported === true);
  expect(answer.status).toBe(expected.status);
  const codes = (answer.json?.errors ?? []).map(({ extensions }) => extensions?.['code']);
  expect([...new Set(codes)]).toEqual(expected.code === undefined ? [] : [expected.code]);
  expect(answer.headers.get('server-timing')).toBeNull();
  expect(answer.headers.get('x-powered-by')).toBeNull();
}

describe.each([
  ['graphql-cop', graphqlCop],
  ['OWASP GraphQL cheat sheet', cheatSheet],
])('%s', (_source, checks) => {
  const table = checks.map((check) => [check.name, check] as const);

  test.each(table)('%s', async (_name, check) => {
    await run(production, check, check.answer);
  });

  test.each(table)('hardened: %s', async (_name, check) => {
    await run(hardened, check, check.hardened ?? check.answer);
  });
});

describe('without introspection no answer gives the schema away', () => {
  const misspelt: readonly (readonly [string, string, unknown])[] = [
    ['a root field', '{ vaultNote { id } }', {}],
    ['a field', '{ vaultNotes { titel } }', {}],
    ['a selection that is missing', '{ vaultNotes }', {}],
    ['an argument', '{ vaultNotes(wher: {}) { id } }', {}],
    ['an input field', '{ vaultNotes(where: {titel: {eq: "x"}}) { id } }', {}],
    ['an enum member', '{ vaultNotes(where: {status: {eq: opne}}) { id } }', {}],
    ['a direction', '{ vaultNotes(orderBy: {id: ASCC}) { id } }', {}],
    ['a type', 'query ($w: VaultNoteWhereInput) { vaultNotes(where: $w) { id } }', {}],
    ['a directive', '{ vaultNotes @includ(if: true) { id } }', {}],
    ['a fragment’s type', '{ ...F } fragment F on VaultNote { id }', {}],
    ['a mutation', 'mutation { updateVaultNote(id: 1) { id } }', {}],
    [
      'an input field in a variable',
      'query ($w: VaultNotesWhereInput) { vaultNotes(where: $w) { id } }',
      { w: { titel: { eq: 'x' } } },
    ],
    [
      'an enum member in a variable',
      'query ($w: VaultNotesWhereInput) { vaultNotes(where: $w) { id } }',
      { w: { status: { eq: 'opne' } } },
    ],
    [
      'a column of a row in a variable',
      'mutation ($row: VaultNotesCreateInput!) { createVaultNotes(input: $row) { id } }',
      { row: { title: 'x', bodyy: 'x' } },
    ],
  ];

  test.each(misspelt)('%s', async (_what, query, variables) => {
    const probe = { body: JSON.stringify({ query, variables }) };
    const open = await send(production, probe);
    const closed = await send(hardened, probe);
    // Both servers refuse the request, and only the server with introspection makes suggestions.
    expect(open.json?.errors).not.toHaveLength(0);
    expect(closed.json?.errors?.length).toBe(open.json?.errors?.length);
    expect(closed.text).not.toMatch(/did you mean/i);
  });

  test('and the suggestions are there otherwise', async () => {
    const answers = await Promise.all(
      misspelt.map(([, query, variables]) => send(production, { body: JSON.stringify({ query, variables }) })),
    );
    expect(answers.filter(({ text }) => /did you mean/i.test(text)).length).toBeGreaterThan(10);
  });
});

test('an error that is repeated is answered once, with its places', async () => {
  const { json } = await send(production, { body: JSON.stringify({ query: `{ __typename ${'@aa'.repeat(10)} }` }) });
  expect(json?.errors).toEqual([
    {
      message: 'Unknown directive "@aa".',
      locations: Array.from({ length: 10 }, (_, at) => ({ line: 1, column: 14 + 3 * at })),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    },
  ]);
});

describe('amounts are limited', () => {
  test('a list is cut to app.max-rows, however many are asked for', async () => {
    const small = await project.start({ APP_MAX_ROWS: '2' });
    try {
      const token = await project.token('ada');
      const answer = await send(small, {
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: '{ vaultNotes(limit: 1000000) { id vaultComments(limit: 1000000) { id } } }' }),
      });
      expect(answer.json?.data?.['vaultNotes']).toHaveLength(2);
    } finally {
      await small.stop();
    }
  });

  test('a body beyond app.limits.body-bytes is 413', async () => {
    const answer = await send(production, {
      body: JSON.stringify({ query: `{__typename} #${'x'.repeat(1_048_576)}` }),
    });
    expect(answer.status).toBe(413);
  });
});

describe('no page for developers in production', () => {
  const paths = ['/', '/graphiql', '/playground', '/altair', '/voyager', '/console', '/graphql', '/graphql/'];
  const assets = ['/graphql/assets/start.js', '/graphql/assets/graphiql.js', '/graphql/assets/react.js'];

  test.each([...paths, ...assets])('%s', async (path) => {
    const answer = await send(production, { method: 'GET', path, headers: { accept: 'text/html,*/*' } });
    // A GET request without a query: 400.
    expect([400, 404, 405]).toContain(answer.status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.text).not.toMatch(/<|react/i);
  });
});

describe('what the database’s own code says is not shown where a setting hides it', () => {
  test('an exception with the row, a host and a password in its text', async () => {
    const hiding = await project.start({ APP_ERRORS_DATABASE_MESSAGES: 'false' });
    const answer = await send(hiding, {
      headers: { authorization: `Bearer ${await project.token('ada')}` },
      body: JSON.stringify({ query: '{ vaultNotes { checksum } }' }),
    });
    await hiding.stop();
    expect(answer.status).toBe(200);
    expect(answer.json?.errors).toEqual([
      {
        message: 'A rule of the database refused the request.',
        locations: [{ line: 1, column: 3 }],
        path: ['vaultNotes'],
        extensions: { code: 'P0001' },
      },
    ]);
  });
});
