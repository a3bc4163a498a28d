import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

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
const imported = importedPackages(join(checkout, 'templates/runtime'));

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

function importedPackages(folder: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const source = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    // Every import of the runtime ends its line with the specifier; the multi-line ones do so with `} from '…';`.
    for (const [, specifier = ''] of source.matchAll(/^(?:import|export|\}) (?:[^']* from )?'([^'.][^']*)';$/gm)) {
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      if (!specifier.startsWith('node:') && !builtinModules.includes(name)) names.add(name);
    }
  }
  return names;
}
