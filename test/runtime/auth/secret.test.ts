import { createSecretKey } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { authenticators, bearer, createKey, failureOf, handmade, identify, inSeconds, sign } from './support.js';

/** Decision 007: a shared secret exists for those who come from PostgREST or Supabase. */
const secret = 'super-secret-jwt-token-with-at-least-32-characters-long';

const { create, closeAll } = authenticators();
afterEach(closeAll);

const signed = (claims: JWTPayload, alg = 'HS256', by = secret): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(createSecretKey(Buffer.from(by)));

const withSecret = (more = {}): ReturnType<typeof create> => create({ 'app.security.auth.secret': secret, ...more });

test('a token that the secret has signed', async () => {
  const token = await signed({ sub: 'ada', exp: inSeconds(60) });
  expect(await identify(withSecret(), bearer(token))).toMatchObject({ userId: 'ada' });
});

test('the secret need not be ASCII: bytes are counted', async () => {
  const short = 'é'.repeat(15);
  expect(await failureOf(() => create({ 'app.security.auth.secret': short }))).toMatchObject({ code: 'TW018' });
  const enough = 'é'.repeat(16);
  const token = await signed({ sub: 'ada', exp: inSeconds(60) }, 'HS256', enough);
  const authenticator = create({ 'app.security.auth.secret': enough });
  expect(await identify(authenticator, bearer(token))).toMatchObject({ userId: 'ada' });
});

test.each([
  ['31 bytes', 'x'.repeat(31), 'fewer than 32 bytes'],
  ['a PEM key', `-----BEGIN PUBLIC KEY-----\n${'x'.repeat(60)}`, 'not a secret'],
])('%s as the secret does not start, and the error does not show it', async (_name, bad, said) => {
  const error = await failureOf(() => create({ 'app.security.auth.secret': bad }));
  expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining(said) as string });
  expect(`${error.message} ${error.hint}`).not.toContain(bad);
});

test.each(['public-key', 'public-key-file', 'jwks-url'] as const)('never beside %s', async (other) => {
  const given = { 'app.security.auth.secret': secret, [`app.security.auth.${other}`]: 'https://issuer.example' };
  const error = await failureOf(() => create(given));
  expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining('exactly one key source') as string });
});

test.each([
  ['another secret', () => signed({ sub: 'eve', exp: inSeconds(60) }, 'HS256', `${secret}!`)],
  ['HS384', () => signed({ sub: 'eve', exp: inSeconds(60) }, 'HS384')],
  ['HS512', () => signed({ sub: 'eve', exp: inSeconds(60) }, 'HS512', secret.repeat(2))],
  ['no exp', () => signed({ sub: 'eve' })],
  ['an exp in the past', () => signed({ sub: 'eve', exp: inSeconds(-60) })],
  ['alg none', () => Promise.resolve(handmade({ alg: 'none' }, { sub: 'eve', exp: inSeconds(60) }, ''))],
])('401 for %s', async (_name, make) => {
  const token = await make();
  expect(await failureOf(() => identify(withSecret(), bearer(token)))).toMatchObject({ status: 401 });
});

describe('algorithms are not confused (RFC 8725, 2.1)', () => {
  test.each(['RS256', 'ES256', 'EdDSA'])('a secret takes no token of %s', async (alg) => {
    const token = await sign(await createKey(alg));
    expect(await failureOf(() => identify(withSecret(), bearer(token)))).toMatchObject({ status: 401 });
  });

  test('a key pair takes no token of HS256, signed with any text of its public half', async () => {
    const key = await createKey('RS256');
    const authenticator = create({ 'app.security.auth.public-key': key.pem });
    for (const text of [key.pem, key.pem.trim(), `${key.pem.trim()}\n`, JSON.stringify(key.jwk), key.jwk.n ?? '']) {
      const token = await signed({ sub: 'eve', exp: inSeconds(60) }, 'HS256', text);
      expect(await failureOf(() => identify(authenticator, bearer(token)))).toMatchObject({ status: 401 });
    }
  });

  test('issuer and audience are checked as for other keys', async () => {
    const authenticator = withSecret({
      'app.security.auth.issuer': 'supabase',
      'app.security.auth.audience': 'authenticated',
    });
    const good = { sub: 'ada', iss: 'supabase', aud: 'authenticated', exp: inSeconds(60) };
    expect(await identify(authenticator, bearer(await signed(good)))).toMatchObject({ userId: 'ada' });
    for (const bad of [{ iss: 'other' }, { aud: 'other' }]) {
      const token = await signed({ ...good, ...bad });
      expect(await failureOf(() => identify(authenticator, bearer(token)))).toMatchObject({ status: 401 });
    }
  });
});
