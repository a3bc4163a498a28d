import {
  authenticators,
  bearer,
  createKey,
  failureOf,
  identify,
  inSeconds,
  requestWith,
  sign,
  type TestKey,
} from './support.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import type { Identity } from '../../../runtime/src/dialect/driver.js';
import { importPKCS8, exportPKCS8, CompactSign } from 'jose';

const { create, closeAll } = authenticators();
let key: TestKey;
beforeAll(async () => {
  key = await createKey();
});
afterEach(closeAll);

const withKey = (given: Partial<Settings> = {}): ReturnType<typeof create> =>
  create({ 'app.security.auth.public-key': key.pem, ...given });

async function identityOf(claims: Record<string, unknown>, given: Partial<Settings> = {}): Promise<Identity> {
  return await identify(withKey(given), bearer(await sign(key, claims)));
}

async function refusal(
  claims: Record<string, unknown>,
  given: Partial<Settings> = {},
  exp?: number | null,
): ReturnType<typeof failureOf> {
  const token = await sign(key, claims, exp === undefined ? {} : { exp });
  return await failureOf(() => identify(withKey(given), bearer(token)));
}

/** Signs a payload given as text, because JSON.stringify cannot write some of these payloads. */
async function identityOfText(payload: string): Promise<Identity> {
  const privateKey = await importPKCS8(await exportPKCS8(key.privateKey), key.alg);
  const token = await new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: key.alg }).sign(privateKey);
  return await identify(withKey(), bearer(token));
}

describe('identity', () => {
  it('user id from userId, project id from projectId, the claims as JSON', async () => {
    const exp = inSeconds(60);
    const identity = await identityOf({ userId: 'u1', sub: 's1', projectId: 'p1', exp });
    expect(identity).toMatchObject({ userId: 'u1', projectId: 'p1' });
    expect(JSON.parse(identity.claims ?? '')).toEqual({ userId: 'u1', sub: 's1', projectId: 'p1', exp });
    expect(identity).not.toHaveProperty('role');
  });

  it('user id from sub without userId, or with a null one', async () => {
    expect(await identityOf({ sub: 's1' })).toMatchObject({ userId: 's1' });
    expect(await identityOf({ sub: 's1', userId: null })).toMatchObject({ userId: 's1' });
  });

  it('neither: a verified token without a user', async () => {
    const identity = await identityOf({ scope: 'read' });
    expect(identity).not.toHaveProperty('userId');
    expect(identity).not.toHaveProperty('projectId');
    expect(identity.claims).toContain('"scope":"read"');
  });

  it.each([
    [42, '42'],
    [0, '0'],
    [-7, '-7'],
    [true, 'true'],
    [{ id: 1 }, '{"id":1}'],
    [['a', 2], '["a",2]'],
    ['', ''],
    ["o'hara \\ ; --", "o'hara \\ ; --"],
    ['عمر 🙂', 'عمر 🙂'],
  ])('a claim %j is the text %j', async (value, text) => {
    expect(await identityOf({ userId: value, projectId: value })).toMatchObject({ userId: text, projectId: text });
  });

  it.each(['1.5', '1e-3', '-0.5'])('an id that is the fraction %s is refused', async (id) => {
    for (const claim of ['userId', 'sub', 'projectId']) {
      const work = identityOfText(`{"${claim}":${id},"exp":${inSeconds(60)}}`);
      expect(await failureOf(() => work)).toMatchObject({
        status: 401,
        message: expect.stringContaining('whole number') as string,
      });
    }
  });

  it.each(['9007199254740993', '-9007199254740993', '1.0000000000000001', '9007199254740993.0', '1e999'])(
    'an id that JSON.parse would round is refused: %s',
    async (id) => {
      const work = identityOfText(`{"userId":${id},"exp":${inSeconds(60)}}`);
      expect(await failureOf(() => work)).toMatchObject({ status: 401 });
    },
  );

  it.each([
    ['9007199254740991', '9007199254740991'],
    ['12.0', '12'],
    ['1e2', '100'],
  ])('an id that is written as %s is %s', async (id, text) => {
    expect(await identityOfText(`{"userId":${id},"exp":${inSeconds(60)}}`)).toMatchObject({ userId: text });
  });

  it('the claims keep every digit', async () => {
    const text = `{"sub":"ada","exp":${inSeconds(60)},"account":12345678901234567890,"rate":1.10}`;
    expect((await identityOfText(text)).claims).toBe(text);
  });

  it('an id too large to be exact is refused, not rounded to somebody else', async () => {
    const work = identityOfText(`{"userId":12345678901234567890,"exp":${inSeconds(60)}}`);
    expect(await failureOf(() => work)).toMatchObject({
      status: 401,
      message: expect.stringContaining('exact') as string,
    });
  });

  it.each(['a\0b', 'a\ud800b'])('an id that no database text can hold is refused: %j', async (userId) => {
    const work = identityOfText(`{"userId":${JSON.stringify(userId)},"exp":${inSeconds(60)}}`);
    expect(await failureOf(() => work)).toMatchObject({ status: 401 });
  });

  it('cannot be changed by who gets it', async () => {
    expect(Object.isFrozen(await identityOf({ sub: 'ada' }))).toBe(true);
  });
});

