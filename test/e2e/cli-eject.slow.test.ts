import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../support/cli.js';
import { temporaryFolder, texts, treeOf, writeTree } from '../support/folders.js';
import type { Outcome } from '../support/program.js';

let folder: string;
let remove: () => Promise<void>;

const manifest = {
  name: 'shop-server',
  scripts: { build: 'tsc', start: 'node dist/main.js' },
  dependencies: { '@tablewright/runtime': '^0.1.0', express: '^5.3.0' },
};

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  await writeTree(folder, { 'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`, Dockerfile: 'FROM x\n' });
});
afterEach(() => remove());

const eject = (...args: string[]): Promise<Outcome> => tablewright(['eject', ...args], { cwd: folder });

const packageJson = async (): Promise<unknown> => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

test('puts the sources into the project, and says what next', async () => {
  const { code, stdout, stderr } = await eject();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^runtime written: the sources of @tablewright\/runtime \d+\.\d+\.\d+, \d+ files, yours from now on\.\n/,
  );
  expect(stdout).toContain('\nNext:\n  npm install\n  npm run build\n  npm start\n');
  expect(stdout).toContain('COPY --from=build /app/runtime ./runtime');
  const written = await texts(join(folder, 'runtime'));
  const checkout = await texts(join(import.meta.dirname, '../../runtime/src'));
  expect(
    Object.keys(written)
      .filter((path) => !path.startsWith('src/'))
      .sort(),
  ).toEqual(['LICENSE', 'README.md', 'package.json', 'tsconfig.json']);
  for (const [path, text] of Object.entries(checkout)) expect([path, written[`src/${path}`]]).toEqual([path, text]);
  expect(await packageJson()).toEqual({
    ...manifest,
    scripts: { ...manifest.scripts, prebuild: 'npm run --silent build --prefix runtime' },
    dependencies: { ...manifest.dependencies, '@tablewright/runtime': 'file:./runtime' },
  });
});

test('--to names another folder of the project, --out another project', async () => {
  const outcome = await tablewright(['eject', '--out', folder, '--to', './packages/runtime/'], { cwd: '/' });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(await packageJson()).toMatchObject({ dependencies: { '@tablewright/runtime': 'file:./packages/runtime' } });
  expect(await treeOf(folder)).toHaveProperty(['packages/runtime/src/index.ts']);
});

test('--dry-run writes nothing; --json is one document', async () => {
  const before = await treeOf(folder);
  expect((await eject('--dry-run')).stdout).toMatch(/^runtime would be written: .*\n {2}change {2}package\.json /);
  expect(JSON.parse((await eject('--dry-run', '--json')).stdout)).toMatchObject({
    folder: '.',
    to: 'runtime',
    written: false,
    files: expect.arrayContaining([
      { path: 'runtime/src/index.ts', action: 'add', edited: false },
      expect.objectContaining({ path: 'package.json', action: 'change' }),
    ]) as unknown[],
  });
  expect(await treeOf(folder)).toEqual(before);
  expect(JSON.parse((await eject('--json')).stdout)).toMatchObject({ written: true });
});

test('a script of the owner’s stays; then the package is built by hand', async () => {
  const scripts = { build: 'webpack', prebuild: 'rimraf dist' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts }));
  const { stdout } = await eject();
  expect(stdout).toContain('  npm install\n  npm run build --prefix runtime\n  npx tsc\n');
  expect(await packageJson()).toMatchObject({ scripts });
});

test('what a project got to copy folders goes: its own is linked', async () => {
  const npmrc =
    '# Packages of folders are copied, not linked: they have to share the packages of this project.\ninstall-links=true\n';
  await writeFile(join(folder, '.npmrc'), npmrc);
  await eject();
  expect(await treeOf(folder)).not.toHaveProperty(['.npmrc']);
});

describe('is refused, and nothing is written', () => {
  const refused = async (code: string, hint: string, ...args: string[]): Promise<void> => {
    const before = await treeOf(folder);
    const outcome = await eject(...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain(code);
    expect(outcome.stderr).toContain(hint);
    expect(await treeOf(folder)).toEqual(before);
  };

  test('where the folder is there', async () => {
    await writeTree(folder, { 'runtime/mine.ts': 'mine' });
    await refused('OUTPUT_FOREIGN', '--to');
  });

  test('where a file is in the way', async () => {
    await writeFile(join(folder, 'runtime'), 'mine');
    await refused('OUTPUT_FOREIGN', '--to');
  });

  test.each(['../elsewhere', '/tmp/elsewhere', 'src/runtime', 'node_modules/runtime', '.', 'a//b'])(
    'where the sources cannot go: %s',
    (to) => refused('USAGE', '--to packages/runtime', '--to', to),
  );

  test('a second time', async () => {
    await eject();
    await refused('USAGE', 'remove that folder', '--to', 'other');
  });

  test('in what is no project, or one of before the runtime was a package', async () => {
    await writeFile(join(folder, 'package.json'), '{"dependencies": {}}');
    await refused('USAGE', 'tablewright generate');
    await mkdir(join(folder, 'empty'));
    await refused('USAGE', '--out', '--out', 'empty');
  });
});
