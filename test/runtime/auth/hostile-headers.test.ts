import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createAuthenticator } from '../../../runtime/src/auth/authenticator.js';
import { ServerError } from '../../../runtime/src/errors.js';
import {
  authenticators,
  bearer,
  createJwksEndpoint,
  createKey,
  failureOf,
  handmade,
  handSigned,
  identify,
  inSeconds,
  requestWith,
  settingsWith,
  sign,
  type TestKey,
} from './support.js';

const { create, closeAll } = authenticators();
let key: TestKey;
let attacker: TestKey;
beforeAll(async () => {
  key = await createKey();
  attacker = await createKey();
});
afterEach(closeAll);

const withKey = (): ReturnType<typeof create> => create({ 'app.security.auth.public-key': key.pem });

describe('the Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme in any case: %s', async (scheme) => {
    const request = requestWith(['authorization', `${scheme} ${await sign(key)}`]);
    await expect(identify(withKey(), request)).resolves.toMatchObject({ userId: 'ada' });
  });

  it('several spaces after the scheme', async () => {
    const request = requestWith(['Authorization', `Bearer   ${await sign(key)}`]);
    await expect(identify(withKey(), request)).resolves.toMatchObject({ userId: 'ada' });
  });

  it.each([
    ['empty', ''],
    ['only the scheme', 'Bearer'],
    ['only the scheme and a space', 'Bearer '],
    ['Basic', 'Basic YWRhOnBhc3N3b3Jk'],
    ['Digest', 'Digest username="ada"'],
    ['a scheme that begins like ours', 'Bearers a.b.c'],
    ['no scheme', 'a.b.c'],
    ['two parts', 'Bearer a.b'],
    ['four parts', 'Bearer a.b.c.d'],
    ['an encrypted token: five parts', 'Bearer a.b.c.d.e'],
    ['empty parts', 'Bearer ..'],
    ['not base64url', 'Bearer a+b.c/d.e='],
    ['two tokens in one header', 'Bearer a.b.c, Bearer d.e.f'],
    ['a header injection', 'Bearer a.b.c\r\nX-User: root'],
    ['a NUL', 'Bearer a.b.c\0'],
    ['not JSON inside', 'Bearer YQ.YQ.YQ'],
    ['null', 'Bearer null'],
    ['undefined', 'Bearer undefined'],
  ])('%s is 401, never anonymous', async (_name, value) => {
    const error = await failureOf(() => identify(withKey(), requestWith(['Authorization', value])));
    expect(error).toMatchObject({ status: 401, code: 'TW012' });
    expect(error.headers['WWW-Authenticate']).toMatch(/^Bearer error="invalid_token", error_description="[^"\\]+"$/);
  });

  it('twice is 401, even when both are the same valid token', async () => {
    const value = `Bearer ${await sign(key)}`;
    const authenticator = withKey();
    await identify(authenticator, requestWith(['Authorization', value]));
    const request = requestWith(['Authorization', value], ['Accept', '*/*'], ['AUTHORIZATION', value]);
    expect(await failureOf(() => identify(authenticator, request))).toMatchObject({ status: 401 });
  });

  it('a token of 16 KB is 401, and the error does not hold it', async () => {
    const token = await sign(key, { sub: 'ada', note: 'x'.repeat(16_384) });
    const error = await failureOf(() => identify(withKey(), bearer(token)));
    expect(error).toMatchObject({ status: 401, message: 'The token is too long.' });
    expect([error.message, error.hint, ...Object.values(error.headers)].join()).not.toContain(token.slice(-40));
  });

  it('a long token below that works', async () => {
    const token = await sign(key, { sub: 'ada', groups: 'x'.repeat(9_000) });
    await expect(identify(withKey(), bearer(token))).resolves.toMatchObject({ userId: 'ada' });
  });
});

