import { join } from 'node:path';
import { packageSpec } from '../../../src/output/package-spec.js';
import { packageName, readTemplates, renderProject } from '../../../src/output/project.js';
import { ownPackage } from '../../../src/package.js';
import { temporaryFolder, writeTree } from '../../support/folders.js';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const values = { name: 'server', generator: '^0.1.0', runtime: '^0.1.0', console: '^0.1.0' };

describe('renderProject', () => {
  test('fills the placeholders and gives dot files their names', () => {
    const templates = new Map([
      ['package.json', '{"name": "{{name}}", "devDependencies": {"tablewright": "{{generator}}"}}'],
      ['_gitignore', 'dist/'],
      ['src/_x/a.ts', '${{ other }} {{unknown}}'],
    ]);
    expect(Object.fromEntries(renderProject(templates, values))).toEqual({
      'package.json': '{"name": "server", "devDependencies": {"tablewright": "^0.1.0"}}',
      '.gitignore': 'dist/',
      'src/.x/a.ts': '${{ other }} {{unknown}}',
    });
  });

  test('names the schemas that were chosen, and says nothing when none was', () => {
    const templates = new Map([['tablewright.config.ts', 'export default {\n  schemas: [{{schemas}}],\n};\n']]);
    const config = (schemas?: readonly string[]): string | undefined =>
      renderProject(templates, { ...values, schemas }).get('tablewright.config.ts');
    expect(config()).toBe('export default {\n};\n');
    expect(config(['a', 'it\'s "b"', '\\$&'])).toBe(
      "export default {\n  schemas: ['a', \"it's \\\"b\\\"\", '\\\\$&'],\n};\n",
    );
  });

  test('a configuration file elsewhere is named by the scripts, and not doubled', () => {
    const templates = new Map([
      ['tablewright.config.ts', ''],
      ['package.json', '{"scripts": {"generate": "tablewright generate", "build": "tsc"}}'],
    ]);
    const files = renderProject(templates, { ...values, configuration: '../tablewright.config.yaml' });
    expect(Object.fromEntries(files)).toEqual({
      'package.json':
        '{"scripts": {"generate": "tablewright generate --config ../tablewright.config.yaml", "build": "tsc"}}',
    });
  });

  test('the package’s own templates leave no placeholder', async () => {
    const templates = await readTemplates(join(ownPackage().folder, 'templates', 'project'));
    for (const [path, text] of renderProject(templates, { ...values, schemas: ['a'] })) {
      expect([path, /\{\{\w+\}\}/.exec(text)]).toEqual([path, null]);
    }
  });

  test.each([
    ['postgres', 'binlog', ['pg']],
    ['mysql', undefined, ['mysql2']],
    ['mysql', 'binlog', ['mysql2', '@vlasky/zongji']],
  ] as const)('a project of %s whose changes come from: %s', async (dialect, changes, expected) => {
    const templates = await readTemplates(join(ownPackage().folder, 'templates', 'project'));
    const text = renderProject(templates, { ...values, dialect, changes }).get('package.json') ?? '';
    const { dependencies } = JSON.parse(text) as { readonly dependencies: object };
    const chosen = Object.keys(dependencies).filter((name) => ['pg', 'mysql2', '@vlasky/zongji'].includes(name));
    expect(new Set(chosen)).toEqual(new Set(expected));
  });

  test.each([true, false])('a project whose configuration limits rates: %s', async (rates) => {
    const templates = await readTemplates(join(ownPackage().folder, 'templates', 'project'));
    const text = renderProject(templates, { ...values, rates }).get('package.json') ?? '';
    expect(text.includes('"rate-limiter-flexible"')).toBe(rates);
  });

  test.each([true, false])('a project whose configuration serves agents: %s', async (agents) => {
    const templates = await readTemplates(join(ownPackage().folder, 'templates', 'project'));
    const text = renderProject(templates, { ...values, agents }).get('package.json') ?? '';
    expect(text.includes('"@modelcontextprotocol/sdk"')).toBe(agents);
  });

  test('a package without its templates says so', async () => {
    await expect(readTemplates(join(folder, 'absent'))).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

test.each([
  ['server', 'server'],
  ['My Server (2)', 'my-server-2'],
  ['Büro', 'bu-ro'],
  ['_private', 'private'],
  ['日本', 'data-server'],
  ['tablewright', 'data-server'],
])('packageName(%j) is %j', (name, expected) => {
  expect(packageName(`/x/${name}`)).toBe(expected);
});

describe('packageSpec', () => {
  const installed = async (resolved: string | undefined, lock = 'node_modules/.package-lock.json'): Promise<string> => {
    const packages = { 'node_modules/tablewright': { version: '0.1.0', resolved } };
    await writeTree(folder, { [`app/${lock}`]: JSON.stringify({ packages }) });
    const own = { name: 'tablewright', folder: join(folder, 'app/node_modules/tablewright'), version: '0.1.0' };
    return packageSpec(own, join(folder, 'app/server'));
  };

  test.each([
    ['the registry', 'https://registry.npmjs.org/tablewright/-/tablewright-0.1.0.tgz', '^0.1.0'],
    ['a mirror', 'https://npm.example.com/repo/tablewright/-/tablewright-0.1.0.tgz', '^0.1.0'],
    ['a lock without addresses', undefined, '^0.1.0'],
    ['a tarball', 'file:../x-0.1.0.tgz', 'file:../../x-0.1.0.tgz'],
    ['a tarball in the project', 'file:x%20y.tgz', 'file:../x y.tgz'],
    ['a tarball’s URL', 'https://me:secret@example.com/x.tgz', 'https://example.com/x.tgz'],
    ['git', 'git+ssh://git@github.com/o/tablewright.git#abc', 'git+ssh://git@github.com/o/tablewright.git#abc'],
    ['git with a token', 'git+https://token@github.com/o/t.git#abc', 'git+https://github.com/o/t.git#abc'],
  ])('installed from %s', async (_from, resolved, expected) => {
    expect(await installed(resolved)).toBe(expected);
  });

  test('reads package-lock.json where npm left no hidden lock file', async () => {
    expect(await installed('file:../x.tgz', 'package-lock.json')).toBe('file:../../x.tgz');
  });

  test('a lock file that cannot be read', async () => {
    await writeTree(folder, { 'app/node_modules/.package-lock.json': '<<<<<<<' });
    const own = { name: 'tablewright', folder: join(folder, 'app/node_modules/tablewright'), version: '1.2.3' };
    expect(await packageSpec(own, join(folder, 'app'))).toBe('^1.2.3');
  });

  test('a package of a scope, installed from a tarball', async () => {
    const packages = { 'node_modules/@tablewright/runtime': { resolved: 'file:../y.tgz' } };
    await writeTree(folder, { 'app/node_modules/.package-lock.json': JSON.stringify({ packages }) });
    const own = {
      name: '@tablewright/runtime',
      folder: join(folder, 'app/node_modules/@tablewright/runtime'),
      version: '0.1.0',
    };
    expect(await packageSpec(own, join(folder, 'app/server'))).toBe('file:../../y.tgz');
  });

  test('run from its own checkout', async () => {
    const own = { name: 'tablewright', folder: join(folder, 'checkout'), version: '0.1.0' };
    expect(await packageSpec(own, join(folder, 'checkout/generated-example'))).toBe('file:..');
    expect(await packageSpec(own, join(folder, 'work/server'))).toBe('file:../../checkout');
  });
});
