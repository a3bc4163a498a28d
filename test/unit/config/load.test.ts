import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitList } from '../../../src/config/schema.js';
import { loadConfig, type Config, type ConfigFlags } from '../../../src/config/load.js';
import { temporaryFolder, writeTree } from '../../support/folders.js';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const load = (flags: ConfigFlags = {}, environment: Record<string, string> = {}): Promise<Config> =>
  loadConfig({ folder, environment, flags });

const withFile = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

test('nothing given: the defaults', async () => {
  expect(await load()).toEqual({
    file: undefined,
    url: undefined,
    schemas: undefined,
    out: folder,
    environment: {},
    model: {},
    settings: {},
    doctor: {},
    mayBeMissing: [],
    serverSettings: expect.any(Function) as unknown,
  });
});

describe('.env', () => {
  const url = async (environment: Record<string, string> = {}, flags: ConfigFlags = {}): Promise<string | undefined> =>
    (await load(flags, environment)).url;

  test('counts as the environment, which it never overrides', async () => {
    await writeTree(folder, {
      '.env': 'DATABASE_URL="postgres://file/a" # ours\n',
      'tablewright.config.json': '{"url": "postgres://config/a"}',
    });
    expect(await url()).toBe('postgres://file/a');
    expect(await url({ DATABASE_URL: 'postgres://given/a' })).toBe('postgres://given/a');
    expect(await url({}, { url: 'postgres://flag/a' })).toBe('postgres://flag/a');
    // An empty variable counts as set, as in other programs that read such files, and it names no
    // database.
    expect(await url({ DATABASE_URL: '' })).toBe('postgres://config/a');
  });

  test('a setting that the environment gives under another name is not overridden either', async () => {
    await withFile('.env', 'APP_DATASOURCE_URL=postgres://file/a');
    expect(await url({ DATABASE_URL: 'postgres://given/a' })).toBe('postgres://given/a');
  });

  test('the more special file wins', async () => {
    await withFile('.env', 'DATABASE_URL=postgres://d/a');
    const order = ['.env.test', '.env.local', '.env.production', '.env.production.local'];
    for (const name of order) await withFile(name, `DATABASE_URL=postgres://${name.slice(5).replace('.', '-')}/a`);
    expect(await url()).toBe('postgres://local/a');
    expect(await url({ NODE_ENV: 'production' })).toBe('postgres://production-local/a');
    expect(await url({ NODE_ENV: 'test' })).toBe('postgres://test/a');
    expect(await url({ NODE_ENV: 'other' })).toBe('postgres://local/a');
  });

  test('the project’s folder may have one, too', async () => {
    await writeTree(folder, { 'server/.env': 'DATABASE_URL=postgres://project/a\nAPP_SCHEMAS=a,b' });
    expect(await load({ out: 'server' })).toMatchObject({ url: 'postgres://project/a', schemas: ['a', 'b'] });
    await withFile('.env', 'DATABASE_URL=postgres://here/a');
    expect(await load({ out: 'server' })).toMatchObject({ url: 'postgres://here/a', schemas: ['a', 'b'] });
  });
});

