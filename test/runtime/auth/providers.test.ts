import { createSecretKey } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import {
  authenticators,
  bearer,
  createJwksEndpoint,
  createKey,
  failureOf,
  identify,
  inSeconds,
  sign,
  type JwksEndpoint,
} from './support.js';

/**
 * The recipes of docs/identity.md: settings for each provider, and a token of the shape that it
 * issues.
 */
const { create, closeAll } = authenticators();
let endpoint: JwksEndpoint | undefined;
afterEach(async () => {
  closeAll();
  await endpoint?.stop();
  endpoint = undefined;
});

const roles = { 'app.security.allowed-roles': ['editor', 'viewer'], 'app.security.default-role': 'member' };

interface Provider {
  readonly name: string;
  readonly alg: string;
  readonly settings: Partial<Settings>;
  readonly claims: JWTPayload;
  /** The user, and the role that follows from the claims. */
  readonly expected: { readonly userId: string; readonly role: string };
  /** A token of the same issuer for something else. */
  readonly other: Readonly<Record<string, unknown>>;
}

/** Times that every provider writes. */
const times = (): JWTPayload => ({ iat: inSeconds(-5), exp: inSeconds(3600) });

const providers: readonly Provider[] = [
  {
    // https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles
    name: 'Auth0',
    alg: 'RS256',
    settings: {
      'app.security.auth.issuer': 'https://example.eu.auth0.com/',
      'app.security.auth.audience': 'https://api.example.com',
      'app.security.role-claim': 'https://example.com/role',
    },
    claims: {
      iss: 'https://example.eu.auth0.com/',
      sub: 'auth0|507f1f77bcf86cd799439020',
      aud: ['https://api.example.com', 'https://example.eu.auth0.com/userinfo'],
      azp: 'my_client_id',
      scope: 'openid profile read:issues',
      'https://example.com/role': 'editor',
    },
    expected: { userId: 'auth0|507f1f77bcf86cd799439020', role: 'editor' },
    other: { aud: 'https://other.example.com' },
  },
  {
    // https://clerk.com/docs/backend-requests/resources/session-tokens
    name: 'Clerk',
    alg: 'RS256',
    settings: {
      'app.security.auth.issuer': 'https://clean-mayfly-62.clerk.accounts.dev',
      'app.security.role-claim': 'role',
    },
    claims: {
      azp: 'https://example.com',
      fva: [2, -1],
      iss: 'https://clean-mayfly-62.clerk.accounts.dev',
      sid: 'sess_123',
      sub: 'user_123',
      sts: 'active',
      v: 2,
      o: { id: 'org_123', slg: 'org-slug', rol: 'admin', per: 'read', fpm: '3' },
      role: 'viewer',
    },
    expected: { userId: 'user_123', role: 'viewer' },
    other: { iss: 'https://other.clerk.accounts.dev' },
  },
  {
    // https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers
    name: 'Keycloak',
    alg: 'RS256',
    settings: {
      'app.security.auth.issuer': 'https://keycloak.example.com/realms/shop',
      'app.security.auth.audience': 'shop-api',
      'app.security.role-claim': '.realm_access.roles[*]',
    },
    claims: {
      iss: 'https://keycloak.example.com/realms/shop',
      aud: ['shop-api', 'account'],
      sub: 'f:1f2e:0b1c5d1e-6a0f-4a51-8a4f-1d8d0a1f3b7a',
      typ: 'Bearer',
      azp: 'shop-web',
      sid: '5f2a',
      acr: '1',
      realm_access: { roles: ['offline_access', 'default-roles-shop', 'uma_authorization', 'editor'] },
      resource_access: { account: { roles: ['manage-account'] } },
      scope: 'openid email profile',
      preferred_username: 'ada',
    },
    expected: { userId: 'f:1f2e:0b1c5d1e-6a0f-4a51-8a4f-1d8d0a1f3b7a', role: 'editor' },
    other: { aud: 'account' },
  },
  {
    // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
    name: 'Cognito',
    alg: 'RS256',
    settings: {
      'app.security.auth.issuer': 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_example',
      'app.security.auth.audience': 'xxxxxxxxxxxxexample',
      'app.security.role-claim': '."cognito:groups"[*]',
    },
    claims: {
      sub: 'aaaaaaaa-bbbb-cccc-dddd-example',
      'cognito:groups': ['viewer', 'test-group-b'],
      email_verified: true,
      iss: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_example',
      'cognito:username': 'my-test-user',
      aud: 'xxxxxxxxxxxxexample',
      event_id: '64f513be-32db-42b0-b78e-b02127b4f463',
      token_use: 'id',
      auth_time: inSeconds(-10),
    },
    expected: { userId: 'aaaaaaaa-bbbb-cccc-dddd-example', role: 'viewer' },
    other: { aud: undefined, client_id: 'xxxxxxxxxxxxexample', token_use: 'access' },
  },
  {
    // https://supabase.com/docs/guides/auth/jwt-fields
    name: 'Supabase Auth',
    alg: 'ES256',
    settings: {
      'app.security.auth.issuer': 'https://abcdefghijklmnop.supabase.co/auth/v1',
      'app.security.auth.audience': 'authenticated',
      'app.security.role-claim': 'role',
      'app.security.allowed-roles': ['authenticated'],
    },
    claims: {
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: inSeconds(-10) }],
      app_metadata: { provider: 'email', providers: ['email'] },
      aud: 'authenticated',
      email: 'ada@example.com',
      is_anonymous: false,
      iss: 'https://abcdefghijklmnop.supabase.co/auth/v1',
      phone: '',
      role: 'authenticated',
      session_id: '123e4567-e89b-12d3-a456-426614174000',
      sub: '123e4567-e89b-12d3-a456-426614174001',
      user_metadata: { name: 'Ada' },
    },
    expected: { userId: '123e4567-e89b-12d3-a456-426614174001', role: 'authenticated' },
    other: { aud: 'anon' },
  },
  {
    // https://www.better-auth.com/docs/plugins/jwt
    name: 'Better Auth',
    alg: 'EdDSA',
    settings: {
      'app.security.auth.issuer': 'http://localhost:3000',
      'app.security.auth.audience': 'http://localhost:3000',
      'app.security.role-claim': 'role',
    },
    claims: {
      id: 'kqPZ6Nf0Yb2',
      name: 'Ada',
      email: 'ada@example.com',
      emailVerified: true,
      role: 'editor',
      sub: 'kqPZ6Nf0Yb2',
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000',
    },
    expected: { userId: 'kqPZ6Nf0Yb2', role: 'editor' },
    other: { aud: 'http://localhost:4000' },
  },
];

