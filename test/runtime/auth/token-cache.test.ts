import { jest } from '@jest/globals';
import { createTokenCache } from '../../../runtime/src/auth/token-cache.js';
import { authenticators, bearer, createKey, identify, inSeconds, sign } from './support.js';

const { create, closeAll } = authenticators();
afterEach(() => {
  closeAll();
  jest.useRealTimers();
});

const verified = (
  claims: string,
  expires = Date.now() + 60_000,
): { identity: { claims: string }; expires: number } => ({
  identity: { claims },
  expires,
});

describe('verified tokens', () => {
  it('a known token is answered at once, with the same identity, without a promise', async () => {
    const key = await createKey();
    const authenticator = create({ 'app.security.auth.public-key': key.pem });
    const request = bearer(await sign(key));
    const first = authenticator.authenticate(request);
    expect(first).toBeInstanceOf(Promise);
    const identity = await first;
    expect(authenticator.authenticate(request)).toBe(identity);
    expect(authenticator.authenticate(request)).toBe(identity);
  });

  it('until exp: a token in its leeway is verified every time', async () => {
    const key = await createKey();
    const authenticator = create({ 'app.security.auth.public-key': key.pem });
    const request = bearer(await sign(key, { sub: 'ada' }, { exp: inSeconds(-5) }));
    await identify(authenticator, request);
    expect(authenticator.authenticate(request)).toBeInstanceOf(Promise);
    await identify(authenticator, request);
  });

  it('is forgotten when it expires', () => {
    jest.useFakeTimers();
    const cache = createTokenCache();
    cache.ticket()('token', verified('{}', Date.now() + 1000));
    expect(cache.get('token')).toEqual({ claims: '{}' });
    jest.setSystemTime(Date.now() + 1000);
    expect(cache.get('token')).toBeUndefined();
  });

  it('what was verified with keys that changed meanwhile is not kept', () => {
    const cache = createTokenCache();
    const remember = cache.ticket();
    cache.clear();
    remember('token', verified('{}'));
    expect(cache.get('token')).toBeUndefined();
  });

  it('is bounded in number and in size', () => {
    const cache = createTokenCache();
    for (let at = 0; at < 20_000; at += 1) cache.ticket()(`token${at}`, verified('{}'));
    expect(cache.get('token0')).toBeUndefined();
    expect(cache.get('token9999')).toBeUndefined();
    expect(cache.get('token10000')).toBeDefined();
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let at = 0; at < 40; at += 1) cache.ticket()(`large${at}`, verified(megabyte));
    expect(cache.get('large0')).toBeUndefined();
    expect(cache.get('large39')).toBeDefined();
  });
});
