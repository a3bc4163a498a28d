import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';

const root = new URL('../../', import.meta.url);

/** The source of each entry of a package of this repository, by the specifier that imports it. */
function sourcesOf(folder) {
  const { name, exports } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, root), 'utf8'));
  return Object.fromEntries(
    Object.entries(exports).flatMap(([entry, { default: built }]) => {
      if (built === undefined) return [];
      const source = `${folder}/${built.replace('/dist/', '/src/').replace(/js$/, 'ts')}`;
      return [[join(name, entry), new URL(source, root).href]];
    }),
  );
}

/** Suites and generated projects import these in place of the build. */
export const runtimeSources = sourcesOf('runtime');

export const packageSources = { ...runtimeSources, ...sourcesOf('console') };
