import {
  authenticators,
  bearer,
  createJwksEndpoint,
  createKey,
  failureOf,
  identify,
  recorder,
  sign,
  until,
  type JwksEndpoint,
  type TestKey,
} from './support.js';
import type { KeySourceTimes } from '../../../templates/runtime/auth/key-source.js';

const { create, closeAll } = authenticators();
let first: TestKey;
let second: TestKey;
let endpoint: JwksEndpoint;

beforeAll(async () => {
  first = await createKey('ES256', 'first');
  second = await createKey('RS256', 'second');
});
beforeEach(async () => {
  endpoint = await createJwksEndpoint([first.jwk]);
});
afterEach(async () => {
  closeAll();
  await endpoint.stop();
});

const { observe, seen } = recorder();
const withJwks = (times: KeySourceTimes = {}): ReturnType<typeof create> =>
  create({ 'app.security.auth.jwks-url': endpoint.url }, { observe, times });

describe('keys of a JWKS endpoint', () => {
  it('verify, and are fetched once', async () => {
    const authenticator = withJwks();
    for (const sub of ['ada', 'bob', 'eve']) {
      await expect(identify(authenticator, bearer(await sign(first, { sub })))).resolves.toMatchObject({ userId: sub });
    }
    expect(endpoint.requests()).toBe(1);
  });

  it('a first wave of requests shares one fetch', async () => {
    const authenticator = withJwks();
    const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((sub) => sign(first, { sub })));
    await Promise.all(tokens.map((token) => identify(authenticator, bearer(token))));
    expect(endpoint.requests()).toBe(1);
  });

  it('a token without kid is tried with every key that could be meant', async () => {
    const twin = await createKey('ES256', 'twin');
    endpoint.serve([twin.jwk, first.jwk, second.jwk]);
    const authenticator = withJwks();
    const anonymousKey = { header: { kid: undefined } };
    await expect(
      identify(authenticator, bearer(await sign(first, { sub: 'ada' }, anonymousKey))),
    ).resolves.toMatchObject({
      userId: 'ada',
    });
    const stranger = await sign(await createKey('ES256'), { sub: 'eve' }, anonymousKey);
    expect(await failureOf(() => identify(authenticator, bearer(stranger)))).toMatchObject({ status: 401 });
  });

  it('a symmetric key in the set is never used', async () => {
    const secret = Buffer.from('0123456789abcdef0123456789abcdef');
    endpoint.serve([{ kty: 'oct', kid: 'shared', alg: 'HS256', k: secret.toString('base64url') }]);
    const { SignJWT } = await import('jose');
    const token = await new SignJWT({ sub: 'eve', exp: 4e9 })
      .setProtectedHeader({ alg: 'HS256', kid: 'shared' })
      .sign(secret);
    expect(await failureOf(() => identify(withJwks(), bearer(token)))).toMatchObject({ status: 401 });
  });
});

describe('what a key of the set is for', () => {
  it('a key for encryption verifies nothing', async () => {
    endpoint.serve([{ ...first.jwk, use: 'enc' }]);
    const token = await sign(first);
    expect(await failureOf(() => identify(withJwks(), bearer(token)))).toMatchObject({ status: 401 });
  });

  it('a key that names its algorithm verifies no other one of its kind', async () => {
    endpoint.serve([{ ...second.jwk, alg: 'PS256' }]);
    const token = await sign(second);
    expect(await failureOf(() => identify(withJwks(), bearer(token)))).toMatchObject({ status: 401 });
  });

  it('the kid of one key does not make the token of another valid', async () => {
    endpoint.serve([first.jwk, second.jwk]);
    const token = await sign(first, { sub: 'eve' }, { header: { kid: second.kid } });
    expect(await failureOf(() => identify(withJwks(), bearer(token)))).toMatchObject({ status: 401 });
  });
});