describe('the file', () => {
  test.each([
    [
      'tablewright.config.ts',
      "import { defineConfig } from 'tablewright';\nexport default defineConfig({ 'app.max-rows': 7 as number });",
    ],
    ['tablewright.config.mjs', "export default { 'app.max-rows': 7 };"],
    ['tablewright.config.cjs', "module.exports = { 'app.max-rows': 7 };"],
    ['tablewright.config.cts', "const rows: number = 7;\nmodule.exports = { 'app.max-rows': rows };"],
    ['tablewright.config.json', '{"app.max-rows": 7}'],
    ['tablewright.config.yaml', 'app.max-rows: 7\n'],
    ['tablewright.config.yml', 'app:\n  max-rows: 7\n'],
  ])('%s', async (name, text) => {
    await withFile(name, text);
    expect(await load()).toMatchObject({ file: join(folder, name), settings: { 'app.max-rows': 7 } });
  });

  // What restricts would be missing.
  test.each([
    ['tablewright.config.yaml', ''],
    ['tablewright.config.json', ' \n'],
    ['tablewright.config.ts', ''],
    ['tablewright.config.ts', "const config = { exclude: ['shop.secret'] };"],
    ['tablewright.config.cts', "const config = { exclude: ['shop.secret'] };"],
    ['tablewright.config.js', "const config = { exclude: ['shop.secret'] };"],
  ])('%s that says nothing is an error: %j', async (name, text) => {
    await withFile(name, text);
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringMatching(/it (?:is empty|exports nothing)/) as unknown,
      hint: expect.stringContaining('{}') as unknown,
    });
  });

  test.each([
    ['tablewright.config.yaml', '{}'],
    ['tablewright.config.ts', 'export default {};'],
    ['tablewright.config.cts', 'export = {};'],
    ['tablewright.config.cjs', 'module.exports = {};'],
  ])('%s may have no settings: %j', async (name, text) => {
    await withFile(name, text);
    expect(await load()).toMatchObject({ settings: {}, model: {} });
  });

  test('one of two would not be read', async () => {
    await withFile('tablewright.config.json', '{"app.max-rows": 1}');
    await withFile('tablewright.config.yaml', 'app.max-rows: 2');
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringContaining('only one of tablewright.config.json, tablewright.config.yaml') as unknown,
    });
  });

  test.each([
    'tablewright.config.toml',
    'tablewright.config.JSON',
    'Tablewright.config.ts',
    '.tablewrightrc',
    '.tablewrightrc.json',
  ])('%s would not be read', async (name) => {
    await withFile(name, '{"exclude": ["shop.secret"]}');
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringContaining('tablewright.config.ts') as unknown,
    });
  });

  test('names in exclude, of which some may be missing', async () => {
    await withFile('tablewright.config.yaml', 'exclude: [shop.secret, { name: shop.old, ifExists: true }]');
    expect(await load()).toMatchObject({ model: { exclude: ['shop.secret', 'shop.old'] }, mayBeMissing: ['shop.old'] });
    for (const exclude of ['[]', '[{ name: shop.old }]', '[{ name: shop.old, ifExists: false }]']) {
      await withFile('tablewright.config.yaml', `exclude: ${exclude}`);
      await expect(load()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    }
  });

  test('the file --config names, whatever it is called', async () => {
    await writeTree(folder, { 'tablewright.config.json': '{}', 'other/production.yaml': 'out: ../server' });
    expect(await load({ config: 'other/production.yaml' })).toMatchObject({
      file: join(folder, 'other/production.yaml'),
      out: join(folder, 'server'),
    });
  });

  test('the file of the project’s folder, when the current one has none', async () => {
    await writeTree(folder, { 'server/tablewright.config.json': '{"schemas": ["a"]}' });
    expect(await load({ out: 'server' })).toMatchObject({ out: join(folder, 'server'), schemas: ['a'] });
    expect(await load()).toMatchObject({ file: undefined });
    await writeTree(folder, { 'tablewright.config.json': '{"schemas": ["b"]}' });
    expect(await load({ out: 'server' })).toMatchObject({ schemas: ['b'] });
  });

  test('folders above are not searched', async () => {
    await withFile('tablewright.config.json', '{"schemas": ["a"]}');
    await writeTree(folder, { 'inner/x': '' });
    const config = await loadConfig({ folder: join(folder, 'inner'), environment: {}, flags: {} });
    expect(config.file).toBeUndefined();
  });

  test('a changed file is read again', async () => {
    const write = (rows: number): Promise<void> =>
      withFile('tablewright.config.ts', `export default { 'app.max-rows': ${String(rows)} };`);
    await write(1);
    expect((await load()).settings).toEqual({ 'app.max-rows': 1 });
    await write(2);
    expect((await load()).settings).toEqual({ 'app.max-rows': 2 });
  });
});