describe('the header of the token', () => {
  it.each(['jku', 'x5u'])('%s is never fetched', async (name) => {
    const evil = await createJwksEndpoint([attacker.jwk]);
    const good = await createJwksEndpoint([key.jwk]);
    try {
      const token = await sign(attacker, { sub: 'eve' }, { header: { [name]: evil.url, kid: key.kid } });
      for (const authenticator of [withKey(), create({ 'app.security.auth.jwks-url': good.url })]) {
        expect(await failureOf(() => identify(authenticator, bearer(token)))).toMatchObject({ status: 401 });
      }
      expect(evil.requests()).toBe(0);
    } finally {
      await evil.stop();
      await good.stop();
    }
  });

  it('jwk: a key that the token brings along is not used', async () => {
    const token = await sign(attacker, { sub: 'eve' }, { header: { jwk: attacker.jwk } });
    expect(await failureOf(() => identify(withKey(), bearer(token)))).toMatchObject({ status: 401 });
  });

  it('x5c: a certificate that the token brings along is not used', async () => {
    const token = await sign(attacker, { sub: 'eve' }, { header: { x5c: ['MIIB'] } });
    expect(await failureOf(() => identify(withKey(), bearer(token)))).toMatchObject({ status: 401 });
  });

  it.each([
    ['an extension nobody knows', { crit: ['urn:example:x'], 'urn:example:x': true }],
    ['exp', { crit: ['exp'], exp: inSeconds(60) }],
    ['an empty list', { crit: [] }],
    ['not a list', { crit: 'b64' }],
    ['an unencoded payload', { crit: ['b64'], b64: false }],
  ])('crit with %s is 401', async (_name, header) => {
    const token = await handSigned(key, { alg: key.alg, ...header }, { sub: 'ada', exp: inSeconds(60) });
    expect(await failureOf(() => identify(withKey(), bearer(token)))).toMatchObject({ status: 401 });
  });

  it.each(['../../etc/passwd', "' or 1=1 --", '__proto__', 'a'.repeat(5000)])('kid %s finds no key', async (kid) => {
    const endpoint = await createJwksEndpoint([key.jwk]);
    try {
      const authenticator = create({ 'app.security.auth.jwks-url': endpoint.url });
      const token = await sign(key, { sub: 'ada' }, { header: { kid } });
      expect(await failureOf(() => identify(authenticator, bearer(token)))).toMatchObject({ status: 401 });
    } finally {
      await endpoint.stop();
    }
  });

  it('a signature of another algorithm of the same key, or a changed payload, is 401', async () => {
    const [header = '', , signature = ''] = (await sign(key)).split('.');
    const payload = Buffer.from(JSON.stringify({ sub: 'root', exp: inSeconds(60) })).toString('base64url');
    const changed = [header, payload, signature].join('.');
    expect(await failureOf(() => identify(withKey(), bearer(changed)))).toMatchObject({
      status: 401,
      message: 'The signature of the token does not match.',
    });
  });

  it.each(['"text"', '[]', 'null', '1', '{', ''])('a payload that is no JSON object is 401: %s', async (payload) => {
    const token = handmade({ alg: 'ES256' }, payload);
    expect(await failureOf(() => identify(withKey(), bearer(token)))).toMatchObject({ status: 401 });
  });
});

describe('through a real socket', () => {
  /** Sends headers unchanged and returns the status of the authenticator's decision. */
  async function statusOf(headers: readonly string[]): Promise<number> {
    const authenticator = createAuthenticator(settingsWith({ 'app.security.auth.public-key': key.pem }));
    const server = createServer((request, response) => {
      const done = (status: number): void => void response.writeHead(status, { connection: 'close' }).end();
      identify(authenticator, request).then(
        () => {
          done(200);
        },
        (error: unknown) => {
          done(error instanceof ServerError ? error.status : 500);
        },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(['GET / HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n'));
    const answer = (await socket.toArray()).join('');
    server.close();
    authenticator.close();
    return Number(answer.split(' ')[1]);
  }

  it('none 200, valid 200, empty 401, repeated 401', async () => {
    const valid = `Authorization: Bearer ${await sign(key)}`;
    expect(await statusOf([])).toBe(200);
    expect(await statusOf([valid])).toBe(200);
    expect(await statusOf(['Authorization:'])).toBe(401);
    expect(await statusOf([valid, 'authorization: Basic YTpi'])).toBe(401);
  });
});