describe('time, issuer, audience', () => {
  it('exp is required', async () => {
    expect(await refusal({ sub: 'ada' }, {}, null)).toMatchObject({
      status: 401,
      message: 'The token has no usable exp claim.',
    });
  });

  it.each([['tomorrow'], [null], [{}]])('exp %j is no time', async (exp) => {
    expect(await refusal({ sub: 'ada', exp }, {}, null)).toMatchObject({ status: 401 });
  });

  it.each(['1e999', '-1e999', '-1', '"4000000000"', '[4000000000]', 'NaN', 'Infinity'])(
    'exp %s is no time',
    async (exp) => {
      const work = identityOfText(`{"sub":"ada","exp":${exp}}`);
      expect(await failureOf(() => work)).toMatchObject({ status: 401 });
    },
  );

  it('nbf -1e999 is no time', async () => {
    const work = identityOfText(`{"sub":"ada","nbf":-1e999,"exp":${inSeconds(60)}}`);
    expect(await failureOf(() => work)).toMatchObject({ status: 401 });
  });

  it('a token is good for 30 seconds after exp, not for more', async () => {
    const late = await sign(key, { sub: 'ada' }, { exp: inSeconds(-20) });
    await expect(identify(withKey(), bearer(late))).resolves.toMatchObject({ userId: 'ada' });
    expect(await refusal({ sub: 'ada' }, {}, inSeconds(-40))).toMatchObject({ message: 'The token has expired.' });
  });

  it('nbf is checked with the same leeway', async () => {
    expect(await identityOf({ sub: 'ada', nbf: inSeconds(20) })).toMatchObject({ userId: 'ada' });
    expect(await refusal({ sub: 'ada', nbf: inSeconds(60) })).toMatchObject({ message: 'The token is not valid yet.' });
  });

  it('iss, when configured', async () => {
    const given = { 'app.security.auth.issuer': 'https://login.example.com/' };
    expect(await identityOf({ sub: 'ada', iss: 'https://login.example.com/' }, given)).toMatchObject({ userId: 'ada' });
    expect(await refusal({ sub: 'ada', iss: 'https://evil.example/' }, given)).toMatchObject({ status: 401 });
    expect(await refusal({ sub: 'ada' }, given)).toMatchObject({ message: 'The token is from another issuer.' });
    expect(await identityOf({ sub: 'ada', iss: 'anybody' })).toMatchObject({ userId: 'ada' });
  });

  it('aud, when configured, alone or in a list', async () => {
    const given = { 'app.security.auth.audience': 'kanban' };
    expect(await identityOf({ sub: 'ada', aud: 'kanban' }, given)).toMatchObject({ userId: 'ada' });
    expect(await identityOf({ sub: 'ada', aud: ['shop', 'kanban'] }, given)).toMatchObject({ userId: 'ada' });
    expect(await refusal({ sub: 'ada', aud: 'shop' }, given)).toMatchObject({ status: 401 });
    expect(await refusal({ sub: 'ada' }, given)).toMatchObject({ message: 'The token is for another audience.' });
  });
});

describe('role', () => {
  const given: Partial<Settings> = {
    'app.security.role-claim': 'role',
    'app.security.allowed-roles': ['editor', 'viewer'],
    'app.security.default-role': 'member',
    'app.security.anonymous-role': 'guest',
  };

  it('from the claim, when it is on the list', async () => {
    expect(await identityOf({ sub: 'ada', role: 'editor' }, given)).toMatchObject({ role: 'editor' });
  });

  it.each(['admin', 'postgres', 'Editor', 'editor ', '', 7, ['editor'], { name: 'editor' }, 'none'])(
    'a role that is not on the list is 403: %j',
    async (role) => {
      expect(await refusal({ sub: 'ada', role }, given)).toMatchObject({ status: 403, code: 'TW016' });
    },
  );

  it('the default role without the claim, also when no claim is configured', async () => {
    expect(await identityOf({ sub: 'ada' }, given)).toMatchObject({ role: 'member' });
    const onlyDefault = { 'app.security.default-role': 'member' };
    expect(await identityOf({ sub: 'ada', role: 'postgres' }, onlyDefault)).toMatchObject({ role: 'member' });
  });

  it('no role without settings, whatever the token says', async () => {
    expect(await identityOf({ sub: 'ada', role: 'postgres' })).not.toHaveProperty('role');
  });

  it('a role claim named like an inherited property is just absent', async () => {
    const settings = { ...given, 'app.security.role-claim': 'constructor' };
    expect(await identityOf({ sub: 'ada' }, settings)).toMatchObject({ role: 'member' });
  });

  it('the anonymous role without a token, and nothing else', async () => {
    expect(await identify(withKey(given), requestWith())).toEqual({ role: 'guest' });
  });
});

describe('anonymous', () => {
  it('no header: nothing is set', async () => {
    expect(await identify(withKey(), requestWith(['Accept', 'application/json']))).toEqual({});
  });

  it('verification off: the header is not read, whatever it holds', () => {
    const authenticator = create({ 'app.security.jwt-enabled': false, 'app.security.anonymous-role': 'guest' });
    expect(authenticator.authenticate(requestWith(['Authorization', 'Bearer x'], ['Authorization', 'y']))).toEqual({});
    expect(authenticator.authenticate(requestWith(['Authorization', 'Bearer nonsense']))).toEqual({});
  });
});
