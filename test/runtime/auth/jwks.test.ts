import {
  authenticators,
  bearer,
  createJwksEndpoint,
  createKey,
  failureOf,
  identify,
  recorder,
  requestWith,
  sign,
  type JwksEndpoint,
  type TestKey,
} from './support.js';
import { until } from '../../support/until.js';
import type { KeySourceTimes } from '../../../runtime/src/auth/key-source.js';

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
    expect(authenticator.authenticate(requestWith())).toEqual({});
    expect(await failureOf(() => authenticator.authenticate(requestWith(['Authorization', 'Bearer x'])))).toMatchObject(
      { status: 401 },
    );
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

describe('credentials in the address', () => {
  it('are sent, and no message shows them', async () => {
    const asked: (string | undefined)[] = [];
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end(JSON.stringify({ keys: [first.jwk] }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as import('node:net').AddressInfo;
    const url = `http://us%40er:top%3Asecret@127.0.0.1:${port}/keys`;
    const known = create({ 'app.security.auth.jwks-url': url }, { observe });
    const token = bearer(await sign(first));
    await expect(identify(known, token)).resolves.toMatchObject({ userId: 'ada' });
    expect(asked).toEqual([`Basic ${Buffer.from('us@er:top:secret').toString('base64')}`]);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    const unknown = create({ 'app.security.auth.jwks-url': url }, { observe });
    await failureOf(() => identify(unknown, token));
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toMatch(/secret|er:/);
  });

  it('that can be read in two ways are an error, which does not show them', () => {
    const make = (): unknown =>
      create({ 'app.security.auth.jwks-url': 'https://u:top@secret/x@127.0.0.1/' }, { observe });
    expect(make).toThrow('The address in app.security.auth.jwks-url cannot be read.');
  });
});

describe('keys that stand in the way', () => {
  const short = { kty: 'RSA', n: 'x'.repeat(171), e: 'AQAB' };

  it.each([
    ['a short one', { ...short, kid: undefined }],
    ['a short one that names its algorithm', { ...short, alg: 'RS256', use: 'sig' }],
    ['a short one of the same kid', { ...short, kid: 'second' }],
    ['one of an algorithm that there is not', { ...short, alg: 'RS999', kid: 'second' }],
    ['one for encryption, of the same kid', { use: 'enc', kid: 'second', twin: true }],
    ['one that is broken', { kty: 'RSA', kid: 'second', n: 1, e: null }],
    ['a symmetric one of the same kid', { kty: 'oct', kid: 'second', k: 'AAAA' }],
  ])('%s, first in the set', async (_name, jwk) => {
    const found = 'twin' in jwk ? { ...second.jwk, use: 'enc' } : jwk;
    endpoint.answer(200, JSON.stringify({ keys: [found, second.jwk] }));
    for (const header of [{}, { kid: undefined }]) {
      const token = await sign(second, { sub: 'ada' }, { header });
      await expect(identify(withJwks(), bearer(token))).resolves.toMatchObject({ userId: 'ada' });
    }
  });
});

describe('an endpoint that is slow, or gives too much', () => {
  /** A JWKS endpoint with arbitrary answers. */
  async function served(
    answer: (response: import('node:http').ServerResponse) => void,
    work: (url: string) => Promise<void>,
  ): Promise<void> {
    const { createServer } = await import('node:http');
    const server = createServer((_request, response) => {
      answer(response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      await work(`http://127.0.0.1:${(server.address() as import('node:net').AddressInfo).port}/`);
    } finally {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }
  const dripping: ReturnType<typeof setInterval>[] = [];
  afterEach(() => {
    dripping.splice(0).forEach(clearInterval);
  });

  it.each<readonly [string, (response: import('node:http').ServerResponse) => void]>([
    ['headers that do not come', () => undefined],
    [
      'a body that does not end',
      (response) => {
        response.writeHead(200).write('{"keys":[');
      },
    ],
    [
      'a body that drips',
      (response) => {
        response.writeHead(200);
        dripping.push(setInterval(() => response.write(' '), 20));
      },
    ],
    [
      'more than a megabyte',
      (response) => {
        response.end(JSON.stringify({ keys: [first.jwk], more: 'x'.repeat(1024 * 1024) }));
      },
    ],
  ])('%s: 503', async (_name, answer) => {
    const token = await sign(first);
    await served(answer, async (url) => {
      const authenticator = create({ 'app.security.auth.jwks-url': url }, { observe, times: { timeoutMs: 200 } });
      expect(await failureOf(() => identify(authenticator, bearer(token)))).toMatchObject({ status: 503 });
    });
  });
});

describe('whether there are keys', () => {
  it('not before the first, not while a set has none that can be used; it is asked again', async () => {
    endpoint.serve([]);
    const authenticator = withJwks({ retryMs: 1 });
    expect(authenticator.hasKeys()).toBe(false);
    await until(() => endpoint.requests() > 1 || authenticator.hasKeys());
    expect(authenticator.hasKeys()).toBe(false);
    endpoint.serve([{ ...first.jwk, use: 'enc' }, first.jwk]);
    await until(() => authenticator.hasKeys());
  });
});