describe('rotation', () => {
  it('an unknown kid fetches again, at once', async () => {
    const authenticator = withJwks();
    await identify(authenticator, bearer(await sign(first)));
    endpoint.serve([first.jwk, second.jwk]);
    await expect(identify(authenticator, bearer(await sign(second)))).resolves.toMatchObject({ userId: 'ada' });
    expect(endpoint.requests()).toBe(2);
  });

  it('unknown kids fetch once per cooldown, and are 401', async () => {
    const authenticator = withJwks();
    await identify(authenticator, bearer(await sign(first)));
    for (let at = 0; at < 20; at += 1) {
      const token = await sign(first, { sub: 'ada' }, { header: { kid: `unknown${at}` } });
      const error = await failureOf(() => identify(authenticator, bearer(token)));
      expect(error).toMatchObject({ status: 401, message: 'The token is signed with an unknown key.' });
    }
    expect(endpoint.requests()).toBe(2);
  });

  it('after the cooldown an unknown kid fetches again', async () => {
    const authenticator = withJwks({ cooldownMs: 1 });
    await identify(authenticator, bearer(await sign(first)));
    const token = bearer(await sign(second));
    await failureOf(() => identify(authenticator, token));
    endpoint.serve([second.jwk]);
    await until(() =>
      identify(authenticator, token).then(
        () => true,
        () => false,
      ),
    );
  });

  it('a withdrawn key is noticed without an unknown kid; its tokens stop, cached ones too', async () => {
    const authenticator = withJwks({ refreshMs: 20 });
    const request = bearer(await sign(first));
    await identify(authenticator, request);
    endpoint.serve([second.jwk]);
    await until(async () => {
      try {
        await authenticator.authenticate(request);
        return false;
      } catch {
        return true;
      }
    });
    expect(await failureOf(() => identify(authenticator, request))).toMatchObject({ status: 401 });
  });
});

describe('outage', () => {
  it('cached keys keep working, for tokens not seen before too; an unknown kid is 401', async () => {
    const authenticator = withJwks({ cooldownMs: 0, refreshMs: 20 });
    await identify(authenticator, bearer(await sign(first)));
    await endpoint.stop();
    seen.length = 0;
    await until(() => seen.length > 0);
    expect(seen).toMatchObject([{ kind: 'warning', hint: 'The keys fetched before stay in use.' }]);
    await expect(identify(authenticator, bearer(await sign(first, { sub: 'bob' })))).resolves.toMatchObject({
      userId: 'bob',
    });
    const unknown = await sign(second);
    expect(await failureOf(() => identify(authenticator, bearer(unknown)))).toMatchObject({ status: 401 });
    expect(seen).toHaveLength(1);
  });

  it('cold start: 503 with Retry-After; anonymous requests and malformed tokens do not wait; it heals', async () => {
    await endpoint.stop();
    const authenticator = withJwks({ retryMs: 1 });
    const request = bearer(await sign(first));
    const error = await failureOf(() => identify(authenticator, request));
    expect(error).toMatchObject({ status: 503, code: 'TW013', headers: { 'Retry-After': '1' } });
    expect(authenticator.authenticateHeader(undefined)).toEqual({});
    expect(await failureOf(() => authenticator.authenticateHeader('Bearer x'))).toMatchObject({ status: 401 });
    await endpoint.start();
    await until(() =>
      identify(authenticator, request).then(
        () => true,
        () => false,
      ),
    );
  });

  it.each([
    ['status 500', 500, '{"keys":[]}'],
    ['no JSON', 200, '<html>'],
    ['not a key set', 200, '{"error":"no"}'],
    ['a redirect', 302, ''],
  ])('%s counts as an outage', async (_name, status, text) => {
    endpoint.answer(status, text);
    const token = await sign(first);
    expect(await failureOf(() => identify(withJwks(), bearer(token)))).toMatchObject({ status: 503 });
  });

  it('fetches at most once per retry interval while there are no keys', async () => {
    endpoint.answer(500, '');
    const authenticator = withJwks({ retryMs: 60_000 });
    const token = await sign(first);
    for (let at = 0; at < 5; at += 1) await failureOf(() => identify(authenticator, bearer(token)));
    expect(endpoint.requests()).toBe(1);
  });
});
