import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:net';
import fc from 'fast-check';
import type { RunningServer } from '../support/running-server.js';
import { createSecuredProject, type SecuredProject } from './support/secured-project.js';
import { volume } from '../support/volume.js';

/**
 * No input makes an answer contain SQL, a host, a stack, a connection string, or another user's
 * row, and no input causes a 5xx except those of the contract. Decisions 006 and 008. Requests are
 * raw
 * bytes on the socket, because an HTTP client would correct them.
 */
let project: SecuredProject;
let server: RunningServer;
let ada: string;

/** The default seed always gives the same requests; another seed gives others. */
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 11) });

/** What the policies of vault.sql say. */
const own = { owner: { eq: { claim: 'userId' } } };
const rules = {
  'vault.notes': { read: own },
  'vault.comments': { read: { vaultNoteId: own } },
  'archive.letters': { read: own },
};
const unprotected = ['vault.notes', 'vault.comments', 'archive.letters']
  .map((table) => `alter table ${table} disable row level security;`)
  .join('\n');

async function protectedBy(decidedBy: 'policies' | 'rules'): Promise<SecuredProject> {
  if (decidedBy === 'policies') return createSecuredProject('leaks');
  const vault = await readFile(join(import.meta.dirname, 'support/vault.sql'), 'utf8');
  return createSecuredProject('leaks', { sql: [vault, unprotected], config: { rules } });
}

