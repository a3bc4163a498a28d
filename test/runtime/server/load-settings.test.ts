import { ServerError } from '../../../runtime/src/errors.js';
import { loadSettings } from '../../../runtime/src/settings/load-settings.js';
import { environmentName, settingDefinitions, type SettingDefinition } from '../../../runtime/src/settings/settings.js';

const failure = (environment: Record<string, string>): ServerError => {
  try {
    loadSettings({}, environment);
  } catch (error) {
    if (error instanceof ServerError) return error;
  }
  throw new Error('no ServerError');
};

test('the environment comes before what was generated, and that before the default', () => {
  expect(loadSettings({}, {})['app.max-rows']).toBe(30);
  expect(loadSettings({ 'app.max-rows': 50 }, {})['app.max-rows']).toBe(50);
  expect(loadSettings({ 'app.max-rows': 50 }, { APP_MAX_ROWS: '70' })['app.max-rows']).toBe(70);
  expect(loadSettings({ 'app.max-rows': 50 }, { APP_MAX_ROWS: '' })['app.max-rows']).toBe(50);
});

test.each(
  Object.entries<SettingDefinition>(settingDefinitions)
    .filter(([, { restricts }]) => restricts === true)
    .map(([key, { type }]) => [environmentName(key), type]),
)('%s is not there, or says something: empty would be less of a restriction', (name, type) => {
  expect(() => loadSettings({}, {})).not.toThrow();
  for (const text of ['', ' ', ...(type === 'list' ? [',', ' , '] : [])])
    expect(() => loadSettings({}, { [name]: text })).toThrow(`${name} is empty`);
});

test('every setting is read from the variable of its name', () => {
  for (const [key, definition] of Object.entries(settingDefinitions)) {
    const rate = { per: 'user', requests: 5, seconds: 60 };
    const number = Math.max(7, 'minimum' in definition ? definition.minimum : 0);
    const texts = {
      integer: String(number),
      count: String(number),
      boolean: 'true',
      list: 'a, b',
      string: 'x',
      choice: '',
      rates: JSON.stringify([rate]),
    };
    const text = texts[definition.type];
    const value = 'choices' in definition ? definition.choices[0] : text;
    const settings = loadSettings({}, { [environmentName(key)]: value });
    const values = {
      integer: number,
      count: number,
      boolean: true,
      list: ['a', 'b'],
      string: 'x',
      choice: value,
      rates: [rate],
    };
    const expected = values[definition.type];
    expect(Reflect.get(settings, key)).toEqual(expected);
  }
});

test('a key source of the environment takes the place of a generated one', () => {
  const baked = { 'app.security.auth.public-key-file': 'key.pem', 'app.security.auth.issuer': 'us' };
  const settings = loadSettings(baked, { APP_SECURITY_AUTH_JWKS_URL: 'https://issuer/jwks' });
  expect(settings['app.security.auth.jwks-url']).toBe('https://issuer/jwks');
  expect(settings['app.security.auth.public-key-file']).toBeUndefined();
  expect(settings['app.security.auth.issuer']).toBe('us');
});

test('short names are read too', () => {
  const settings = loadSettings({}, { DATABASE_URL: 'postgres://h/d', PORT: '0', HOST: '::1', APP_SCHEMAS: 'a,b' });
  expect(settings).toMatchObject({
    'app.datasource.url': 'postgres://h/d',
    'app.server.port': 0,
    'app.server.host': '::1',
    'app.schemas': ['a', 'b'],
  });
});

test('NODE_ENV=production is production', () => {
  expect(loadSettings({}, { NODE_ENV: 'production' })['app.server.production']).toBe(true);
  expect(loadSettings({}, { NODE_ENV: 'test' })['app.server.production']).toBe(false);
});

test.each([
  [{ APP_MAX_ROWS: 'many' }, 'APP_MAX_ROWS has to be a whole number, 1 or more, not `many`'],
  [{ APP_MAX_ROWS: '0' }, '1 or more'],
  [{ APP_MAX_ROWS: '-1' }, '1 or more'],
  [{ APP_MAX_ROWS: '1.5' }, 'a whole number'],
  [{ APP_SECURITY_JWT_ENABLED: 'yes' }, 'true or false, not `yes`'],
  [{ APP_LOG_LEVEL: 'loud' }, 'one of silent, error, warn, info, debug'],
  [{ APP_LIMITS_RATES: '[{"per":"user"}]' }, 'a list of rates as JSON (rate 1: `seconds` has to be'],
  [{ PORT: 'http' }, 'PORT has to be a whole number'],
])('%o is refused, naming the variable', (environment, message) => {
  expect(failure(environment as Record<string, string>)).toMatchObject({ code: 'TW018' });
  expect(failure(environment as Record<string, string>).message).toContain(message);
});
