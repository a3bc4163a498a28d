import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportPKCS8 } from 'jose';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { authenticators, bearer, createKey, failureOf, identify, recorder, sign, type TestKey } from './support.js';
import { until } from '../../support/until.js';

const { create, closeAll } = authenticators();
const directory = mkdtempSync(join(tmpdir(), 'tablewright-auth-'));
const file = join(directory, 'key.pem');
let key: TestKey;
let other: TestKey;

beforeAll(async () => {
  key = await createKey();
  other = await createKey();
});
afterEach(closeAll);
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const startUpFailure = (given: Partial<Settings>): ReturnType<typeof failureOf> => failureOf(() => create(given));

describe('exactly one key source', () => {
  it('none: names the settings to choose from', async () => {
    const error = await startUpFailure({});
    expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining('none is set') as string });
    expect(error.hint).toContain('app.security.auth.jwks-url, app.security.auth.public-key, ');
  });

  it('several: names those that are set', async () => {
    const error = await startUpFailure({
      'app.security.auth.public-key': key.pem,
      'app.security.auth.jwks-url': 'https://login.example.com/jwks',
    });
    expect(error.message).toContain('app.security.auth.jwks-url and app.security.auth.public-key are set');
  });

  it('verification off: no key source is needed, and none is looked at', () => {
    expect(() => create({ 'app.security.jwt-enabled': false, 'app.security.auth.public-key': 'x' })).not.toThrow();
  });
});

describe('inline PEM', () => {
  it('verifies', async () => {
    const authenticator = create({ 'app.security.auth.public-key': key.pem });
    await expect(identify(authenticator, bearer(await sign(key)))).resolves.toMatchObject({ userId: 'ada' });
  });

  it('with `\\n` as two characters, as environment files write it', async () => {
    const authenticator = create({ 'app.security.auth.public-key': key.pem.replaceAll('\n', '\\n') });
    await expect(identify(authenticator, bearer(await sign(key)))).resolves.toMatchObject({ userId: 'ada' });
  });

  it('a token of another key is 401', async () => {
    const authenticator = create({ 'app.security.auth.public-key': key.pem });
    const token = await sign(other);
    await expect(failureOf(() => identify(authenticator, bearer(token)))).resolves.toMatchObject({ status: 401 });
  });

  it.each([
    ['no PEM at all', () => 'secret', 'does not hold a PEM public key'],
    ['a private key', () => exportPKCS8(key.privateKey), 'private key'],
    ['a broken PEM', () => key.pem.replace('M', '!'), 'does not hold a PEM public key'],
  ])('%s does not start', async (_name, pem, message) => {
    const error = await startUpFailure({ 'app.security.auth.public-key': await pem() });
    expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining(message) as string });
    expect(error.message).not.toContain('BEGIN');
  });
});

describe('PEM file', () => {
  const settings: Partial<Settings> = { 'app.security.auth.public-key-file': file };

  it('missing: does not start, and says which file', async () => {
    const error = await startUpFailure({ 'app.security.auth.public-key-file': join(directory, 'absent.pem') });
    expect(error.message).toContain('absent.pem cannot be read');
  });

  it('is read again when it changes; tokens of the old key stop working, cached ones too', async () => {
    writeFileSync(file, key.pem);
    const authenticator = create(settings, { times: { filePollMs: 20 } });
    const [before, after] = [bearer(await sign(key)), bearer(await sign(other))];
    await identify(authenticator, before);
    expect(authenticator.authenticate(before)).toMatchObject({ userId: 'ada' });
    writeFileSync(file, other.pem);
    await until(() =>
      identify(authenticator, after).then(
        () => true,
        () => false,
      ),
    );
    expect((await failureOf(() => identify(authenticator, before))).status).toBe(401);
  });

  it('keeps the last good key while the file is broken, and says so', async () => {
    writeFileSync(file, key.pem);
    const { observe, seen } = recorder();
    const authenticator = create(settings, { observe, times: { filePollMs: 20 } });
    writeFileSync(file, 'half a k');
    await until(() => seen.length > 0);
    expect(seen[0]).toMatchObject({ kind: 'warning', message: expect.stringContaining('stays in use') as string });
    await expect(identify(authenticator, bearer(await sign(key)))).resolves.toMatchObject({ userId: 'ada' });
  });
});

describe('JWKS address', () => {
  it.each(['not an address', 'file:///etc/keys.json', 'ftp://example.com/keys'])('%s does not start', async (url) => {
    const error = await startUpFailure({ 'app.security.auth.jwks-url': url });
    expect(error).toMatchObject({ code: 'TW018', message: expect.stringContaining('not an http or https') as string });
  });

  it('warns about plain http to another machine', () => {
    const { observe, seen } = recorder();
    create({ 'app.security.auth.jwks-url': 'http://login.invalid/jwks' }, { observe });
    expect(seen).toMatchObject([{ kind: 'warning', message: expect.stringContaining('not https') as string }]);
  });
});
