import { once } from 'node:events';
import { connect } from 'node:net';
import { createKey, handmade, handSigned, inSeconds, sign, type TestKey } from '../runtime/auth/support.js';
import { loadSql } from '../support/postgres.js';
import type { RunningServer } from '../support/running-server.js';
import { createSecuredProject, type SecuredProject } from './support/secured-project.js';

/**
 * The identity of each request for the database, as the view vault.request shows it, over both
 * protocols of a generated server. All requests use one connection, so session state of one request
 * would be visible to the next. Decision 007.
 */
let project: SecuredProject;
let server: RunningServer;
let stranger: TestKey;
let roles: Readonly<Record<'editor' | 'guest' | 'member' | 'odd', string>>;

beforeAll(async () => {
  stranger = await createKey();
  project = await createSecuredProject('identity');
  const { database, role } = project;
  roles = {
    editor: `${role}_editor`,
    guest: `${role}_guest`,
    member: `${role}_member`,
    odd: `${role}"; reset role; --`,
  };
  for (const name of Object.values(roles)) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    await loadSql(
      database.url,
      `create role ${quoted} nologin; grant ${quoted} to ${role};
       grant usage on schema vault to ${quoted}; grant select on vault.request, vault.notes to ${quoted}`,
    );
  }
  server = await project.start({ APP_DATASOURCE_POOL_SIZE: '1', APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000' });
});
afterAll(async () => {
  await server.stop();
  for (const name of Object.values(roles)) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    await loadSql(project.database.url, `drop owned by ${quoted}; drop role ${quoted}`);
  }
  await project.remove();
});

/** The row of vault.request. */
interface Known {
  readonly role: string;
  readonly user_id: string | null;
  readonly project_id: string | null;
  readonly claims: string | null;
}

interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  readonly challenge: string | null;
  readonly known: Known | undefined;
  readonly text: string;
}

interface RestBody {
  readonly code?: string;
  readonly data?: readonly Known[];
}

interface GraphqlBody {
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  readonly data?: { readonly vaultRequest: readonly Known[] } | null;
}

const protocols = ['rest', 'graphql'] as const;
type Protocol = (typeof protocols)[number];

