import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { packageSources } from '../package-sources.js';

/** The text and the imports of each file of code, by paths from the root of the repository. */
export type Modules = ReadonlyMap<string, ReadModule>;

export interface ReadModule {
  readonly text: string;
  readonly imports: readonly string[];
}

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

const notOurs = ['**/node_modules/**', '**/dist/**', '**/out/**', '**/.tmp/**'];

/**
 * Reads the modules below folders.
 * @param types whether imports of types alone count. Code that runs does not depend on them.
 */
export function readModules(folders: readonly string[], { types }: { readonly types: boolean }): Modules {
  const paths = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,js,cjs}`),
    { cwd: repository, ignore: notOurs },
  );
  return new Map(
    paths.sort().map((path) => {
      const text = readFileSync(join(repository, path), 'utf8');
      return [path, { text, imports: importsOf(path, text, types) }];
    }),
  );
}

/**
 * A specifier stands behind `from`, in `import '…'` and in `import('…')`. `import type` ends at its
 * own `from`.
 */
const declaration =
  /^\s*(?:import|export)(?<types> type)? [^'`;]*from '(?<from>[^']+)'|\bimport(?:\(|\s)\s*'(?<alone>[^']+)'/gm;

function importsOf(path: string, text: string, types: boolean): readonly string[] {
  const found = [...text.matchAll(declaration)].flatMap(({ groups = {} }) => {
    const specifier = groups['from'] ?? groups['alone'] ?? '';
    return groups['types'] !== undefined && !types ? [] : resolveImport(path, specifier);
  });
  return [...new Set(found)];
}

/** The file of this repository that a specifier names; none for packages of others. */
function resolveImport(path: string, specifier: string): readonly string[] {
  const source = packageSources[specifier];
  if (source !== undefined) return [relative(repository, fileURLToPath(source))];
  if (!specifier.startsWith('.')) return [];
  const target = join(dirname(path), specifier);
  return [target.replace(/\.js$/, '.ts'), target].filter((file) => existsSync(join(repository, file))).slice(0, 1);
}
