import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repository } from '../support/transpile.js';

/** The files that each file imports or exports from, also for their types alone. */
function importsBelow(folder: string): ReadonlyMap<string, readonly string[]> {
  const paths = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(repository, folder, path));
  return new Map(
    paths.map((path) => [
      path,
      [...readFileSync(path, 'utf8').matchAll(/^(?:import|export) [^'`]*from '(\.[^']+)\.js'/gm)].map(([, to = '']) =>
        join(dirname(path), `${to}.ts`),
      ),
    ]),
  );
}

/** A way from a file back to itself; undefined if there is none. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of imports.get(file) ?? []) {
      const found = visit(next, [...way, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const found = visit(file, []);
    if (found !== undefined) return found.map((each) => relative(repository, each));
  }
  return undefined;
}

/** A rule of ESLint would leave imports of types out, and cost a sixth of the time of linting. */
test.each(['src', 'runtime/src', 'console/src'])('no files of %s import each other, not even types', (folder) => {
  const imports = importsBelow(folder);
  expect(imports.size).toBeGreaterThan(10);
  expect(findCircle(imports)).toBeUndefined();
});

test('a circle is found', () => {
  const imports = new Map([
    ['/a.ts', ['/b.ts']],
    ['/b.ts', ['/c.ts']],
    ['/c.ts', ['/b.ts']],
  ]);
  expect(findCircle(imports)).toHaveLength(3);
});