async function ask(protocol: Protocol, authorization?: string, to = server): Promise<Answered> {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await (protocol === 'rest'
    ? fetch(`${to.base}/api/v1/request`, { headers: { ...headers, 'accept-profile': 'vault' } })
    : fetch(`${to.base}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ vaultRequest { role user_id project_id claims } }' }),
      }));
  const text = await response.text();
  const { status } = response;
  const challenge = response.headers.get('www-authenticate');
  if (protocol === 'rest') {
    const { code, data } = JSON.parse(text) as RestBody;
    return { status, code, challenge, known: data?.[0], text };
  }
  const { errors, data } = JSON.parse(text) as GraphqlBody;
  return { status, code: errors?.[0]?.extensions.code, challenge, known: data?.vaultRequest[0], text };
}

const claimed = async (claims: Record<string, unknown>): Promise<string> => `Bearer ${await sign(project.key, claims)}`;

/** Expects a request without a user, on a new connection and on a used one alike. */
function expectNobody({ status, known }: Answered, role: string): void {
  expect(status).toBe(200);
  expect(known?.role).toBe(role);
  for (const value of [known?.user_id, known?.project_id, known?.claims]) expect(value ?? '').toBe('');
}

describe.each(protocols)('claims over %s', (protocol) => {
  test.each([
    [42, '42'],
    [0, '0'],
    [true, 'true'],
    [false, 'false'],
    ['', ''],
    ['null', 'null'],
    [{ id: 1, tags: ["o'hara"] }, '{"id":1,"tags":["o\'hara"]}'],
    [['ada', 2], '["ada",2]'],
    ["'); drop table vault.notes; --", "'); drop table vault.notes; --"],
    ["ada', true); select set_config('role', 'postgres', true); --", undefined],
    ['$1 %s ${x} \\ \\x00 \u2028 عمر 🙂', undefined],
    [' ada ', ' ada '],
    ['a'.repeat(5000), undefined],
  ])('%j reaches the database as text', async (value, expected) => {
    const { status, known } = await ask(protocol, await claimed({ userId: value, projectId: value }));
    expect(status).toBe(200);
    const text = expected ?? value;
    expect(known).toMatchObject({ role: project.role, user_id: text, project_id: text });
    expect(JSON.parse(known?.claims ?? '')).toMatchObject({ userId: value, projectId: value });
    expectNobody(await ask(protocol), project.role);
  });

  test('sub stands in for userId, and what a token does not say is empty', async () => {
    const { known } = await ask(protocol, await claimed({ sub: 'ada' }));
    expect(known).toMatchObject({ user_id: 'ada', project_id: '' });
  });

  test('a token of nobody in particular is not the user before', async () => {
    await ask(protocol, await claimed({ sub: 'ada', projectId: 'p1' }));
    expect((await ask(protocol, await claimed({ scope: 'x' }))).known).toMatchObject({ user_id: '', project_id: '' });
  });
});

describe.each(protocols)('a token that is not valid is 401 over %s, and never anonymous', (protocol) => {
  const claims = { sub: 'ada' };
  const exp = (): number => inSeconds(60);
  const tokens: readonly (readonly [string, () => string | Promise<string>])[] = [
    ['of another key', () => sign(stranger, claims)],
    ['expired', () => sign(project.key, claims, { exp: inSeconds(-60) })],
    ['without exp', () => sign(project.key, claims, { exp: null })],
    ['not valid yet', () => sign(project.key, { ...claims, nbf: inSeconds(120) })],
    ['unsigned', () => handmade({ alg: 'none' }, { ...claims, exp: exp() }, '')],
    ['unsigned, with a signature', () => handmade({ alg: 'none' }, { ...claims, exp: exp() })],
    ['HS256', () => handmade({ alg: 'HS256' }, { ...claims, exp: exp() })],
    ['with a key of its own', () => sign(stranger, claims, { header: { jwk: stranger.jwk } })],
    ['with jku', () => sign(stranger, claims, { header: { jku: 'http://127.0.0.1:9/jwks' } })],
    ['with x5u', () => sign(stranger, claims, { header: { x5u: 'http://127.0.0.1:9/x5u' } })],
    ['with crit', () => handSigned(project.key, { alg: 'ES256', crit: ['b'], b: 1 }, { ...claims, exp: exp() })],
    ['of 16 KB', () => sign(project.key, { ...claims, note: 'x'.repeat(16_384) })],
    ['of 60 KB', () => sign(project.key, { ...claims, note: 'x'.repeat(45_000) })],
    ['malformed', () => 'a.b.c'],
    ['empty', () => ''],
    ['with a NUL in its user', () => sign(project.key, { sub: 'a\0b' })],
  ];

  test.each(tokens)('%s', async (_name, create) => {
    const answer = await ask(protocol, `Bearer ${await create()}`);
    expect(answer).toMatchObject({ status: 401, known: undefined });
    expect(answer.code).toBe(protocol === 'rest' ? 'TW012' : 'UNAUTHENTICATED');
    expect(answer.challenge).toMatch(/^Bearer error="invalid_token"/);
    expectNobody(await ask(protocol), project.role);
  });

  test.each(['Basic YWRhOnBhc3N3b3Jk', 'Bearer', 'Digest x', 'ada'])('the scheme: %s', async (authorization) => {
    expect((await ask(protocol, authorization)).status).toBe(401);
  });

  test('two Authorization headers, valid ones', async () => {
    const token = await claimed(claims);
    const body = protocol === 'rest' ? '' : '{"query":"{ vaultRequest { role } }"}';
    const { hostname, port } = new URL(server.base);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.end(
      [
        protocol === 'rest' ? 'GET /api/v1/request HTTP/1.1' : 'POST /graphql HTTP/1.1',
        ...[`Host: ${hostname}`, 'Connection: close', 'Accept-Profile: vault'],
        ...[`Authorization: ${token}`, `authorization: ${token}`],
        ...['Content-Type: application/json', `Content-Length: ${body.length}`, '', body],
      ].join('\r\n'),
    );
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('verification off', () => {
  test('the header is not read and no variable is set', async () => {
    const open = await project.start({ APP_SECURITY_JWT_ENABLED: 'false' });
    try {
      for (const protocol of protocols) {
        for (const header of [undefined, 'Bearer nonsense', await claimed({ sub: 'ada' }), 'Basic x']) {
          const { status, known } = await ask(protocol, header, open);
          expect(status).toBe(200);
          expect(known).toEqual({ role: project.role, user_id: null, project_id: null, claims: null });
        }
      }
    } finally {
      await open.stop();
    }
  });
});

describe.each(protocols)('the role switch over %s', (protocol) => {
  let switching: RunningServer;
  beforeAll(async () => {
    switching = await project.start({
      APP_DATASOURCE_POOL_SIZE: '1',
      APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
      APP_SECURITY_ROLE_CLAIM: 'role',
      APP_SECURITY_ALLOWED_ROLES: `${roles.editor},${roles.odd}`,
      APP_SECURITY_DEFAULT_ROLE: roles.member,
      APP_SECURITY_ANONYMOUS_ROLE: roles.guest,
    });
  });
  afterAll(async () => {
    await switching.stop();
  });
  const as = async (role: unknown): Promise<Answered> =>
    ask(protocol, await claimed({ sub: 'ada', ...(role === undefined ? {} : { role }) }), switching);

  test('a role on the list, for this request only', async () => {
    expect((await as(roles.editor)).known).toMatchObject({ role: roles.editor, user_id: 'ada' });
    expectNobody(await ask(protocol, undefined, switching), roles.guest);
    expect((await as(undefined)).known).toMatchObject({ role: roles.member, user_id: 'ada' });
    expectNobody(await ask(protocol, undefined, switching), roles.guest);
  });

  test('a role whose name is SQL is a name', async () => {
    expect((await as(roles.odd)).known?.role).toBe(roles.odd);
    expectNobody(await ask(protocol, undefined, switching), roles.guest);
  });

  test('a claim that is null names none', async () => {
    expect((await as(null)).known?.role).toBe(roles.member);
  });

  const attempts: readonly (readonly [string, () => unknown])[] = [
    ['the superuser', () => 'postgres'],
    ['the connecting role', () => project.role],
    ['the default role', () => roles.member],
    ['the anonymous role', () => roles.guest],
    ['upper case', () => roles.editor.toUpperCase()],
    ['in quotes', () => `"${roles.editor}"`],
    ['in single quotes', () => `'${roles.editor}'`],
    ['a space before', () => ` ${roles.editor}`],
    ['a new line after', () => `${roles.editor}\n`],
    ['a letter that looks the same', () => roles.editor.replace('e', 'е')],
    ['two of a list', () => `${roles.editor},${roles.odd}`],
    ['SQL after it', () => `${roles.editor}; reset role`],
    ['none', () => 'none'],
    ['default', () => 'default'],
    ['session_user', () => 'session_user'],
    ['empty', () => ''],
    ['a list', () => [roles.editor]],
    ['an object', () => ({ role: roles.editor })],
    ['a number', () => 10],
    ['true', () => true],
    ['__proto__', () => '__proto__'],
  ];

  test.each(attempts)('%s is 403', async (_name, role) => {
    const answer = await as(role());
    expect(answer).toMatchObject({ status: 403, code: 'TW016', known: undefined });
    expect(answer.text).not.toContain(project.role);
    expectNobody(await ask(protocol, undefined, switching), roles.guest);
  });

  test('a privilege that the role has not is 403, although the connecting role has it', async () => {
    const headers = {
      authorization: await claimed({ sub: 'ada', role: roles.editor }),
      'content-type': 'application/json',
      'content-profile': 'vault',
    };
    const body = JSON.stringify(
      protocol === 'rest' ? { title: 'x' } : { query: 'mutation { createVaultNotes(input: {title: "x"}) { id } }' },
    );
    const path = protocol === 'rest' ? '/api/v1/notes' : '/graphql';
    const response = await fetch(`${switching.base}${path}`, { method: 'POST', headers, body });
    expect(response.status).toBe(protocol === 'rest' ? 403 : 200);
    expect(await response.text()).toContain(protocol === 'rest' ? '"code":"42501"' : '"code":"FORBIDDEN"');
  });
});
