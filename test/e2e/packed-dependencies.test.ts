import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const checkout = join(import.meta.dirname, '../..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(join(checkout, path), 'utf8')) as Manifest;

/** Packages that only a user who asks for them installs; the runtime says so when they are absent. */
const optional = new Set(['@electric-sql/pglite', '@electric-sql/pglite-pgvector']);

const project = readManifest('templates/project/package.json');
const own = readManifest('package.json');
const imported = importedPackages(sourcesIn('templates/runtime'));

describe('package.json of a generated project', () => {
  test('depends on every package that the runtime imports, and on no other', () => {
    // @types/x gives the types of x to the compiler; the program does not need it.
    expect(Object.keys(project.dependencies).sort()).toEqual(
      [...imported].filter((name) => !optional.has(name)).sort(),
    );
  });

  test('asks for the versions that this repository is tested with', () => {
    const versions = { ...own.dependencies, ...own.devDependencies };
    const wanted = { ...project.dependencies, ...project.devDependencies };
    for (const [name, range] of Object.entries(wanted)) {
      if (name !== 'tablewright') expect([name, range]).toEqual([name, versions[name]]);
    }
  });
});

describe('package.json of the tool', () => {
  test('depends on every package that its program imports, also through what it shares with the runtime', () => {
    const needed = importedPackages(withImports(sourcesIn('src')));
    const missing = [...needed].filter((name) => !optional.has(name) && !(name in own.dependencies));
    expect(missing).toEqual([]);
  });
});

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files, and every file of ours that they import, and so on. Type imports leave nothing behind when compiled. */
function withImports(files: readonly string[]): readonly string[] {
  const all = new Set(files);
  for (const file of all) {
    for (const specifier of imports(file)) {
      if (specifier.startsWith('.')) all.add(join(dirname(file), specifier.replace(/\.js$/, '.ts')));
    }
  }
  return [...all];
}

function importedPackages(files: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const specifier of files.flatMap(imports)) {
    if (specifier.startsWith('.') || specifier.startsWith('node:') || builtinModules.includes(specifier)) continue;
    names.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
  }
  return names;
}

/** What a file imports when it runs. */
function imports(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(compiled(file), true, true);
  return importedFiles.map(({ fileName }) => fileName);
}

/** Without its types: an import of types only is no dependency. */
function compiled(file: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true };
  return ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions }).outputText;
}