describe('precedence: flag, environment, file, default', () => {
  beforeEach(() => withFile('tablewright.config.yaml', 'url: postgres://file/db\nschemas: [file]\nout: from-file\n'));

  test('flags win', async () => {
    const environment = { DATABASE_URL: 'postgres://environment/db', APP_SCHEMAS: 'environment' };
    expect(await load({ url: 'postgres://flag/db', schemas: ['flag'], out: 'from-flag' }, environment)).toMatchObject({
      url: 'postgres://flag/db',
      schemas: ['flag'],
      out: join(folder, 'from-flag'),
    });
  });

  test('then the environment, by its derived names first', async () => {
    expect(await load({}, { DATABASE_URL: 'postgres://environment/db', APP_SCHEMAS: 'a, b' })).toMatchObject({
      url: 'postgres://environment/db',
      schemas: ['a', 'b'],
    });
    const both = { DATABASE_URL: 'postgres://other/db', APP_DATASOURCE_URL: 'postgres://derived/db' };
    expect((await load({}, both)).url).toBe('postgres://derived/db');
  });

  test('then the file; an empty variable is not there', async () => {
    expect(await load({}, { DATABASE_URL: '' })).toMatchObject({
      url: 'postgres://file/db',
      schemas: ['file'],
      out: join(folder, 'from-file'),
    });
  });

  test.each(['', ' ', ','])('schemas that are empty are an error, and not all of them: %j', async (text) => {
    const expected = { code: 'CONFIG_INVALID', message: expect.stringContaining('is empty') as unknown };
    await expect(load({}, { APP_SCHEMAS: text })).rejects.toMatchObject(expected);
    await expect(load({ schemas: splitList(text) })).rejects.toMatchObject(expected);
    await expect(load({}, { APP_DATASOURCE_DATABASES: text })).rejects.toMatchObject(expected);
    for (const key of ['schemas', 'app.schemas', 'app.datasource.databases']) {
      await withFile('tablewright.config.yaml', JSON.stringify({ [key]: splitList(text) }));
      await expect(load()).rejects.toMatchObject(expected);
    }
  });

  test('settings keys name the same things', async () => {
    await withFile('tablewright.config.yaml', 'app.datasource.url: pglite:data\napp.schemas: a,b\n');
    expect(await load()).toMatchObject({ url: 'pglite:data', schemas: ['a', 'b'] });
  });

  test('role and password complete a URL that has none', async () => {
    const role = { APP_DATASOURCE_USERNAME: 'a@b', APP_DATASOURCE_PASSWORD: 'p/w' };
    expect((await load({}, role)).url).toBe('postgres://a%40b:p%2Fw@file/db');
    expect((await load({ url: 'postgres://me:mine@flag/db' }, role)).url).toBe('postgres://me:mine@flag/db');
    expect((await load({ url: 'pglite:data' }, role)).url).toBe('pglite:data');
  });
});

test('what is written into the generated project: settings of the file, no secret, nothing of the environment', async () => {
  await withFile(
    'tablewright.config.json',
    JSON.stringify({
      url: 'postgres://me:secret@host/db',
      'app.datasource.password': 'secret',
      'app.datasource.url': 'postgres://me:secret@host/db',
      'app.datasource.username': 'app',
      'app.schemas': ['a'],
      'app.max-rows': 50,
      'app.server.port': 4000,
      'app.security.jwt-enabled': false,
      'app.types.bigint': 'string',
      'app.security.allowed-roles': 'a,b',
    }),
  );
  const { settings, model } = await load({}, { APP_MAX_ROWS: '99', PORT: '1' });
  expect(settings).toEqual({
    'app.datasource.username': 'app',
    'app.max-rows': 50,
    'app.types.bigint': 'string',
    'app.security.allowed-roles': ['a', 'b'],
  });
  expect(model).toEqual({ bigint: 'string' });
});

test('the model’s options', async () => {
  const options = {
    rename: {
      'kanban.issues': { name: 'Issue', columns: { id: 'key' }, relations: { a: 'b' } },
      'kanban.status': { values: { new: 'fresh' } },
    },
    exclude: ['kanban.*'],
    functions: ['shop.total'],
    notNull: ['shop.v.id'],
    keys: { 'shop.v': ['id'] },
    relations: { 'shop.v': [{ columns: ['user_id'], table: 'shop.users', references: ['id'], name: 'v_user' }] },
    enumOutput: 'upper',
    apiDocuments: false,
  };
  await withFile('tablewright.config.json', JSON.stringify(options));
  expect((await load()).model).toEqual(options);
});

