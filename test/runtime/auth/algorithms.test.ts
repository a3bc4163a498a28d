import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { authenticators, bearer, createKey, failureOf, handmade, identify, inSeconds, sign } from './support.js';

const { create, closeAll } = authenticators();
afterEach(closeAll);

describe('algorithms are pinned to the kind of key', () => {
  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    '%s verifies with its own kind of key',
    async (alg) => {
      const key = await createKey(alg);
      const authenticator = create({ 'app.security.auth.public-key': key.pem });
      await expect(identify(authenticator, bearer(await sign(key)))).resolves.toMatchObject({ userId: 'ada' });
    },
  );

  it.each([
    ['RS256', 'ES256'],
    ['ES256', 'ES384'],
    ['ES256', 'RS256'],
    ['EdDSA', 'ES256'],
  ])('a key of %s takes no token of %s', async (own, foreign) => {
    const authenticator = create({ 'app.security.auth.public-key': (await createKey(own)).pem });
    const token = await sign(await createKey(foreign));
    const error = await failureOf(() => identify(authenticator, bearer(token)));
    expect(error).toMatchObject({ status: 401, message: expect.stringContaining('algorithm') as string });
  });

  it.each(['HS256', 'HS384', 'HS512'])('%s signed with the text of the public key is 401', async (alg) => {
    const key = await createKey('RS256');
    const authenticator = create({ 'app.security.auth.public-key': key.pem });
    const secret = createSecretKey(Buffer.from(key.pem));
    const token = await new SignJWT({ sub: 'eve', exp: inSeconds(60) }).setProtectedHeader({ alg }).sign(secret);
    expect(await failureOf(() => identify(authenticator, bearer(token)))).toMatchObject({ status: 401 });
  });

  it.each(['none', 'None', 'NONE', 'nOnE', ''])('alg "%s" is 401, signed or not', async (alg) => {
    const authenticator = create({ 'app.security.auth.public-key': (await createKey()).pem });
    const token = handmade({ alg }, { sub: 'eve', exp: inSeconds(60) });
    const unsigned = token.slice(0, token.lastIndexOf('.') + 1);
    for (const each of [token, unsigned]) {
      expect(await failureOf(() => identify(authenticator, bearer(each)))).toMatchObject({ status: 401 });
    }
  });

  it.each([
    ['RSA of 1024 bits', () => generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['secp256k1', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
    ['X25519', () => generateKeyPairSync('x25519')],
    ['DSA', () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 })],
  ])('%s does not start', async (_name, generate) => {
    const pem = generate().publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const error = await failureOf(() => create({ 'app.security.auth.public-key': pem }));
    expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining('cannot verify tokens') as string });
  });
});