describe.each(['policies', 'rules'] as const)('%s decide', (decidedBy) => {
  beforeAll(async () => {
    project = await protectedBy(decidedBy);
    // Clients get the messages that the database's author raises, unless this setting hides them:
    // the functions of this database raise secrets.
    server = await project.start({ APP_LOG_LEVEL: 'info', APP_ERRORS_DATABASE_MESSAGES: 'false' });
    ada = `Bearer ${await project.token('ada')}`;
  });
  afterAll(async () => {
    await server.stop();
    await project.remove();
  });

  interface Sent {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
  }

  async function send({ method, path, headers, body }: Sent): Promise<string> {
    const { hostname, port } = new URL(server.base);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const lines = [
      `${method} ${path} HTTP/1.1`,
      ...[`Host: ${hostname}`, 'Connection: close', `Content-Length: ${Buffer.byteLength(body)}`],
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...['', body],
    ];
    socket.write(lines.join('\r\n'));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }

  /**
   * SQL of our builder, PostgreSQL's own messages, and stacks of Node. The tests send none of these
   * texts.
   */
  const innards =
    /json_agg|json_build|row_to_json|set_config|coalesce\(|"vault"\."|from "|\$\d+::|syntax error at|relation "|violates |LINE \d|\n\s+at \S+ |\.js:\d+|node_modules|node:internal|TypeError|ECONN|\/tmp\/|\/work\//;

  /**
   * SQLSTATEs of values that do not fit their column's type, which the contract leaves to the
   * database (decision 006), and of the exception that vault.sql's own function raises.
   */
  const databaseErrors = new Set(['22P02', '22003', '22007', '22008', '22009', '22023', '22001', 'P0001']);

  function expectDiscreet(answer: string, sent: Sent, seesAda: boolean): void {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
    const told = `${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${sent.body}\n${answer}`;
    const complain = (what: string): void => {
      throw new Error(`${what}:\n${told}`);
    };
    if (!(status >= 200 && status < 600)) complain('no HTTP answer');
    if (status >= 500 && !databaseErrors.has(/"code":"(\w+)"/.exec(answer)?.[1] ?? '')) complain('a server error');
    if (innards.test(answer)) complain('innards');
    if (answer.includes('SECRET-bob')) complain('a row of somebody else');
    if (!seesAda && answer.includes('SECRET-ada')) complain('a row of somebody');
    const url = new URL(project.database.url);
    const secrets = [project.password, project.role, url.pathname.slice(1), 'postgres://', 'hunter2', 'db.internal'];
    for (const secret of secrets) if (answer.includes(secret)) complain(`"${secret}"`);
  }

  const piece = fc.constantFrom(
    ...Array.from('().,:*"\\!=&%+-_?/|;\'<>{}[]$#@^~`'),
    ...[
      "'",
      "' or '1'='1",
      '; drop table vault.notes; --',
      '/*',
      '*/',
      '\\0',
      '%00',
      '%27',
      '%22',
      '%C3%28',
      '%ED%A0%80',
    ],
    ...[
      'eq.',
      'not.',
      'in.(',
      'or=(',
      'and(',
      'cs.',
      'fts.',
      'wfts(',
      'match.',
      'jsonpath.',
      'select=',
      'order=',
      'id',
      'owner',
    ],
    ...[
      'title',
      'details',
      'checksum',
      'comments',
      'status',
      'written_at',
      'search',
      'amount',
      'tags',
      '->',
      '->>',
      '::text',
    ],
    ...[
      '::int',
      'limit=',
      '-1',
      '99999999999999999999',
      '1e400',
      'NaN',
      'null',
      'true',
      'bob',
      'ada',
      '\u00e9',
      '\t',
      ' ',
    ],
  );
  const pieces = (most: number): fc.Arbitrary<string> =>
    fc.array(piece, { maxLength: most }).map((all) => all.join(''));

  /** Encodes characters that a request line cannot have, so that requests pass Node's parser. */
  const inUrl = (text: string): string =>
    text.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character)).replaceAll('#', '%23');
  /** One line in Latin-1, as in header values. */
  const inHeader = (text: string): string => text.replace(/[^\x20-\xff]/g, '?');

  const headerName = fc.constantFrom(
    ...[
      'Accept',
      'Accept-Profile',
      'Content-Profile',
      'Prefer',
      'Range',
      'Range-Unit',
      'Content-Type',
      'Content-Encoding',
    ],
    ...[
      'Accept-Encoding',
      'If-None-Match',
      'X-Request-Id',
      'X-HTTP-Method-Override',
      'X-Forwarded-For',
      'X-Forwarded-Host',
    ],
    ...['Origin', 'Cookie', 'Forwarded', 'Access-Control-Request-Headers', 'Access-Control-Request-Method', 'Upgrade'],
  );
  const headerWord = fc.constantFrom(
    ...['application/json', 'text/csv', 'text/html', '*/*', 'application/vnd.pgrst.object+json', 'multipart/form-data'],
    ...[
      'vault',
      'archive',
      'pg_catalog',
      'information_schema',
      'count=exact',
      'count=planned',
      'return=representation',
    ],
    ...['return=headers-only', 'resolution=merge-duplicates', 'missing=default', 'handling=strict', 'max-affected=1'],
    ...['0-1', '5-2', '0-', 'bytes=0-1', 'gzip', 'deflate', 'br', '*', 'W/"x"', ';q=', ', ', 'charset=utf-16', 'POST'],
  );
  const header = fc.tuple(
    headerName,
    fc.array(fc.oneof(headerWord, piece), { maxLength: 4 }).map((all) => inHeader(all.join(''))),
  );
  const profile = fc.constantFrom('vault', 'vault', 'vault', 'archive', 'pg_catalog', '');

  const path = fc.oneof(
    fc
      .tuple(fc.constantFrom('notes', 'comments', 'request', 'letters', 'pg_roles', 'notes/1', 'notes/4'), pieces(6))
      .map(([table, query]) => `/api/v1/${table}?${query}`),
    pieces(4).map((text) => `/api/v1/${text}`),
    pieces(3).map((text) => `/graphql${text}`),
    pieces(4).map((text) => `/${text}`),
  );

  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), pieces(5), fc.integer(), fc.constantFrom(null, [], {}));
  const row = fc.dictionary(
    fc.constantFrom(
      'id',
      'owner',
      'title',
      'body',
      'status',
      'tags',
      'details',
      'amount',
      'written_at',
      'search',
      'x"y',
    ),
    value,
    { maxKeys: 5 },
  );
  const restBody = fc.oneof(
    row.map((each) => JSON.stringify(each)),
    fc.array(row, { maxLength: 3 }).map((all) => JSON.stringify(all)),
    pieces(8),
    fc.json(),
  );
  const document = fc.constantFrom(
    'query ($v: VaultNotesWhereInput) { vaultNotes(where: $v) { id title body checksum } }',
    'query ($v: VaultNotesWhereInput) { vaultNotes(where: $v) { body vaultComments { body } } }',
    'query ($v: [VaultNotesOrderByInput!]) { vaultNotes(orderBy: $v) { body } }',
    'query ($v: String) { vaultNotesConnection(after: $v, first: 1) { nodes { body } } }',
    'query ($v: Int!) { vaultNotesByPk(id: $v) { body checksum } }',
    'mutation ($v: VaultNotesCreateInput!) { createVaultNotes(input: $v) { id body } }',
    'mutation ($v: VaultNotesUpdateInput!) { updateVaultNotes(where: {}, input: $v) { id body } }',
    'mutation ($v: Int) { callVaultTouch(note: $v, affected: $v) }',
  );
  const filter = fc.dictionary(
    fc.constantFrom('id', 'owner', 'title', 'details', 'tags', 'search', 'amount', 'written_at', 'and', 'or', 'not'),
    fc.dictionary(
      fc.constantFrom('eq', 'in', 'like', 'regex', 'contains', 'rawSearch', 'path', 'gt', 'hasAny'),
      value,
      {
        maxKeys: 2,
      },
    ),
    { maxKeys: 3 },
  );
  const graphqlBody = fc.oneof(
    fc.tuple(document, fc.oneof(filter, row, value)).map(([query, v]) => JSON.stringify({ query, variables: { v } })),
    fc.tuple(document, pieces(4)).map(([query, text]) => JSON.stringify({ query: query.replace(/\$v\)/, `${text})`) })),
    pieces(8).map((query) => JSON.stringify({ query: `{ ${query} }` })),
    restBody,
  );

  const whoAsks = fc.constantFrom('ada', 'ada', 'nobody', 'forged');

  /**
   * Everything that a client controls, at random. REST writes are rolled back, and mutations write
   * Ada's own rows.
   */
  const anything = fc.record({
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE', 'PROPFIND'),
    path: path.map(inUrl),
    profile,
    headers: fc.array(header, { maxLength: 4 }),
    body: restBody,
    as: whoAsks,
  });

  function authorization(as: string): readonly (readonly [string, string])[] {
    if (as === 'nobody') return [];
    return [['Authorization', as === 'ada' ? ada : `${ada.slice(0, -4)}AAAA`]];
  }

  async function expectDiscretion(sent: Sent, as: string): Promise<void> {
    expectDiscreet(await send(sent), sent, as === 'ada');
  }

  test('random requests of any method, path, headers and body', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ({ method, path: target, profile: schema, headers, body, as }) => {
        const common = [
          ['Accept-Profile', schema],
          ['Content-Profile', schema],
          ['Prefer', 'tx=rollback'],
          ['Content-Type', 'application/json'],
        ] as const;
        const has = (name: string): boolean => name !== 'Prefer' && headers.some(([given]) => given === name);
        const all = [...authorization(as), ...common.filter(([name]) => !has(name)), ...headers];
        const sent = { method, path: target, headers: all, body: method === 'GET' || method === 'HEAD' ? '' : body };
        await expectDiscretion(sent, as);
      }),
      { numRuns: volume(300, 1_500) },
    );
  });

  test('random documents and variables', async () => {
    await fc.assert(
      fc.asyncProperty(graphqlBody, fc.array(header, { maxLength: 2 }), whoAsks, async (body, headers, as) => {
        const extra = headers.filter(([name]) => !['Content-Type', 'Content-Encoding'].includes(name));
        const all = [...authorization(as), ['Content-Type', 'application/json'] as const, ...extra];
        await expectDiscretion({ method: 'POST', path: '/graphql', headers: all, body }, as);
      }),
      { numRuns: volume(300, 1_500) },
    );
  });

  test('errors of the database, provoked one by one', async () => {
    const post = (query: string): Sent => ({
      method: 'POST',
      path: '/graphql',
      headers: [...authorization('ada'), ['Content-Type', 'application/json']],
      body: JSON.stringify({ query }),
    });
    const rest = (method: string, target: string, body = ''): Sent => ({
      method,
      path: `/api/v1/${target}`,
      headers: [
        ...authorization('ada'),
        ['Accept-Profile', 'vault'],
        ['Content-Profile', 'vault'],
        ['Content-Type', 'application/json'],
      ],
      body,
    });
    const provoked = [
      rest('GET', 'notes?select=checksum'),
      rest('GET', 'notes?status=eq.nonsense'),
      rest('GET', 'notes?search=fts.a%20%26'),
      rest('GET', 'notes?title=match.('),
      // Conflicts with Bob's key and unique columns, a check, a reference to Bob's row, a policy.
      rest('POST', 'notes', '{"id":4,"title":"x"}'),
      rest('POST', 'notes', '{"owner":"bob","title":"bob 1"}'),
      rest('POST', 'notes', '{"title":"x","amount":-1}'),
      rest('POST', 'comments', '{"note_id":4,"body":"x"}'),
      rest('POST', 'notes', '{"owner":"bob","title":"x"}'),
      rest('PATCH', 'notes?id=eq.1', '{"id":4}'),
      post('{ vaultNotes { checksum } }'),
      post('mutation { createVaultNotes(input: {id: 4, title: "x"}) { id body } }'),
      post('mutation { createVaultNotes(input: {title: "x"}, onConflict: {constraint: notes_pkey}) { body } }'),
      post('mutation { updateVaultNotes(id: 4, input: {title: "x"}) { body } }'),
    ];
    for (const sent of provoked) {
      await expectDiscretion(sent, 'ada');
    }
  });

  test('the log has neither the password nor a token', () => {
    const log = server.log();
    expect(log).toContain('"refused"');
    expect(log).not.toContain(project.password);
    expect(log).not.toContain(ada.slice(-40));
    expect(log).not.toMatch(/eyJ[\w-]{20}/);
  });
});