describe('what cannot be taken', () => {
  test.each([
    [
      'an unknown key',
      '{"app.maxrows": 5}',
      'CONFIG_UNKNOWN_KEY',
      'Unknown key "app.maxrows" in tablewright.config.json.',
      'Did you mean "app.max-rows"?',
    ],
    [
      'several of them',
      '{"shemas": ["a"], "app": {"max-row": 5}, "rename": {"a.b": {"colums": {}}}, "zzzzzzz": 1}',
      'CONFIG_UNKNOWN_KEY',
      '4 unknown keys in tablewright.config.json.',
      [
        '"colums" in rename["a.b"]: did you mean "columns"?',
        '"shemas": did you mean "schemas"?',
        '"app.max-row": did you mean "app.max-rows"?',
        '"zzzzzzz": nothing is called like it',
        'Known keys: url, schemas, out, rename, exclude, functions, computed, procedures, types, notNull, optional, keys, relations, names, relay, enumOutput, rules, clients, apiDocuments, agentsFile, doctor, and those of the server, app.…: see docs/configuration.md.',
      ].join('\n'),
    ],
    [
      'a nested one',
      '{"app": {"max-row": 5}}',
      'CONFIG_UNKNOWN_KEY',
      'Unknown key "app.max-row" in tablewright.config.json.',
      'Did you mean "app.max-rows"?',
    ],
    [
      'one of ours',
      '{"schema": "a"}',
      'CONFIG_UNKNOWN_KEY',
      'Unknown key "schema" in tablewright.config.json.',
      'Did you mean "schemas"?',
    ],
    [
      'one like nothing',
      '{"zzzzzzz": 1}',
      'CONFIG_UNKNOWN_KEY',
      'Unknown key "zzzzzzz" in tablewright.config.json.',
      'Known keys: url, schemas, out, rename, exclude, functions, computed, procedures, types, notNull, optional, keys, relations, names, relay, enumOutput, rules, clients, apiDocuments, agentsFile, doctor, and those of the server, app.…: see docs/configuration.md.',
    ],
    [
      'one inside rename',
      '{"rename": {"a.b": {"colums": {}}}}',
      'CONFIG_UNKNOWN_KEY',
      'Unknown key "colums" in rename["a.b"] in tablewright.config.json.',
      'Did you mean "columns"?',
    ],
    [
      'a single letter off inside rename',
      '{"rename": {"a.b": {"relation": {"x": "y"}}}}',
      'CONFIG_UNKNOWN_KEY',
      'Unknown key "relation" in rename["a.b"] in tablewright.config.json.',
      'Did you mean "relations"?',
    ],
    [
      'text for a number',
      '{"app.max-rows": "many"}',
      'CONFIG_INVALID',
      'app.max-rows in tablewright.config.json must be a whole number, 1 or more, but is text.',
      'docs/configuration.md describes every key.',
    ],
    [
      'a number too small',
      '{"app.max-rows": 0}',
      'CONFIG_INVALID',
      'app.max-rows in tablewright.config.json must be a whole number, 1 or more, but is 0.',
      'docs/configuration.md describes every key.',
    ],
    [
      'text for a switch',
      '{"app.security.jwt-enabled": "yes"}',
      'CONFIG_INVALID',
      'app.security.jwt-enabled in tablewright.config.json must be true or false, but is text.',
      'docs/configuration.md describes every key.',
    ],
    [
      'a misspelt choice',
      '{"app.datasource.pooler": "transactoin"}',
      'CONFIG_INVALID',
      'app.datasource.pooler in tablewright.config.json must be one of none, transaction, but is none of them.',
      'Did you mean "transaction"?',
    ],
    [
      'a list for text',
      '{"out": ["a"]}',
      'CONFIG_INVALID',
      'out in tablewright.config.json must be text: a folder, but is a list.',
      'docs/configuration.md describes every key.',
    ],
    [
      'text in the place of names',
      '{"rename": {"a.b": "c"}}',
      'CONFIG_INVALID',
      'rename["a.b"] in tablewright.config.json must be an object of new names, but is text.',
      'docs/configuration.md describes every key.',
    ],
    [
      'a name that is a number',
      '{"rename": {"a.b": {"columns": {"c": 1}}}}',
      'CONFIG_INVALID',
      'rename["a.b"].columns.c in tablewright.config.json must be text, but is a number.',
      'docs/configuration.md describes every key.',
    ],
    [
      'a rate without a window',
      '{"app.limits.rates": [{"per": "user", "requests": 5}]}',
      'CONFIG_INVALID',
      'app.limits.rates in tablewright.config.json must be a list of rates (environment: JSON), but is a list.',
      'It is not valid: rate 1: `seconds` has to be a whole number from 1 to 86400.',
    ],
    [
      'an empty value',
      '{"exclude": null}',
      'CONFIG_INVALID',
      'exclude in tablewright.config.json must be a list, not empty, of text or { name, ifExists: true }, but is empty.',
      'docs/configuration.md describes every key.',
    ],
    [
      'a secret of another kind',
      '{"app.datasource.password": 123456}',
      'CONFIG_INVALID',
      'app.datasource.password in tablewright.config.json must be text, but is a number.',
      'docs/configuration.md describes every key.',
    ],
    [
      'a list',
      '[1]',
      'CONFIG_INVALID',
      'tablewright.config.json must hold an object of settings, but holds a list.',
      'See docs/configuration.md.',
    ],
    [
      'broken JSON',
      '{\n  "url": "postgres://a:secret@b"\n  "x": 1\n}',
      'CONFIG_UNREADABLE',
      'tablewright.config.json could not be read: it is not JSON (line 3, column 3).',
      [
        '  1 | {',
        '  2 |   "url": "********:***:********"',
        '> 3 |   "x": 1',
        '    |   ^',
        '  4 | }',
        'Correct the file, or name another file with --config.',
      ].join('\n'),
    ],
  ])('%s', async (_what, text, code, message, hint) => {
    await withFile('tablewright.config.json', text);
    await expect(load()).rejects.toMatchObject({ code, message, hint });
  });

  test('broken YAML and TypeScript', async () => {
    await writeTree(folder, {
      'a.yaml': 'a: b\n  c: [secret\n',
      'b.ts': 'export default {',
      'c.ts': "throw new Error('mine');",
      'd.ts': 'export const x = 1;',
    });
    await expect(load({ config: 'a.yaml' })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.not.stringContaining('secret') as string,
    });
    await expect(load({ config: 'b.ts' })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: "b.ts could not be read: '}' expected (line 1, column 17).",
    });
    await expect(load({ config: 'c.ts' })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: 'c.ts could not be read: mine.',
    });
  });

  test.each([
    [
      'ts',
      "export default defineConfig({\n  schemas: ['a',\n  'app.max-rows': 30,\n});",
      "',' expected (line 3, column 17)",
    ],
    ['mjs', "export default {\n  schemas: ['a'\n  exclude: []\n};", "',' expected (line 3, column 3)"],
    ['json', '{\n  "schemas": ["a"],\n  // mine\n  "exclude": []\n}', 'it is not JSON (line 3, column 3)'],
    ['json', '{"a": nul}', 'it is not JSON (line 1, column 10)'],
    ['json', '{"a": x}', 'it is not JSON (line 1, column 7)'],
    ['json', '{"a": [1', 'it is not JSON (line 1, column 9)'],
    ['yaml', 'schemas:\n  - a\n exclude: [\n', 'it is not YAML (line 3, column 1)'],
  ])('a syntax error in %s: %j', async (extension, text, reason) => {
    const name = `tablewright.config.${extension}`;
    await withFile(name, text);
    await expect(load()).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `${name} could not be read: ${reason}.`,
      hint: expect.stringMatching(/^> \d \| .*\n {4}\| *\^/m) as string,
    });
  });

  test.each([
    ['json', '{\n  "url": "postgres://me:sesame@host/x"\n  "app.datasource.password": "sesame"\n}'],
    ['ts', 'export default {\n  url:\n    "postgres://me:sesame@host/x"\n  x: 1 };'],
    ['ts', 'const database = `postgres://me:sesame@host/x`;\nexport default { a b };'],
    ['yaml', 'app.datasource.password: |\n  sesame\n  sesame\nx: [\n'],
  ])('a frame shows no secret: %s', async (extension, text) => {
    await withFile(`tablewright.config.${extension}`, text);
    const failure = await load().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'CONFIG_UNREADABLE', hint: expect.stringContaining('> ') as string });
    expect(JSON.stringify([String(failure), failure])).not.toContain('sesame');
  });

  test('a named file that is not there', async () => {
    await expect(load({ config: 'absent.ts' })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: 'absent.ts could not be read: there is no such file.',
    });
  });
});

test('relay takes the name of its field, and nothing else', async () => {
  await withFile('tablewright.config.json', '{ "relay": { "nodeId": "globalId" } }');
  expect((await load()).model.relay).toEqual({ nodeId: 'globalId' });
  await withFile('tablewright.config.json', '{ "relay": { "nodeid": "globalId" } }');
  await expect(load()).rejects.toMatchObject({
    code: 'CONFIG_UNKNOWN_KEY',
    hint: 'Did you mean "nodeId"?',
  });
});
