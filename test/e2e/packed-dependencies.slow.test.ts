import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { blocksOf } from '../support/documents.js';
import { transpileText } from '../support/transpile.js';

const checkout = join(import.meta.dirname, '../..');

type Packages = Readonly<Record<string, string>>;

interface Manifest {
  readonly version: string;
  readonly dependencies: Packages;
  readonly devDependencies: Packages;
  readonly peerDependencies?: Packages;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(join(checkout, path), 'utf8')) as Manifest;

const own = readManifest('package.json');
const runtime = readManifest('runtime/package.json');
const console = readManifest('console/package.json');
const project = readManifest('templates/project/package.json');

const isOptional = (name: string): boolean => runtime.peerDependenciesMeta?.[name]?.optional === true;

/**
 * Peer dependencies of the runtime, shared with its user: two copies of graphql do not recognise
 * each other's types.
 */
const shared = Object.keys(runtime.peerDependencies ?? {}).filter((name) => !isOptional(name));

/** The compiler needs @types/x for the types of x; the program does not. */
const withoutTypes = (names: Iterable<string>): readonly string[] =>
  [...new Set(names)].filter((name) => !name.startsWith('@types/') && !isOptional(name)).sort();

const texts = (folder: string): readonly string[] => sourcesIn(folder).map((path) => readFileSync(path, 'utf8'));

describe('package.json of the runtime', () => {
  test('depends on every package that the runtime imports, and on no other', async () => {
    expect(withoutTypes([...Object.keys(runtime.dependencies), ...shared])).toEqual(
      withoutTypes(importedPackages(await compiled('runtime/src'))),
    );
  });

  test('names all that it takes to compile its sources, which `eject` puts into projects', () => {
    const named = { ...runtime.dependencies, ...runtime.devDependencies, ...runtime.peerDependencies };
    const needed = [...importedPackages(texts('runtime/src'))];
    const compiledWith = { ...runtime.dependencies, ...runtime.devDependencies };
    const missing = needed.filter((name) => !(name in (isOptional(name) ? compiledWith : named)));
    expect(missing).toEqual([]);
    expect(Object.keys(runtime.devDependencies)).toEqual(expect.arrayContaining(['@types/node', 'typescript']));
  });
});

test('package.json of the console depends on every package that it imports, and on no other', async () => {
  const named = Object.keys({ ...console.dependencies, ...console.peerDependencies });
  expect(withoutTypes(named)).toEqual(withoutTypes(importedPackages(await compiled('console/src'))));
});

describe('package.json of the tool', () => {
  test('depends on every package that its program imports, on what it shares with the runtime, and on no other', async () => {
    // kysely-codegen has Kysely as a peer dependency.
    expect(withoutTypes(Object.keys(own.dependencies))).toEqual(
      withoutTypes([...importedPackages(await compiled('src')), ...shared, 'kysely']),
    );
  });

  test.each([
    ['@tablewright/runtime', runtime],
    ['@tablewright/console', console],
  ])('takes %s of its own version', (name, { version }) => {
    expect([own.dependencies[name], version]).toEqual([`^${own.version}`, own.version]);
  });
});

describe('package.json of a generated project', () => {
  test('depends on every package that generated code, templates and documented code of its owner import, and on no other', () => {
    const documented = ['extending.md', 'writes.md'].flatMap((page) => blocksOf(page, 'ts'));
    const written = ['generated-example/src', 'templates/project/src'].flatMap(texts);
    const imported = [...importedPackages([...written, ...documented])].filter((name) => name !== 'tablewright');
    expect(withoutTypes(Object.keys(project.dependencies))).toEqual(withoutTypes([...imported, ...shared]));
  });
});

test('all ask for the same versions of a package: those that this repository is tested with', () => {
  const versions: Packages = { ...own.dependencies, ...own.devDependencies };
  const ours = new Set(['tablewright', '@tablewright/runtime', '@tablewright/console']);
  for (const each of [project, runtime, console]) {
    const wanted = { ...each.dependencies, ...each.devDependencies, ...each.peerDependencies };
    for (const [name, range] of Object.entries(wanted)) {
      if (!ours.has(name)) expect([name, range]).toEqual([name, versions[name]]);
    }
  }
});

test('the driver of a database is a choice of the project, and one of the tool’s packages', () => {
  for (const driver of ['pg', 'mysql2']) {
    expect([driver, isOptional(driver), driver in runtime.dependencies]).toEqual([driver, true, false]);
    expect([driver, driver in own.dependencies, driver in project.dependencies]).toEqual([driver, true, true]);
  }
});

test('pg is pinned: the runtime leans on its insides', () => {
  expect(runtime.peerDependencies?.['pg']).toMatch(/^\d+\.\d+\.\d+$/);
});

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importedPackages(sources: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const source of sources) {
    // The runtime resolves such packages by name to serve a file to browsers, and does not import
    // them.
    const served = [...source.matchAll(/createRequire\(import\.meta\.url\)\.resolve\('([^']+)'\)/g)].map(
      ([, fileName = '']) => ({ fileName }),
    );
    for (const { fileName } of [...ts.preProcessFile(source, true, true).importedFiles, ...served]) {
      if (fileName.startsWith('.') || fileName.startsWith('node:') || builtinModules.includes(fileName)) continue;
      names.add(fileName.split('/', fileName.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return names;
}

/** The sources without types: an import of types only is no dependency. */
const compiled = (folder: string): Promise<readonly string[]> =>
  Promise.all(texts(folder).map((source) => transpileText(source, 'source.ts')));