describe.each(providers)('$name', ({ alg, settings, claims, expected, other }) => {
  test('its key set, its claims and its role', async () => {
    const key = await createKey(alg, 'kid-1');
    endpoint = await createJwksEndpoint([key.jwk]);
    const authenticator = create({ 'app.security.auth.jwks-url': endpoint.url, ...roles, ...settings });
    const identity = await identify(authenticator, bearer(await sign(key, { ...times(), ...claims })));
    expect(identity).toMatchObject(expected);
    expect(JSON.parse(identity.claims ?? '')).toMatchObject(JSON.parse(JSON.stringify(claims)) as object);
  });

  test('a token of the issuer for something else, and one of another key, are 401', async () => {
    const key = await createKey(alg, 'kid-1');
    endpoint = await createJwksEndpoint([key.jwk]);
    const authenticator = create({ 'app.security.auth.jwks-url': endpoint.url, ...roles, ...settings });
    const elsewhere = await sign(key, JSON.parse(JSON.stringify({ ...times(), ...claims, ...other })) as JWTPayload);
    const forged = await sign(await createKey(alg, 'kid-1'), { ...times(), ...claims });
    for (const token of [elsewhere, forged])
      expect(await failureOf(() => identify(authenticator, bearer(token)))).toMatchObject({ status: 401 });
  });
});

test('Supabase with the secret of the project: users, and the key that is a token itself', async () => {
  const secret = 'super-secret-jwt-token-with-at-least-32-characters-long';
  const authenticator = create({
    'app.security.auth.secret': secret,
    'app.security.role-claim': 'role',
    'app.security.allowed-roles': ['anon', 'authenticated'],
  });
  const signed = (claims: JWTPayload): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(createSecretKey(Buffer.from(secret)));
  const user = await signed({ sub: 'u-1', role: 'authenticated', aud: 'authenticated', ...times() });
  const anon = await signed({ iss: 'supabase', ref: 'abcdefghijklmnop', role: 'anon', ...times() });
  const service = await signed({ iss: 'supabase', ref: 'abcdefghijklmnop', role: 'service_role', ...times() });
  expect(await identify(authenticator, bearer(user))).toMatchObject({ userId: 'u-1', role: 'authenticated' });
  expect(await identify(authenticator, bearer(anon))).toMatchObject({ role: 'anon' });
  expect(await failureOf(() => identify(authenticator, bearer(service)))).toMatchObject({ status: 403 });
});

describe('the path of the role', () => {
  const { 'app.security.allowed-roles': allowed } = roles;
  const roleOf = async (claim: string, claims: JWTPayload): Promise<unknown> => {
    const key = await createKey();
    const given = { ...roles, 'app.security.allowed-roles': allowed, 'app.security.role-claim': claim };
    const authenticator = create({ 'app.security.auth.public-key': key.pem, ...given });
    try {
      return (await identify(authenticator, bearer(await sign(key, claims)))).role;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };

  // The first three are examples of PostgREST's documentation of jwt-role-claim-key.
  test.each<[string, JWTPayload, unknown]>([
    ['.postgrest.roles[1]', { postgrest: { roles: ['other', 'editor'] } }, 'editor'],
    ['."https://www.example.com/role".key', { 'https://www.example.com/role': { key: 'editor' } }, 'editor'],
    ['$.role', { role: 'viewer' }, 'viewer'],
    ['.app_metadata.role', { app_metadata: { role: 'viewer' } }, 'viewer'],
    ['.app_metadata.role', { app_metadata: { role: 'postgres' } }, 403],
    ['.app_metadata.role', { app_metadata: 'viewer' }, 'member'],
    ['.app_metadata.role', {}, 'member'],
    ['.constructor.name', {}, 'member'],
    ['.roles', { roles: ['editor'] }, 403],
    ['.roles[*]', { roles: ['viewer', 'editor'] }, 'editor'],
    ['.roles[*]', { roles: ['postgres'] }, 'member'],
    ['.roles[*]', { roles: [['editor']] }, 'member'],
    ['.roles[*]', { roles: 'viewer' }, 'viewer'],
    ['.roles[*]', { roles: 'postgres' }, 403],
    ['a.b', { 'a.b': 'editor', a: { b: 'viewer' } }, 'editor'],
  ])('%s in %j is %j', async (claim, claims, role) => {
    expect(await roleOf(claim, claims)).toBe(role);
  });

  test.each(['.', '..a', '.a[', '.a[x]', '.a b', '."a', '.a[*].b'])('%s does not start', async (claim) => {
    const key = await createKey();
    const given = { 'app.security.auth.public-key': key.pem, 'app.security.role-claim': claim };
    expect(await failureOf(() => create(given))).toMatchObject({ code: 'TW018' });
  });
});
